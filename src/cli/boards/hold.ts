import type { Client } from '../client.ts';
import { messageOf } from '../failure.ts';
import type { Board } from './find-board.ts';

const holdDocument = `mutation Hold($key: String!, $backfill: Boolean!) {
  updateLeaderboard(input: { key: $key, backfill: $backfill }) { leaderboard { backfill } }
}`;

/** Puts a board under the hold of a backfill, or releases it: while it is on, periods that ended accept scores. */
export async function setHold(client: Client, key: string, backfill: boolean): Promise<void> {
  await client.repeat(holdDocument, { key, backfill });
}

/**
 * Works under a hold, and releases it when the work is done: what `work` says by true. Left undone it stays, so that no
 * period closes half-imported. A hold that was on before stays too.
 */
export async function underHold(
  client: Client,
  board: Board,
  say: (line: string) => void,
  work: () => Promise<boolean>,
): Promise<void> {
  if (board.backfill) {
    say(`${board.key} was under a backfill's hold already and stays so; \`laurel release ${board.key}\` ends it.`);
    await work();
    return;
  }
  await setHold(client, board.key, true);
  say(`${board.key} is held for this backfill: its ended periods accept scores.`);
  const done = await work().catch((error: unknown) => {
    sayHeld(board, say);
    throw error;
  });
  if (!done) {
    sayHeld(board, say);
    return;
  }
  await setHold(client, board.key, false).then(
    () => say(`${board.key} is released: its ended periods close now, for good.`),
    (error) => say(`${board.key} is STILL HELD (${messageOf(error)}). Release it: laurel release ${board.key}`),
  );
}

const sayHeld = ({ key }: Board, say: (line: string) => void) =>
  say(`${key} STAYS HELD, so that no period closes half-imported. When all rows are in: laurel release ${key}`);
