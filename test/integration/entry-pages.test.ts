import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { type Api, descending } from '../support/graphql-client.ts';

interface Page {
  totalCount: number;
  version: number;
  changed: boolean;
  drift: number | null;
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  edges: { cursor: string; node: { memberId: string; rank: number; index: number } }[];
  nodes: { memberId: string }[];
}

const query = `query($key: String!, $first: Int, $last: Int, $after: String, $before: String, $offset: Int) {
  leaderboard(key: $key) { current {
    entries(first: $first, last: $last, after: $after, before: $before, offset: $offset) {
      totalCount version changed drift pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { cursor node { memberId rank index } } nodes { memberId } } } } }`;

async function read(api: Api, key: string, args: Record<string, unknown>): Promise<Page> {
  const data = await api.data<{ leaderboard: { current: { entries: Page } } }>(query, { key, ...args });
  return data.leaderboard.current.entries;
}

const ids = ({ edges }: Page) => edges.map(({ node }) => node.memberId);

async function boardOf(count: number): Promise<{ api: Api; key: string }> {
  const { api } = await startTestApp();
  const key = await api.createBoard();
  if (count > 0) await api.scores(key, descending(count));
  return { api, key };
}

/** All pages in one direction. */
async function walk(api: Api, key: string, size: number, back = false): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: Page = await read(api, key, back ? { last: size, before: cursor } : { first: size, after: cursor });
    pages.push(page);
    cursor = back ? page.pageInfo.startCursor : page.pageInfo.endCursor;
    if (!(back ? page.pageInfo.hasPreviousPage : page.pageInfo.hasNextPage)) return pages;
  }
}

