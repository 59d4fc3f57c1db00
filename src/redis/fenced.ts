import type { Leaderboard } from '../core/leaderboard.ts';
import { StaleBoard } from '../core/ports.ts';
import { type BoardTexts, boardTexts } from './board-text.ts';
import type { DataConnection } from './connection.ts';
import { keys } from './keys.ts';
import type { ScriptName } from './scripts.ts';

/** What a script is given: keys, the definition's first, and arguments. */
export interface Given {
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
}

/** Runs a script behind its board's fence: throws StaleBoard unless the caller knows the board as it is now. */
export function fenced<T>(
  connection: DataConnection,
  name: ScriptName,
  board: Leaderboard,
  give: (texts: BoardTexts) => Given,
  read: (reply: unknown) => T,
): Promise<T> {
  const run = (runId: string) => {
    const given = give(boardTexts(board, runId, connection.publish));
    return connection.script(name, given.keys, given.args, (reply) => {
      if (reply === 'STALE') throw new StaleBoard();
      return read(reply);
    });
  };
  const runId = connection.runId(keys.definition(board.key));
  return typeof runId === 'string' ? run(runId) : runId.then(run);
}

/** The same for a script that takes the whole board first and answers a list. */
export const runFenced = (
  connection: DataConnection,
  name: ScriptName,
  board: Leaderboard,
  moreKeys: readonly string[],
  args: readonly (string | number)[],
): Promise<readonly unknown[]> =>
  fenced(
    connection,
    name,
    board,
    ({ all }) => ({ keys: [keys.definition(board.key), ...moreKeys], args: [all, ...args] }),
    asList,
  );

export const asList = (reply: unknown) => reply as readonly unknown[];
