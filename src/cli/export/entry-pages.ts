import { chosenPeriod, type PeriodAnswer, type PeriodChoice, periodQuery } from '../boards/period-choice.ts';
import type { Client } from '../client.ts';

export interface ExportedEntry {
  readonly rank: number;
  readonly competitionRank: number;
  readonly index: number;
  readonly memberId: string;
  readonly score: number;
  readonly member: { readonly displayName: string | null };
}

export interface EntryPage {
  readonly key: string;
  readonly state: string;
  readonly entries: {
    readonly nodes: readonly ExportedEntry[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    readonly totalCount: number;
    readonly version: number;
    readonly changed: boolean;
  };
}

const selection = `key state entries(first: 100, after: $after) {
  nodes { rank competitionRank index memberId score member { displayName } }
  pageInfo { hasNextPage endCursor } totalCount version changed
}`;

/** All entries of one period in board order, page after page. The period that is current at the start is kept to. */
export async function* entryPages(client: Client, board: string, choice: PeriodChoice): AsyncGenerator<EntryPage> {
  let period: PeriodChoice = choice;
  for (let after: string | null = null, more = true; more; ) {
    const answer: PeriodAnswer<EntryPage> = await client.repeat(periodQuery(period, selection, ', $after: String'), {
      board,
      after,
      cadence: period.cadence,
      period: period.period,
    });
    const page = chosenPeriod(answer, board, period);
    yield page;
    period = { period: page.key };
    after = page.entries.pageInfo.endCursor;
    more = page.entries.pageInfo.hasNextPage;
  }
}
