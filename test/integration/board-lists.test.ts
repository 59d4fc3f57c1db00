import { beforeEach, describe, expect, inject, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import type { Api } from '../support/graphql-client.ts';
import { connectRedis } from '../support/redis-client.ts';

/** A database of this file's own: a list of boards shows all there are. */
const database = '?db=8';
const redisUrl = () => `${inject('redisUrl')}${database}`;

beforeEach(async () => {
  await (await connectRedis(redisUrl())).flushdb();
});

interface List {
  totalCount: number;
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  nodes: { key: string }[];
  edges: { cursor: string; node: { key: string } }[];
}

const list =
  'totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { key } edges { cursor node { key } }';
const args = 'first: $first, last: $last, after: $after, before: $before';
const variables = '$first: Int, $last: Int, $after: String, $before: String';

const boardsQuery = `query(${variables}) { leaderboards(${args}) { ${list} } }`;
const periodsQuery = `query($key: String!, $cadence: Cadence, $state: [PeriodState!], ${variables}) {
  leaderboard(key: $key) { periods(cadence: $cadence, state: $state, ${args}) { ${list} } } }`;

type Read = (page: Record<string, unknown>) => Promise<List>;

/** Five boards, in the order of their keys whatever that of their making. */
async function fiveBoards(): Promise<{ api: Api; keys: string[]; read: Read }> {
  const { api } = await startTestApp({ redisUrl: redisUrl() });
  const keys: string[] = [];
  for (let i = 0; i < 5; i += 1) keys.push(await api.createBoard());
  const read: Read = async (page) => (await api.data<{ leaderboards: List }>(boardsQuery, page)).leaderboards;
  return { api, keys: keys.sort(), read };
}

/** A board with six periods: 2023 to 2026, this month of 2026, and the one without an end. */
async function sixPeriods(): Promise<{ api: Api; keys: string[]; key: string; read: Read }> {
  const clock = () => Date.parse('2026-05-15T12:00:00Z');
  const { api } = await startTestApp({ redisUrl: redisUrl() }, { clock });
  const key = await api.createBoard({ cadences: ['ALL_TIME', 'MONTHLY', 'YEARLY'], graceSeconds: 366 * 86_400 });
  await api.data(
    'mutation($key: String!) { updateLeaderboard(input: { key: $key, backfill: true }) { leaderboard { id } } }',
    { key },
  );
  for (const year of [2025, 2023, 2024]) {
    await api.score(key, 'ann', 1, { occurredAt: `${year}-05-15T00:00:00Z` });
  }
  await api.data(
    'mutation($key: String!) { updateLeaderboard(input: { key: $key, backfill: false }) { leaderboard { id } } }',
    { key },
  );
  const read: Read = async (page) =>
    (await api.data<{ leaderboard: { periods: List } }>(periodsQuery, { key, cadence: 'YEARLY', ...page })).leaderboard
      .periods;
  return { api, keys: ['2026', '2025', '2024', '2023'], key, read };
}

describe.each([
  { what: 'leaderboards', make: fiveBoards },
  { what: 'periods', make: sixPeriods },
])('the list of $what', ({ make }) => {
  it('is walked forward and backward alike, by pages of any size', async () => {
    const { keys, read } = await make();
    const whole = await read({ first: 100 });
    expect(whole.nodes.map(({ key }) => key)).toEqual(keys);
    expect(whole.edges.map(({ node }) => node.key)).toEqual(keys);
    expect(whole).toMatchObject({ totalCount: keys.length, pageInfo: { hasNextPage: false, hasPreviousPage: false } });
    for (const size of [1, 2, 3]) {
      const forward: string[] = [];
      for (let after: string | null = null, more = true; more; ) {
        const { nodes, pageInfo, totalCount }: List = await read({ first: size, after });
        expect([pageInfo.hasPreviousPage, totalCount]).toEqual([after !== null, keys.length]);
        forward.push(...nodes.map(({ key }) => key));
        more = pageInfo.hasNextPage;
        after = pageInfo.endCursor;
      }
      const backward: string[] = [];
      for (let before: string | null = null, more = true; more; ) {
        const { nodes, pageInfo }: List = await read({ last: size, before });
        expect(pageInfo.hasNextPage).toBe(before !== null);
        backward.unshift(...nodes.map(({ key }) => key));
        more = pageInfo.hasPreviousPage;
        before = pageInfo.startCursor;
      }
      expect([forward, backward]).toEqual([keys, keys]);
    }
  });

  it('has empty pages that say where they lie', async () => {
    const { read } = await make();
    const none = await read({ first: 0 });
    expect([none.nodes, none.pageInfo]).toEqual([
      [],
      { hasNextPage: true, hasPreviousPage: false, startCursor: null, endCursor: null },
    ]);
    const { pageInfo } = await read({ first: 100 });
    const past = await read({ first: 2, after: pageInfo.endCursor });
    expect([past.nodes, past.pageInfo.hasNextPage, past.pageInfo.hasPreviousPage]).toEqual([[], false, true]);
  });

  it('refuses what no page can be', async () => {
    const { api, read } = await make();
    expect((await read({})).nodes.length).toBeGreaterThan(0);
    const key = (await api.data<{ leaderboards: List }>(boardsQuery)).leaderboards.nodes[0]?.key;
    for (const query of [boardsQuery, periodsQuery]) {
      expect(await api.code(query, { key, first: 1, last: 1 })).toBe('BAD_PAGE');
      expect(await api.code(query, { key, first: -1 })).toBe('BAD_PAGE');
      expect(await api.code(query, { key, first: 101 })).toBe('PAGE_TOO_LARGE');
      expect(await api.code(query, { key, after: 'nonsense' })).toBe('BAD_CURSOR');
    }
  });
});

describe('the periods of a board', () => {
  it('are the latest first, current ones included although nothing was scored in them', async () => {
    const { api, key } = await sixPeriods();
    const { leaderboard } = await api.data<{ leaderboard: { periods: List } }>(periodsQuery, { key, first: 100 });
    expect(leaderboard.periods.nodes.map((period) => period.key)).toEqual([
      'all',
      '2026-05',
      '2026',
      '2025-05',
      '2025',
      '2024-05',
      '2024',
      '2023-05',
      '2023',
    ]);
  });

  it('can be chosen by cadence and state', async () => {
    const { api, key } = await sixPeriods();
    const keysOf = async (filter: Record<string, unknown>) => {
      const { leaderboard } = await api.data<{ leaderboard: { periods: List } }>(periodsQuery, { key, ...filter });
      return leaderboard.periods.nodes.map((period) => period.key);
    };
    expect(await keysOf({ cadence: 'MONTHLY', state: ['OPEN'] })).toEqual(['2026-05']);
    expect(await keysOf({ cadence: 'YEARLY', state: ['GRACE'] })).toEqual(['2025']);
    expect(await keysOf({ state: ['CLOSED'] })).toEqual(['2024-05', '2024', '2023-05', '2023']);
    expect(await keysOf({ cadence: 'DAILY' })).toEqual([]);
  });
});
