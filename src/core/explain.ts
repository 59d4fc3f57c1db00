import { type Leaderboard, scoreBounds } from './leaderboard.ts';
import type { ScoreText } from './score.ts';
import type { Standing } from './standing.ts';

/** What puts one entry before another. */
export type OrderRule = 'SCORE' | 'EARLIEST' | 'LATEST' | 'SORT_KEY' | 'MEMBER_ID';

/** Which rule decides between two entries of a period. */
export function deciding(board: Leaderboard, a: Standing, b: Standing): OrderRule {
  if (a.score !== b.score) return 'SCORE';
  if (board.tieBreak !== 'SORT_KEY') return board.tieBreak;
  const prefix = ({ ordered }: Standing) => ordered.slice(0, ordered.search(/[.~]/) + 1);
  return prefix(a) === prefix(b) ? 'MEMBER_ID' : 'SORT_KEY';
}

/** The least score, all others as they are, that would put `entry` before `other`; null where none is allowed. */
export function scoreToPass(board: Leaderboard, entry: Standing, other: Standing): ScoreText | null {
  return tieIsEnough(board, entry, other) ? other.score : better(board, other.score);
}

/** Whether a new score equal to the other's would be before it. */
function tieIsEnough(board: Leaderboard, entry: Standing, other: Standing): boolean {
  if (board.tieBreak === 'EARLIEST') return entry.score === other.score && entry.index < other.index;
  if (board.tieBreak === 'LATEST') return entry.score !== other.score || entry.index < other.index;
  const order = Buffer.compare(Buffer.from(entry.ordered), Buffer.from(other.ordered));
  return board.sortOrder === 'HIGH_TO_LOW' ? order > 0 : order < 0;
}

/** The least score that is strictly better; null where it leaves what the board accepts. */
function better(board: Leaderboard, score: ScoreText): ScoreText | null {
  const next = BigInt(score) + (board.sortOrder === 'HIGH_TO_LOW' ? 1n : -1n);
  const { lowest, highest } = scoreBounds(board);
  return next < BigInt(lowest) || next > BigInt(highest) ? null : next.toString();
}
