import { type Leaderboard, scoreBounds } from '../core/leaderboard.ts';
import { limits } from '../core/limits.ts';
import { emptyPrefix } from '../core/order.ts';
import { channels } from './keys.ts';

const remembered = new WeakMap<Leaderboard, { runId: string; text: string }>();

/** What the scripts need of a board, as JSON: the same text each time, so that they decode it once. */
export function boardText(board: Leaderboard, runId: string, publish: 'PUBLISH' | 'SPUBLISH'): string {
  const known = remembered.get(board);
  if (known?.runId === runId) return known.text;
  const text = JSON.stringify({
    incarnation: board.incarnation,
    version: String(board.version),
    runId,
    publish,
    channel: channels.board(board.key),
    descending: board.sortOrder === 'HIGH_TO_LOW',
    tieBreak: board.tieBreak,
    emptyPrefix: emptyPrefix(board),
    rankMethod: board.rankMethod,
    denseRanks: board.denseRanks,
    denseReady: board.denseReady,
    // Lua would take null for something.
    maxEntries: board.maxEntries ?? undefined,
    archive: board.archive,
    scorePolicy: board.scorePolicy,
    backfill: board.backfill,
    ...scoreBounds(board),
    logLength: limits.logLength,
    idempotencyTtlMs: limits.idempotencyTtlMs,
  });
  remembered.set(board, { runId, text });
  return text;
}