describe('pages of entries', () => {
  it('rule P2: forward and backward give the same entries, ranks and cursors, through ties', async () => {
    const { api, key } = await boardOf(0);
    await api.scores(key, Object.fromEntries(Array.from({ length: 47 }, (_, i) => [`m${i}`, Math.floor(i / 6)])));
    const whole = await read(api, key, { first: 100 });
    expect(whole.edges).toHaveLength(47);
    const forward = await walk(api, key, 5);
    const backward = (await walk(api, key, 7, true)).reverse();
    expect(forward.flatMap(({ edges }) => edges)).toEqual(whole.edges);
    expect(backward.flatMap(({ edges }) => edges)).toEqual(whole.edges);
    expect(whole.edges.map(({ node }) => node.rank).slice(0, 12)).toEqual([1, 1, 1, 1, 1, 6, 6, 6, 6, 6, 6, 12]);
  });

  it('say where they lie', async () => {
    const { api, key } = await boardOf(10);
    const start = await read(api, key, { first: 4 });
    expect(start.pageInfo).toMatchObject({ hasPreviousPage: false, hasNextPage: true });
    const { edges, pageInfo, nodes } = await read(api, key, { first: 4, after: start.pageInfo.endCursor });
    expect(pageInfo).toEqual({
      hasPreviousPage: true,
      hasNextPage: true,
      startCursor: edges[0]?.cursor,
      endCursor: edges[3]?.cursor,
    });
    expect(nodes.map(({ memberId }) => memberId)).toEqual(['m4', 'm5', 'm6', 'm7']);
    const end = await read(api, key, { first: 4, after: pageInfo.endCursor });
    expect(end.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: false });
    expect(ids(end)).toEqual(['m8', 'm9']);
    const before = await read(api, key, { last: 3, before: pageInfo.startCursor });
    expect([ids(before), before.pageInfo.hasPreviousPage, before.pageInfo.hasNextPage]).toEqual([
      ['m1', 'm2', 'm3'],
      true,
      true,
    ]);
    for (const page of [start, end, before]) expect(page.totalCount).toBe(10);
  });

  it('between two cursors hold what lies between', async () => {
    const { api, key } = await boardOf(10);
    const { edges } = await read(api, key, { first: 10 });
    const [after, before] = [edges[2]?.cursor, edges[7]?.cursor];
    expect(ids(await read(api, key, { first: 100, after, before }))).toEqual(['m3', 'm4', 'm5', 'm6']);
    expect(ids(await read(api, key, { last: 2, after, before }))).toEqual(['m5', 'm6']);
    expect(ids(await read(api, key, { first: 100, after: before, before: after }))).toEqual([]);
  });

  it('rule P6: first 0 and past the end are empty pages that say where they lie', async () => {
    const { api, key } = await boardOf(3);
    const empty = { startCursor: null, endCursor: null };
    const none = await read(api, key, { first: 0 });
    expect([none.edges, none.totalCount]).toEqual([[], 3]);
    expect(none.pageInfo).toEqual({ ...empty, hasPreviousPage: false, hasNextPage: true });
    expect((await read(api, key, { last: 0 })).pageInfo).toEqual({
      ...empty,
      hasPreviousPage: true,
      hasNextPage: false,
    });
    const { pageInfo } = await read(api, key, { first: 3 });
    const past = await read(api, key, { first: 3, after: pageInfo.endCursor });
    expect([past.edges, past.totalCount]).toEqual([[], 3]);
    expect(past.pageInfo).toEqual({ ...empty, hasPreviousPage: true, hasNextPage: false });
    const far = await read(api, key, { first: 3, offset: 1_000 });
    expect([far.edges, far.pageInfo]).toEqual([[], { ...empty, hasPreviousPage: true, hasNextPage: false }]);
    const { key: nobody } = await boardOf(0);
    expect((await read(api, nobody, {})).pageInfo).toEqual({ ...empty, hasPreviousPage: false, hasNextPage: false });
  });

  it('rule P6: have 20 entries unless told otherwise, and 100 at the most: more is an error, not a cut', async () => {
    const { api, key } = await boardOf(101);
    expect(ids(await read(api, key, {}))).toHaveLength(20);
    expect(ids(await read(api, key, { first: 100 }))).toHaveLength(100);
    for (const args of [{ first: 101 }, { last: 101 }]) {
      expect(await api.code(query, { key, ...args })).toBe('PAGE_TOO_LARGE');
    }
  });

  it('by number exist beside cursors, and exclude them', async () => {
    const { api, key } = await boardOf(10);
    const page = await read(api, key, { first: 3, offset: 6 });
    expect(ids(page)).toEqual(['m6', 'm7', 'm8']);
    expect(page.edges.map(({ node }) => node.rank)).toEqual([7, 8, 9]);
    expect(page.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: true });
    const cursor = page.pageInfo.endCursor;
    for (const more of [{ after: cursor }, { before: cursor }, { last: 3 }]) {
      expect(await api.code(query, { key, offset: 1, ...more })).toBe('BAD_PAGE');
    }
  });

  it.each([{ first: 1, last: 1 }, { first: -1 }, { last: -1 }, { offset: -1 }])('%j is refused', async (args) => {
    const { api, key } = await boardOf(3);
    expect(await api.code(query, { key, ...args })).toBe('BAD_PAGE');
  });

  it('rule P3: say their version, whether the board changed since their cursor, and the drift', async () => {
    const { api, key } = await boardOf(6);
    const { pageInfo, ...start } = await read(api, key, { first: 3 });
    expect(start).toMatchObject({ version: 6, changed: false, drift: 0 });
    const after = pageInfo.endCursor;
    expect(await read(api, key, { first: 3, after })).toMatchObject({ version: 6, changed: false, drift: 0 });
    await api.scores(key, { x: 1_000, y: 1_001 });
    const page = await read(api, key, { first: 3, after });
    expect(page).toMatchObject({ version: 8, changed: true, drift: 2 });
    expect(ids(page)).toEqual(['m3', 'm4', 'm5']);
  });

  it('rule P1: go on from a member who is gone', async () => {
    const { api, key } = await boardOf(6);
    const { pageInfo } = await read(api, key, { first: 3 });
    await api.data(
      'mutation($key: String!) { removeEntry(input: { leaderboard: $key, memberId: "m2" }) { removed { version } } }',
      { key },
    );
    expect(ids(await read(api, key, { first: 2, after: pageInfo.endCursor }))).toEqual(['m3', 'm4']);
    expect(ids(await read(api, key, { last: 2, before: pageInfo.endCursor }))).toEqual(['m0', 'm1']);
  });
});
