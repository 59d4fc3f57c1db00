import type { Leaderboard } from './leaderboard.ts';
import type { ScoreText } from './score.ts';

/** One member's place in one period, as a reading found it or a write left it. */
export interface Standing {
  readonly memberId: string;
  /** The member as the sorted set holds it: tie-break prefix and id. */
  readonly ordered: string;
  readonly score: ScoreText;
  /** 0-based, unique. */
  readonly index: number;
  /** Entries strictly better by score, plus one (rule R4). */
  readonly competitionRank: number;
  /** Entries with this score, this one included. */
  readonly tieCount: number;
}

/** Consecutive members and scores in board order, with what is needed to rank them without seeing the others. */
export interface Run {
  /** Index of the first. */
  readonly start: number;
  /** Entries strictly better than the first one's score. */
  readonly better: number;
  /** Entries at least as good as the last one's score. */
  readonly through: number;
  /** member, score, member, score, … */
  readonly flat: readonly string[];
}

/**
 * Ranks a run: within it a tie group begins where the score changes, and only the first group's beginning and the last
 * one's end can lie outside (rule R4).
 */
export function rankRun({ start, better, through, flat }: Run): Standing[] {
  const standings: Standing[] = [];
  const count = flat.length / 2;
  let groupStart = better;
  for (let from = 0; from < count; ) {
    const score = flat[2 * from + 1] as string;
    let to = from + 1;
    while (to < count && flat[2 * to + 1] === score) to += 1;
    const groupEnd = to === count ? through : start + to;
    for (let i = from; i < to; i += 1) {
      const ordered = flat[2 * i] as string;
      const tieCount = groupEnd - groupStart;
      standings.push({
        memberId: ordered,
        ordered,
        score,
        index: start + i,
        competitionRank: groupStart + 1,
        tieCount,
      });
    }
    groupStart = groupEnd;
    from = to;
  }
  return standings;
}

/** The rank shown to people: by the board's method. */
export const shownRank = (board: Pick<Leaderboard, 'rankMethod'>, place: { index: number; rank: number }): number =>
  board.rankMethod === 'ORDINAL' ? place.index + 1 : place.rank;

/** 100 × competition rank / entry count. */
export const topPercent = (competitionRank: number, entryCount: number): number => (100 * competitionRank) / entryCount;
