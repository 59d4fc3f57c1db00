import { describe, expect, it } from 'vitest';
import { clockedApp } from '../support/clocked-app.ts';
import { mutate, type Page, readingCode, readPage } from '../support/period-reader.ts';

interface Node {
  readonly memberId: string;
}

const app = clockedApp();

const read = (key: string, page: Record<string, unknown>) => readPage<Node>(app.api, key, page, 'memberId');

const ids = ({ edges }: Page<Node>) => edges.map(({ node }) => node.memberId).join(' ');
const remove = (leaderboard: string, memberId: string) =>
  mutate(app.api, 'removeEntry', { leaderboard, memberId }, 'removed { version }');

const combinations = ['HIGH_TO_LOW', 'LOW_TO_HIGH'].flatMap((sortOrder) =>
  ['MEMBER_ID', 'EARLIEST', 'SORT_KEY'].map((tieBreak) => ({ sortOrder, tieBreak })),
);

describe.each(combinations)('rule P1: cursors at the ends, $sortOrder, $tieBreak', ({ sortOrder, tieBreak }) => {
  const worth = (points: number) => (sortOrder === 'HIGH_TO_LOW' ? points : -points);

  async function boardOf(points: Record<string, number>): Promise<{ key: string; first: string; last: string }> {
    const key = await app.api.createBoard({ sortOrder, tieBreak, scorePolicy: 'LATEST' });
    for (const [memberId, one] of Object.entries(points)) await app.api.score(key, memberId, worth(one));
    const { startCursor, endCursor } = (await read(key, { first: 100 })).pageInfo;
    return { key, first: startCursor ?? '', last: endCursor ?? '' };
  }

  it('nothing is before the first or after the last, until something comes there', async () => {
    const { key, first, last } = await boardOf({ a: 9, b: 5, c: 1 });
    const empty = { edges: [], totalCount: 3, pageInfo: { startCursor: null, endCursor: null } };
    expect(await read(key, { last: 9, before: first })).toMatchObject(empty);
    expect(await read(key, { first: 9, before: first })).toMatchObject(empty);
    expect((await read(key, { last: 9, before: first })).pageInfo).toMatchObject({
      hasPreviousPage: false,
      hasNextPage: true,
    });
    expect((await read(key, { first: 9, after: last })).pageInfo).toMatchObject({
      hasPreviousPage: true,
      hasNextPage: false,
    });
    await app.api.score(key, 'top', worth(99));
    await app.api.score(key, 'end', worth(-99));
    expect(await read(key, { first: 9, after: last })).toMatchObject({
      edges: [{ node: { memberId: 'end' } }],
      changed: true,
      drift: 1,
    });
    expect(await read(key, { last: 9, before: first })).toMatchObject({
      edges: [{ node: { memberId: 'top' } }],
      changed: true,
      drift: -1,
    });
  });

  it('go on from who is gone, at either end and in the middle', async () => {
    const { key, first, last } = await boardOf({ a: 9, b: 7, c: 5, d: 3, e: 1 });
    for (const memberId of ['a', 'e']) await remove(key, memberId);
    expect(ids(await read(key, { first: 9, after: first }))).toBe('b c d');
    expect(await read(key, { last: 9, before: first })).toMatchObject({
      edges: [],
      pageInfo: { hasPreviousPage: false, hasNextPage: true },
    });
    expect(ids(await read(key, { last: 2, before: last }))).toBe('c d');
    expect(await read(key, { first: 9, after: last })).toMatchObject({
      edges: [],
      pageInfo: { hasPreviousPage: true, hasNextPage: false },
    });
  });

  it('of a board that was emptied find nothing, and what comes again', async () => {
    const { key, first, last } = await boardOf({ a: 9, b: 5 });
    for (const memberId of ['a', 'b']) await remove(key, memberId);
    for (const page of [
      { first: 9, after: first },
      { last: 9, before: last },
      { first: 9, after: first, before: last },
    ]) {
      expect(await read(key, page)).toMatchObject({
        edges: [],
        totalCount: 0,
        changed: true,
        pageInfo: { hasNextPage: false, hasPreviousPage: false },
      });
    }
    await app.api.score(key, 'c', worth(7));
    expect(ids(await read(key, { first: 9, after: first, before: last }))).toBe('c');
  });

  it('mean the place, not the member: who moved across it is on the other side', async () => {
    const { key } = await boardOf({ a: 9, b: 7, c: 5, d: 3 });
    const { endCursor } = (await read(key, { first: 2 })).pageInfo;
    // The cursor's own member goes to the end, then the one after it to the top.
    await app.api.score(key, 'b', worth(1));
    expect(await read(key, { first: 9, after: endCursor })).toMatchObject({ changed: true, drift: -1 });
    expect(ids(await read(key, { first: 9, after: endCursor }))).toBe('c d b');
    await app.api.score(key, 'c', worth(99));
    expect(ids(await read(key, { first: 9, after: endCursor }))).toBe('d b');
    expect(ids(await read(key, { last: 9, before: endCursor }))).toBe('c a');
    expect((await read(key, { first: 9, after: endCursor })).drift).toBe(0);
  });

  it('inside a tie group go on from a member who is gone', async () => {
    const { key } = await boardOf(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`m${i}`, 5])));
    const whole = (await read(key, { first: 9 })).edges;
    const [before, gone, after] = [whole.slice(0, 4), whole[4], whole.slice(5)];
    await remove(key, gone?.node.memberId ?? '');
    const names = (edges: typeof whole) => edges.map(({ node }) => node.memberId).join(' ');
    expect(ids(await read(key, { first: 9, after: gone?.cursor }))).toBe(names(after));
    expect(ids(await read(key, { last: 9, before: gone?.cursor }))).toBe(names(before));
  });
});

describe('rule P4: cursors of something else', () => {
  it('are refused alone: what else the query asks is answered', async () => {
    const [one, other] = [await app.api.createBoard(), await app.api.createBoard()];
    await app.api.scores(one, { a: 2, b: 1 });
    await app.api.scores(other, { a: 2, b: 1 });
    const { endCursor } = (await read(other, { first: 1 })).pageInfo;
    const { data, code } = await app.api.send(
      `query($key: String!, $after: String) { leaderboard(key: $key) {
        good: title bad: period(key: "all") { key entries(after: $after) { totalCount } } } }`,
      { key: one, after: endCursor },
    );
    expect([data, code]).toEqual([{ leaderboard: { good: one, bad: null } }, 'CURSOR_OF_OTHER_LEADERBOARD']);
  });

  it.each([
    ['cut short', (cursor: string) => cursor.slice(0, -4)],
    ['with more', (cursor: string) => `${cursor}AAAA`],
    ['of another alphabet', (cursor: string) => `${cursor}=`],
    ['of nothing', () => 'W10'],
    ['of a huge length', () => 'A'.repeat(5_000)],
    ['of a list of boards', () => Buffer.from('b:goals').toString('base64url')],
  ])('%s are BAD_CURSOR', async (_, spoil) => {
    const key = await app.api.createBoard();
    await app.api.scores(key, { a: 2, b: 1 });
    const { endCursor } = (await read(key, { first: 1 })).pageInfo;
    const after = spoil(endCursor ?? '');
    expect(await readingCode(app.api, key, `entries(after: ${JSON.stringify(after)}) { totalCount }`)).toBe(
      'BAD_CURSOR',
    );
  });
});
