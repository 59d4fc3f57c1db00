import type { Board } from '../boards/find-board.ts';
import type { Client } from '../client.ts';
import { CliFailure } from '../failure.ts';
import type { Block } from './blocks.ts';

interface PeriodStarts {
  readonly leaderboard: Readonly<Record<string, { readonly startsAt: string | null } | null>> | null;
}

/**
 * Looks at blocks before they are sent: throws for a row that an ended period would not take. Once sent, such a row is
 * in, without that period, and no import could bring it there any more.
 */
export async function closedGuard(client: Client, board: Board): Promise<(block: Block) => void> {
  const limit = await earliestOpen(client, board);
  return ({ rows }) => {
    const row = rows.find(({ score }) => score.occurredAt !== undefined && score.occurredAt < limit);
    if (!row) return;
    throw new CliFailure(
      [
        `Line ${row.row.line} is of ${row.score.occurredAt}, and of ${board.key} a period of that time has ended: it takes no scores.`,
        'Nothing was sent from there on. Say what is meant:',
        '  --backfill      ended periods accept scores while this import runs',
        '  --skip-closed   ended periods stay as they are; such rows count in the others only',
      ].join('\n'),
    );
  };
}

/** The instant before which some period is closed for certain; '' for none. */
async function earliestOpen(client: Client, board: Board): Promise<string> {
  const calendar = board.cadences.filter((cadence) => cadence !== 'ALL_TIME');
  if (calendar.length === 0) return '';
  const fields = calendar.map((cadence) => `${cadence}: current(cadence: ${cadence}) { startsAt }`);
  const document = `query PeriodStarts($key: String!) { leaderboard(key: $key) { ${fields.join(' ')} } }`;
  const { leaderboard } = await client.repeat<PeriodStarts>(document, { key: board.key });
  const starts = Object.values(leaderboard ?? {}).map((period) => period?.startsAt ?? '');
  // Within the grace after an edge, the period before it may still take them: that is left to the service.
  const past = starts.filter((start) => start !== '' && Date.parse(start) + board.graceSeconds * 1000 <= Date.now());
  return (
    past
      .map((start) => new Date(start).toISOString())
      .sort()
      .at(-1) ?? ''
  );
}
