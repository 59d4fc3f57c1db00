import { describe, expect, it } from 'vitest';
import { deciding, scoreToPass } from '../../src/core/explain.ts';
import type { LeaderboardInput } from '../../src/core/leaderboard.ts';
import { sortPrefix, timePrefix } from '../../src/core/order.ts';
import { highestStored } from '../../src/core/score.ts';
import type { Standing } from '../../src/core/standing.ts';
import { newBoard, standingsOf } from '../support/archived.ts';

const orders = ['HIGH_TO_LOW', 'LOW_TO_HIGH'] as const;

/** A board with these entries in its order, by member. */
function ranked(
  input: LeaderboardInput,
  entries: Record<string, { score: number | string; key?: string; time?: number }>,
) {
  const board = newBoard(input);
  const prefix = ({ key, time = 0 }: { key?: string; time?: number }) => {
    if (board.tieBreak === 'MEMBER_ID') return '';
    if (board.tieBreak === 'SORT_KEY') return sortPrefix(board, { sortKey: key ?? '' }) ?? '';
    return timePrefix(board, time, time);
  };
  const all = standingsOf(
    board,
    Object.entries(entries).map(([id, entry]) => ({ ordered: `${prefix(entry)}${id}`, score: entry.score })),
  );
  const of = (memberId: string): Standing => {
    const found = all.find((standing) => standing.memberId === memberId);
    if (!found) throw new Error(`no ${memberId}`);
    return found;
  };
  return {
    order: all.map(({ memberId }) => memberId).join(' '),
    rule: (a: string, b: string) => deciding(board, of(a), of(b)),
    pass: (a: string, b: string) => scoreToPass(board, of(a), of(b)),
  };
}

describe.each(orders)('explain, %s', (sortOrder) => {
  const down = sortOrder === 'HIGH_TO_LOW';
  /** Stored scores of which a higher number is better on either board. */
  const worth = (points: number) => (down ? points : -points);
  const text = (points: number) => String(worth(points));

  it('by member id: a tie is enough for who would stand first among equals', () => {
    const board = ranked({ sortOrder }, { a: { score: worth(5) }, b: { score: worth(5) }, c: { score: worth(4) } });
    const [first, second] = down ? ['b', 'a'] : ['a', 'b'];
    expect(board.order).toBe(`${first} ${second} c`);
    expect([board.rule('a', 'b'), board.rule('b', 'c')]).toEqual(['MEMBER_ID', 'SCORE']);
    expect(board.pass(second, first)).toBe(text(6));
    expect(board.pass('c', second)).toBe(down ? text(5) : text(6));
  });

  it('by earliest: a tie is never enough, but for who leads it', () => {
    const board = ranked(
      { sortOrder, tieBreak: 'EARLIEST' },
      { a: { score: worth(5), time: 2 }, b: { score: worth(5), time: 1 }, c: { score: worth(4), time: 0 } },
    );
    expect(board.order).toBe('b a c');
    expect([board.rule('a', 'b'), board.rule('a', 'c')]).toEqual(['EARLIEST', 'SCORE']);
    expect([board.pass('a', 'b'), board.pass('c', 'a'), board.pass('b', 'a')]).toEqual([text(6), text(6), text(5)]);
  });

  it('by latest: a tie is enough for who reaches it now, not for who is in it', () => {
    const board = ranked(
      { sortOrder, tieBreak: 'LATEST' },
      { a: { score: worth(5), time: 1 }, b: { score: worth(5), time: 2 }, c: { score: worth(4), time: 3 } },
    );
    expect(board.order).toBe('b a c');
    expect(board.rule('a', 'b')).toBe('LATEST');
    expect([board.pass('a', 'b'), board.pass('c', 'a'), board.pass('c', 'b')]).toEqual([text(6), text(5), text(5)]);
  });

  it.each(['ASCENDING', 'DESCENDING'] as const)('by sort key, %s: the key, then the id', (sortKeyOrder) => {
    const entries = { a: 'k', b: 'k', c: 'l', d: undefined, e: undefined };
    const board = ranked(
      { sortOrder, tieBreak: 'SORT_KEY', sortKeyOrder },
      {
        ...Object.fromEntries(
          Object.entries(entries).map(([id, key]) => [id, { score: worth(5), ...(key && { key }) }]),
        ),
        f: { score: worth(4), key: 'kk' },
      },
    );
    expect([board.rule('a', 'b'), board.rule('d', 'e')]).toEqual(['MEMBER_ID', 'MEMBER_ID']);
    expect([board.rule('b', 'c'), board.rule('d', 'a'), board.rule('f', 'a')]).toEqual([
      'SORT_KEY',
      'SORT_KEY',
      'SCORE',
    ]);
    // f's key lies between k and l.
    const ahead = sortKeyOrder === 'ASCENDING' ? 'c' : 'a';
    const behind = sortKeyOrder === 'ASCENDING' ? 'a' : 'c';
    expect([board.pass('f', ahead), board.pass('f', behind)]).toEqual([text(5), text(6)]);
  });

  it('never names a score that the board would refuse', () => {
    const bound = down ? { maxScore: 5 } : { minScore: -5 };
    const entries = {
      a: { score: worth(5), time: 1 },
      b: { score: worth(4), time: 2 },
      c: { score: worth(3), time: 3 },
    };
    const board = ranked({ sortOrder, tieBreak: 'EARLIEST', ...bound }, entries);
    expect([board.pass('b', 'a'), board.pass('c', 'b')]).toEqual([null, text(5)]);
  });

  it.each([0, 9])('at the end of what scale %d can hold there is none; before it every one is exact', (scoreScale) => {
    const highest = BigInt(highestStored(scoreScale)) * (down ? 1n : -1n);
    const step = down ? 1n : -1n;
    const entries = {
      a: { score: String(highest), time: 1 },
      b: { score: String(highest - step), time: 2 },
      c: { score: String(highest - 2n * step), time: 3 },
    };
    const board = ranked({ sortOrder, tieBreak: 'EARLIEST', scoreScale }, entries);
    expect([board.pass('b', 'a'), board.pass('c', 'b')]).toEqual([null, String(highest)]);
  });
});
