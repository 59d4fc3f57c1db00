import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeRules } from '../../src/core/leaderboard.ts';
import { hypotheticalRanks, knownRank, rankRun, ranksOf, shownRank, topPercent } from '../../src/core/standing.ts';
import { seeded } from '../support/seed.ts';

const board = { ...makeRules('goals', {}), key: 'goals', version: 1, incarnation: 'i', epoch: 'e' };

/** The run of a board's entries from one index to another, as the store returns it: counts, and nothing of the rest. */
function cut(scores: readonly number[], start: number, stop: number) {
  const shown = scores.slice(start, stop);
  return {
    start,
    better: scores.filter((score) => score > (shown[0] ?? Infinity)).length,
    through: scores.filter((score) => score >= (shown.at(-1) ?? Infinity)).length,
    flat: shown.flatMap((score, i) => [`m${start + i}`, String(score)]),
    dense: new Set(scores.filter((score) => score > (shown[0] ?? Infinity))).size + 1,
    metadata: shown.map((_, i) => (i % 2 === 0 ? `{"i":${start + i}}` : null)),
  };
}

describe('R4: ranks come from the whole period, never from the page', () => {
  it('gives shared ranks 1, 2, 2, 4 and counts ties', () => {
    const ranked = rankRun(board, cut([9, 7, 7, 5], 0, 4));
    expect(ranked.map((one) => one.competitionRank)).toEqual([1, 2, 2, 4]);
    expect(ranked.map((one) => one.tieCount)).toEqual([1, 2, 2, 1]);
    expect(ranked.map((one) => one.index)).toEqual([0, 1, 2, 3]);
  });

  it('gives a tie across a page edge one rank from either side', () => {
    const scores = [9, 7, 7, 7, 7, 5];
    const [left] = rankRun(board, cut(scores, 2, 3));
    const [right] = rankRun(board, cut(scores, 3, 4));
    expect([left?.competitionRank, right?.competitionRank]).toEqual([2, 2]);
    expect([left?.tieCount, right?.tieCount]).toEqual([4, 4]);
  });

  it('ranks an empty run as nothing', () => {
    expect(rankRun(board, { start: 7, better: 0, through: 0, flat: [], dense: 1, metadata: [] })).toEqual([]);
  });

  it('agrees with counting for every cut of random boards', () => {
    const boards = fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 30 }).map((all) => all.sort((a, b) => b - a));
    fc.assert(
      fc.property(boards, fc.nat(30), fc.nat(30), (scores, from, size) => {
        const start = Math.min(from, scores.length);
        const ranked = rankRun(board, cut(scores, start, start + size));
        const naive = scores.slice(start, start + size).map((score, i) => ({
          memberId: `m${start + i}`,
          ordered: `m${start + i}`,
          score: String(score),
          index: start + i,
          competitionRank: 1 + scores.filter((other) => other > score).length,
          tieCount: scores.filter((other) => other === score).length,
          denseRank: 1 + new Set(scores.filter((other) => other > score)).size,
          reachedAt: null,
          metadata: i % 2 === 0 ? `{"i":${start + i}}` : null,
        }));
        expect(ranked).toEqual(naive);
      }),
      seeded(2000),
    );
  });
});

describe('ranks as shown', () => {
  it('follow the method of the board', () => {
    const ranks = ranksOf({ index: 4, rank: 3, dense: 2 });
    expect(shownRank({ rankMethod: 'COMPETITION' }, ranks)).toBe(3);
    expect(shownRank({ rankMethod: 'DENSE' }, ranks)).toBe(2);
    expect(shownRank({ rankMethod: 'ORDINAL' }, ranks)).toBe(5);
  });

  it('are never guessed where no index of distinct scores is kept', () => {
    const ranks = ranksOf({ index: 4, rank: 3 });
    expect(ranks.denseRank).toBeNull();
    expect(knownRank({ rankMethod: 'DENSE' }, ranks)).toBeNull();
    // Where there has to be one: what was written before the board ranked so keeps the rank it had.
    expect(shownRank({ rankMethod: 'DENSE' }, ranks)).toBe(3);
    const [first] = rankRun(board, { ...cut([5, 5], 0, 2), dense: null, metadata: [] });
    expect(first).toMatchObject({ competitionRank: 1, denseRank: null, metadata: null });
  });

  it('of a score nobody has are the best that ties could leave it', () => {
    const head = { epoch: 'e', version: 1, entryCount: 9, closed: null, held: true };
    expect(hypotheticalRanks({ head, better: 4, ties: 3, denseRank: 2 })).toEqual({
      index: 4,
      competitionRank: 5,
      denseRank: 2,
    });
  });

  it('as a share of the board are never 0 %', () => {
    expect([topPercent(1, 200), topPercent(200, 200), topPercent(1, 1)]).toEqual([0.5, 100, 100]);
  });
});
