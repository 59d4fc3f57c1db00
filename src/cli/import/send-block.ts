import { type Client, ServiceError } from '../client.ts';
import { CliFailure } from '../failure.ts';
import type { BadRows } from './bad-rows.ts';
import { type Block, makeBlock } from './blocks.ts';
import type { ScoreRow } from './score-rows.ts';
import type { Tally } from './tally.ts';

export interface SendTarget {
  readonly client: Client;
  readonly board: string;
  readonly tally: Tally;
  readonly badRows: BadRows;
}

interface Outcome {
  readonly payload: {
    readonly applied: boolean;
    readonly duplicate: boolean;
    readonly skipped: readonly { period: string; code: string }[];
  } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

const submitDocument = `mutation Import($input: SubmitScoresInput!) {
  submitScores(input: $input) {
    outcomes { payload { applied duplicate skipped { period code } } error { code message } }
  }
}`;

/**
 * Sends a block. Where an import before ended inside it (the file has grown since), the rows of then are left out and
 * the rest is sent as a block of its own; where it was cut otherwise, the file has changed and the import must stop.
 */
export async function sendBlock(target: SendTarget, block: Block): Promise<void> {
  let rest: Block | null = block;
  while (rest) {
    const answer = await submit(target, rest);
    if (typeof answer !== 'string') return record(target, rest.rows, answer);
    const known: number = rest.rows.findIndex(({ to }) => to === answer);
    if (known < 0) throw changedFile(target.board, rest);
    target.tally.already += known + 1;
    rest = makeBlock(rest.rows.slice(known + 1));
  }
}

/** Outcomes in the order of the rows, or the place where the block applied before at this place ends. */
async function submit({ client, board }: SendTarget, { from, to, rows }: Block): Promise<readonly Outcome[] | string> {
  const input = { leaderboard: board, scores: rows.map(({ score }) => score), block: { from, to } };
  try {
    const answer = await client.repeat<{ submitScores: { outcomes: Outcome[] } }>(submitDocument, { input });
    return answer.submitScores.outcomes;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'BLOCK_CONFLICT') return String(error.extensions.appliedTo);
    throw error;
  }
}

async function record(target: SendTarget, rows: readonly ScoreRow[], outcomes: readonly Outcome[]): Promise<void> {
  const { tally, badRows } = target;
  for (const [i, { row }] of rows.entries()) {
    const { payload, error } = outcomes[i] ?? { payload: null, error: { code: 'INTERNAL', message: 'no outcome' } };
    for (const { period, code } of payload?.skipped ?? []) tally.skip(period, code);
    if (payload?.duplicate) tally.already += 1;
    else if (payload?.applied) tally.applied += 1;
    else if (payload && payload.skipped.length > 0) tally.skipped += 1;
    else if (payload) tally.unchanged += 1;
    else {
      tally.bad += 1;
      await badRows.add(row, `refused: ${error?.message ?? 'no reason given'} (${error?.code ?? 'INTERNAL'})`);
    }
  }
}

function changedFile(board: string, { rows }: Block): CliFailure {
  const first = rows[0]?.row.line;
  return new CliFailure(
    [
      `Lines ${first} to ${rows.at(-1)?.row.line} are not what was imported into ${board} from here before: a row up there was changed,`,
      'added or removed, or the file is read with other options (--member, --score, --where and so on).',
      `Nothing was sent from line ${first} on. New rows can be imported from a file of their own; if all of this file is to`,
      'count in addition to what is there, name it: --source NAME.',
    ].join('\n'),
  );
}
