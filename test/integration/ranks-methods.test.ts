import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { clockedApp } from '../support/clocked-app.ts';
import { globalId } from '../support/graphql-client.ts';
import { type NaiveEntry, naiveRanks, rankBy } from '../support/naive-ranks.ts';
import { args, type Page, pageOf, readPeriod, walkPages } from '../support/period-reader.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';

type Entry = NaiveEntry & { readonly rank: number };

const fields = 'memberId score rank competitionRank denseRank index tieCount topPercent';
const methods = ['COMPETITION', 'DENSE', 'ORDINAL'] as const;
const orders = ['HIGH_TO_LOW', 'LOW_TO_HIGH'] as const;
const combinations = methods.flatMap((method) => orders.map((order) => [method, order] as const));

/** Tie groups of 1 to 6, negative scores and 0 among them. */
const scores = Object.fromEntries(
  [5, 5, 5, 3, 3, 3, 3, 3, 3, 0, -2, -2, 8, 8, 7, -9, 3.5, 5].map((score, i) => [`m${(i * 7) % 18}`, score]),
);

const app = clockedApp();

const reader = (key: string) => async (page: Record<string, unknown>) => {
  const { entries } = await readPeriod<{ entries: Page<Entry> }>(
    app.api,
    key,
    `entries${args(page)} ${pageOf(fields)}`,
  );
  return entries;
};

async function rankedBoard(rankMethod: string, sortOrder: string, denseRanks = true): Promise<string> {
  const key = await app.api.createBoard({ rankMethod, sortOrder, denseRanks, scoreScale: 1 });
  await app.api.scores(key, scores);
  return key;
}

describe('rule R4: every way to rank, in one query', () => {
  it.each(combinations)('%s, %s', async (method, order) => {
    const key = await rankedBoard(method, order);
    const expected = naiveRanks(scores, order === 'HIGH_TO_LOW').map((entry) => ({
      ...entry,
      rank: rankBy(method, entry),
    }));
    const { edges, totalCount } = await reader(key)({ first: 100 });
    expect(edges.map(({ node }) => node)).toEqual(expected);
    expect([totalCount, edges.map(({ place }) => place)]).toEqual([18, expected.map((_, i) => i + 1)]);
  });

  it('denseRank is null on a board that keeps no index of distinct scores, and the others are not', async () => {
    for (const method of ['COMPETITION', 'ORDINAL'] as const) {
      const { edges } = await reader(await rankedBoard(method, 'HIGH_TO_LOW', false))({ first: 100 });
      expect(edges.map(({ node }) => node)).toEqual(
        naiveRanks(scores).map((entry) => ({ ...entry, rank: rankBy(method, entry), denseRank: null })),
      );
    }
  });

  it('an answer to a score shows them as that write left them', async () => {
    const key = await app.api.createBoard({ rankMethod: 'DENSE' });
    await app.api.scores(key, { a: 9, b: 9, c: 5 });
    const { submitScore } = await app.api.data<{ submitScore: { changes: object[] } }>(
      `mutation($input: SubmitScoreInput!) { submitScore(input: $input) { changes {
        previousRank previousIndex previousScore entry { ${fields} } } } }`,
      { input: { leaderboard: key, memberId: 'c', score: 7 } },
    );
    const entry = { memberId: 'c', score: 7, competitionRank: 3, index: 2, tieCount: 1, topPercent: 100 };
    expect(submitScore.changes).toEqual([
      { previousRank: 2, previousIndex: 2, previousScore: 5, entry: { ...entry, rank: 2, denseRank: 2 } },
    ]);
  });
});

describe('rules P2 and R4: a tie across the edge of a page', () => {
  it.each(combinations)('has one rank on both sides, paging either way: %s, %s', async (method, order) => {
    const key = await rankedBoard(method, order);
    const read = reader(key);
    const whole = (await read({ first: 100 })).edges;
    for (const size of [1, 2, 5, 17]) {
      expect(await walkPages(read, size), `forward by ${size}`).toEqual(whole);
      expect(await walkPages(read, size, true), `backward by ${size}`).toEqual(whole);
    }
  });

  it('keeps its tie count and ranks from the middle of a group, whichever way', async () => {
    const key = await rankedBoard('COMPETITION', 'HIGH_TO_LOW');
    const { edges } = await reader(key)({ first: 100 });
    const tied = edges.filter(({ node }) => node.score === 3);
    expect(tied).toHaveLength(6);
    const [, second, third, , fifth] = tied;
    const forward = await reader(key)({ first: 2, after: second?.cursor });
    const backward = await reader(key)({ last: 2, before: fifth?.cursor });
    for (const page of [forward, backward]) {
      expect(page.edges).toEqual(tied.slice(2, 4));
      expect(page.edges.map(({ node }) => [node.rank, node.tieCount])).toEqual([
        [third?.node.rank, 6],
        [third?.node.rank, 6],
      ]);
    }
  });
});

