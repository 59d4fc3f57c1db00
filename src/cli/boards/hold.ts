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

/** Works under a hold that is released however the work ends. A hold that somebody else put on stays. */
export async function underHold<T>(
  client: Client,
  board: Board,
  say: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  if (board.backfill) {
    say(`${board.key} was under a backfill's hold already and stays so; \`laurel release ${board.key}\` ends it.`);
    return work();
  }
  await setHold(client, board.key, true);
  say(`${board.key} is held for this backfill: its ended periods accept scores.`);
  try {
    return await work();
  } finally {
    await setHold(client, board.key, false).then(
      () => say(`${board.key} is released: its ended periods are closed again.`),
      (error) => say(`${board.key} is STILL HELD (${messageOf(error)}). Release it: laurel release ${board.key}`),
    );
  }
}
