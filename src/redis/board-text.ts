import { type Leaderboard, scoreBounds } from '../core/leaderboard.ts';
import { limits } from '../core/limits.ts';
import { emptyPrefix } from '../core/order.ts';
import { fenceOf } from './fence.ts';
import { channels } from './keys.ts';

/** A board as JSON for the scripts: the same text each time, so that they decode it once. */
export interface BoardTexts {
  readonly runId: string;
  readonly all: string;
  /** What reading needs: a third of it, for a text costs Redis by its length. */
  readonly forReads: string;
}

const remembered = new WeakMap<Leaderboard, BoardTexts>();

export function boardTexts(board: Leaderboard, runId: string, publish: 'PUBLISH' | 'SPUBLISH'): BoardTexts {
  const known = remembered.get(board);
  if (known?.runId === runId) return known;
  const forReads = {
    fence: fenceOf(board, runId),
    descending: board.sortOrder === 'HIGH_TO_LOW',
    tieBreak: board.tieBreak,
    rankMethod: board.rankMethod,
    denseReady: board.denseReady,
  };
  const all = {
    ...forReads,
    incarnation: board.incarnation,
    epoch: board.epoch,
    publish,
    channel: channels.board(board.key),
    emptyPrefix: emptyPrefix(board),
    denseRanks: board.denseRanks,
    // Lua would take null for something.
    maxEntries: board.maxEntries ?? undefined,
    archive: board.archive,
    scorePolicy: board.scorePolicy,
    backfill: board.backfill,
    ...scoreBounds(board),
    logLength: limits.logLength,
    idempotencyTtlMs: limits.idempotencyTtlMs,
  };
  const texts = { runId, all: JSON.stringify(all), forReads: JSON.stringify(forReads) };
  remembered.set(board, texts);
  return texts;
}
