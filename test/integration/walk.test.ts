import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { startEngine } from '../support/engine.ts';
import { connectRedis } from '../support/redis-client.ts';

/** As long as the board of all goal scorers, with its long ties: so many members with one goal, so many with two. */
const entryCount = 14_853;
const withOne = 6_899;
const withTwo = 2_803;
const scoreOf = (i: number) => {
  if (i < withOne) return 1;
  return i < withOne + withTwo ? 2 : 3 + (i % 97);
};

interface Edge {
  readonly cursor: string;
  readonly node: {
    readonly memberId: string;
    readonly index: number;
    readonly rank: number;
    readonly tieCount: number;
  };
}

interface Page {
  readonly edges: readonly Edge[];
  readonly pageInfo: {
    readonly startCursor: string;
    readonly endCursor: string;
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
  };
}

const query = `query($key: String!, $first: Int, $after: String, $last: Int, $before: String) {
  leaderboard(key: $key) { current { entries(first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { memberId index rank tieCount } }
    pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } } }`;

describe('P1 P2: walking a board with long ties', () => {
  it('gives the same entries, ranks and cursors forth and back, and every page costs the same', async () => {
    // A Redis of its own: what it counts is this test's alone.
    const engine = await startEngine();
    onTestFinished(() => engine.stop());
    const { api } = await startTestApp({ redisUrl: engine.address });
    const key = await api.createBoard();
    for (let i = 0; i < entryCount; i += 1_000) {
      const scores = Array.from({ length: Math.min(1_000, entryCount - i) }, (_, j) => ({
        memberId: `u:${((i + j) * 7_919) % entryCount}`,
        score: scoreOf(i + j),
      }));
      const send = 'mutation($input: SubmitScoresInput!) { submitScores(input: $input) { duplicate } }';
      await api.data(send, { input: { leaderboard: key, scores } });
    }
    const read = async (variables: Record<string, unknown>) => {
      const { leaderboard } = await api.data<{ leaderboard: { current: { entries: Page } } }>(query, {
        key,
        ...variables,
      });
      return leaderboard.current.entries;
    };

    const forth: Edge[] = [];
    for (let after: string | null = null; ; ) {
      const page = await read({ first: 100, after });
      forth.push(...page.edges);
      after = page.pageInfo.endCursor;
      if (!page.pageInfo.hasNextPage) break;
    }
    const back: Edge[] = [];
    for (let before: string | null = null; ; ) {
      const page = await read({ last: 100, before });
      back.unshift(...page.edges);
      before = page.pageInfo.startCursor;
      if (!page.pageInfo.hasPreviousPage) break;
    }
    expect(back).toEqual(forth);
    expect(forth.map(({ node }) => node.index)).toEqual(Array.from({ length: entryCount }, (_, i) => i));
    expect(new Set(forth.map(({ node }) => node.memberId)).size).toBe(entryCount);
    const ones = forth.slice(-withOne).map(({ node }) => [node.rank, node.tieCount]);
    expect(new Set(ones.map(String))).toEqual(new Set([String([entryCount - withOne + 1, withOne])]));

    // What Redis does for a page, by commands: the same at the top, in the middle and inside the tie.
    const redis = await connectRedis(engine.address);
    const commandsFor = async (edge: Edge | undefined) => {
      await redis.config('RESETSTAT');
      await read({ first: 20, after: edge?.cursor ?? null });
      const stats = await redis.info('commandstats');
      return [...stats.matchAll(/cmdstat_(z\w+):calls=(\d+)/g)].map(([, name, calls]) => `${name} ×${calls}`).sort();
    };
    const middle = await commandsFor(forth[5_000]);
    expect(middle).toContain('zrange ×1');
    for (const place of [100, 9_000, 12_000, entryCount - 30]) expect(await commandsFor(forth[place])).toEqual(middle);
  });
});
