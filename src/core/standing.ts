import type { Leaderboard } from './leaderboard.ts';
import { decodeOrdered } from './order.ts';
import type { Position } from './reading.ts';
import type { ScoreText } from './score.ts';
import type { Place, WrittenEntry } from './submission.ts';

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
  /** Distinct better scores, plus one; null where the board keeps no index of them. */
  readonly denseRank: number | null;
  /** When the score was reached, epoch milliseconds; null where the board does not keep it. */
  readonly reachedAt: number | null;
  /** JSON of the write that is shown. */
  readonly metadata: string | null;
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
  /** Dense rank of the first; null where none is kept. */
  readonly dense: number | null;
  /** JSON of each, in order; empty where the period has none at all. */
  readonly metadata: readonly (string | null)[];
}

/**
 * Ranks a run: within it a tie group begins where the score changes, and only the first group's beginning and the last
 * one's end can lie outside (rule R4).
 */
export function rankRun(board: Leaderboard, run: Run): Standing[] {
  const { start, better, through, flat, dense, metadata } = run;
  const standings: Standing[] = [];
  const count = flat.length / 2;
  let groupStart = better;
  let denseRank = dense;
  for (let from = 0; from < count; ) {
    const score = flat[2 * from + 1] as string;
    let to = from + 1;
    while (to < count && flat[2 * to + 1] === score) to += 1;
    const groupEnd = to === count ? through : start + to;
    for (let i = from; i < to; i += 1) {
      const ordered = flat[2 * i] as string;
      // No spread: it would cost more than the whole reading.
      const { memberId, reachedAt } = decodeOrdered(board, ordered);
      standings.push({
        memberId,
        reachedAt,
        ordered,
        score,
        index: start + i,
        competitionRank: groupStart + 1,
        tieCount: groupEnd - groupStart,
        denseRank,
        metadata: metadata[i] ?? null,
      });
    }
    groupStart = groupEnd;
    if (denseRank !== null) denseRank += 1;
    from = to;
  }
  return standings;
}

/** A place with every way to rank it. */
export interface Ranks {
  readonly index: number;
  readonly competitionRank: number;
  readonly denseRank: number | null;
}

/** A place as the writing script counts it, with its ranks by name. */
export const ranksOf = ({ index, rank, dense }: Place): Ranks => ({
  index,
  competitionRank: rank,
  denseRank: dense ?? null,
});

/** Where a write left an entry. Of its metadata what is told with it. */
export function standingOfWrite(board: Leaderboard, entry: WrittenEntry): Standing {
  const { memberId, reachedAt } = decodeOrdered(board, entry.ordered);
  const { ordered, score, index, rank, dense, ties, metadata } = entry;
  return {
    memberId,
    reachedAt,
    ordered,
    score,
    index,
    competitionRank: rank,
    tieCount: ties,
    denseRank: dense ?? null,
    metadata: metadata ?? null,
  };
}

/** The rank shown to people, by the board's method; null where that needs an index of distinct scores and none told. */
export function knownRank(
  { rankMethod }: Pick<Leaderboard, 'rankMethod'>,
  { index, competitionRank, denseRank }: Ranks,
): number | null {
  if (rankMethod === 'ORDINAL') return index + 1;
  return rankMethod === 'COMPETITION' ? competitionRank : denseRank;
}

/** The same, where there has to be one: what was written before a board ranked by DENSE keeps the rank it had. */
export const shownRank = (board: Pick<Leaderboard, 'rankMethod'>, ranks: Ranks): number =>
  knownRank(board, ranks) ?? ranks.competitionRank;

/** Where a score would stand, all others as they are: the best place that ties could leave it. */
export const hypotheticalRanks = ({ better, denseRank }: Position): Ranks => ({
  index: better,
  competitionRank: better + 1,
  denseRank,
});

/** 100 × competition rank / entry count. */
export const topPercent = (competitionRank: number, entryCount: number): number => (100 * competitionRank) / entryCount;
