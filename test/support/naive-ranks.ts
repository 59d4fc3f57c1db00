export interface NaiveEntry {
  readonly memberId: string;
  readonly score: number;
  readonly index: number;
  readonly competitionRank: number;
  readonly denseRank: number;
  readonly tieCount: number;
  readonly topPercent: number;
}

/** A ranking by member id as anybody would count it: sorted, each entry compared with every other. */
export function naiveRanks(scores: Readonly<Record<string, number>>, descending = true): NaiveEntry[] {
  const sign = descending ? -1 : 1;
  const all = Object.entries(scores).map(([memberId, score]) => ({ memberId, score }));
  const order = all.toSorted(
    (a, b) => sign * (a.score - b.score) || sign * Buffer.compare(Buffer.from(a.memberId), Buffer.from(b.memberId)),
  );
  return order.map(({ memberId, score }, index) => {
    const better = all.filter((other) => sign * (other.score - score) < 0);
    return {
      memberId,
      score,
      index,
      competitionRank: better.length + 1,
      denseRank: new Set(better.map((other) => other.score)).size + 1,
      tieCount: all.filter((other) => other.score === score).length,
      topPercent: (100 * (better.length + 1)) / all.length,
    };
  });
}

export const rankBy = (method: string, { index, competitionRank, denseRank }: NaiveEntry): number =>
  method === 'DENSE' ? denseRank : method === 'ORDINAL' ? index + 1 : competitionRank;
