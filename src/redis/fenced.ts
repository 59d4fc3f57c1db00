import type { Leaderboard } from '../core/leaderboard.ts';
import { StaleBoard } from '../core/ports.ts';
import { boardText } from './board-text.ts';
import type { DataConnection } from './connection.ts';
import { keys } from './keys.ts';
import type { ScriptName } from './scripts.ts';

/** Runs a script behind its board's fence: throws StaleBoard unless the caller knows the board as it is now. */
export async function runFenced<Reply = readonly unknown[]>(
  connection: DataConnection,
  name: ScriptName,
  board: Leaderboard,
  moreKeys: readonly string[],
  args: readonly (string | number)[],
): Promise<Reply> {
  const definition = keys.definition(board.key);
  const runId = connection.runId(definition);
  const text = boardText(board, typeof runId === 'string' ? runId : await runId, connection.publish);
  const reply = await connection.script(name, [definition, ...moreKeys], [text, ...args]);
  if (reply === 'STALE') throw new StaleBoard();
  return reply as Reply;
}