const page = `entries(first: 4) { version nodes { ...Ranked } }`;
const everything = `query($key: String!, $period: ID!, $entry: ID!, $board: ID!) {
  leaderboard(key: $key) {
    current { version entryCount ...Top entriesRanked(rank: 4) { version nodes { ...Ranked } }
      one: entryAt(index: 3) { ...Ranked } two: entryAt(index: 4) { ...Ranked }
      entriesOf(memberIds: ["m0", "m7", "nobody"]) { place entry { ...Ranked } }
      rankOf(score: 3) { rank competitionRank denseRank index tieCount topPercent }
      scoreFor(rank: 4) scoreHistogram(buckets: 3) { minScore maxScore count } } }
  again: leaderboard(key: $key) { period(key: "all") { ...Around entries(offset: 4, first: 4) { version nodes { ...Ranked } }
      better: entries(minScore: 3, first: 100) { version totalCount nodes { ...Ranked } } } }
  node(id: $period) { ... on Period { version back: entries(last: 3) { version nodes { ...Ranked } } } }
  nodes(ids: [$entry, $board]) { ... on Entry { ...Ranked } ... on Leaderboard { current { ...Top } } }
}
fragment Top on Period { ${page} }
fragment Around on Period { entriesAround(memberId: "m0", above: 2, below: 2) { version nodes { ...Ranked } } }
fragment Ranked on Entry { version ${fields} }`;

/** Every object that has a member id, wherever it is. */
function entriesIn(data: unknown): (Entry & { version: number })[] {
  if (typeof data !== 'object' || data === null) return [];
  if ('memberId' in data) return [data as Entry & { version: number }];
  return Object.values(data).flatMap(entriesIn);
}

describe('rule P5: all that one query asks of a period', () => {
  it('is one round trip and one version, by aliases, fragments and nodes, and agrees', async () => {
    const proxy = await startRedisProxy();
    const { api } = await startTestApp({ redisUrl: proxy.path });
    const key = await api.createBoard({ rankMethod: 'DENSE', scoreScale: 1 });
    await api.scores(key, scores);
    const variables = {
      key,
      period: globalId('Period', `${key}/all`),
      entry: globalId('Entry', `${key}/all/m7`),
      board: globalId('Leaderboard', key),
    };
    await api.data(everything, variables);
    proxy.reset();
    const data = await api.data(everything, variables);
    expect(proxy.trips.map((names) => names.length)).toEqual([1]);
    const entries = entriesIn(data);
    expect(entries.length).toBeGreaterThan(30);
    const expected = new Map(naiveRanks(scores).map((entry) => [entry.memberId, entry]));
    for (const { version, rank, ...entry } of entries) {
      expect(entry).toEqual(expected.get(entry.memberId));
      expect([version, rank]).toEqual([18, entry.denseRank]);
    }
    expect(data).toMatchObject({
      leaderboard: {
        current: {
          version: 18,
          entryCount: 18,
          entriesRanked: { version: 18 },
          entriesOf: [{ place: 1 }, { place: 2 }],
          scoreFor: 5,
        },
      },
      again: { period: { entriesAround: { version: 18 }, better: { version: 18, totalCount: 14 } } },
      node: { version: 18, back: { version: 18 } },
    });
  });

  it('an explanation of an entry that was read costs one more, whatever it asks', async () => {
    const proxy = await startRedisProxy();
    const { api } = await startTestApp({ redisUrl: proxy.path });
    const key = await api.createBoard({ scoreScale: 1 });
    await api.scores(key, scores);
    const selection = `entries(first: 5) { nodes { explain(rank: 1) { version scoreToPass scoreForRank
      above { decidedBy entry { rank } } below { decidedBy } } } }`;
    await readPeriod(api, key, selection);
    proxy.reset();
    await readPeriod(api, key, selection);
    expect(proxy.trips.map((names) => names.length)).toEqual([1, 1]);
  });
});
