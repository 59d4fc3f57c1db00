import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorMeanings } from '../../src/core/errors.ts';
import { limits } from '../../src/core/limits.ts';
import { fenceOf, readFence } from '../../src/redis/fence.ts';
import { keys } from '../../src/redis/keys.ts';
import { startTestApp } from '../support/app.ts';
import { type Api, newBoardKey } from '../support/graphql-client.ts';
import { connectRedis } from '../support/redis-client.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { SocketClient } from '../support/websocket-client.ts';

const submit = 'mutation($input: SubmitScoreInput!) { submitScore(input: $input) { applied skipped { code } } }';
const entries = `query($key: String!, $period: String = "all", $first: Int, $last: Int, $after: String) {
  leaderboard(key: $key) { period(key: $period) { entries(first: $first, last: $last, after: $after) {
    pageInfo { endCursor } } } } }`;

const createSeason = 'mutation($input: CreateSeasonInput!) { createSeason(input: $input) { leaderboard { key } } }';
const season = { key: 'spring', startsAt: '2020-01-01T00:00:00Z', endsAt: '2020-02-01T00:00:00Z' };
const closePeriod = `mutation($leaderboard: String!, $period: String!) {
  closePeriod(input: { leaderboard: $leaderboard, period: $period }) { period { key } } }`;
const thisYear = String(new Date().getUTCFullYear());

/** A cursor into a board of two scores. */
async function cursorOf(api: Api, key: string, period = 'all'): Promise<string> {
  await api.scores(key, { ann: 2, bob: 1 });
  const { leaderboard } = await api.data<{
    leaderboard: { period: { entries: { pageInfo: { endCursor: string } } } };
  }>(entries, { key, period, first: 1 });
  return leaderboard.period.entries.pageInfo.endCursor;
}

const score = (api: Api, leaderboard: string, more: Record<string, unknown> = {}) =>
  api.code(submit, { input: { leaderboard, memberId: 'ann', score: 1, ...more } });

const block = (from: string, to: string) => `mutation($key: String!) { submitScores(input: { leaderboard: $key,
  scores: [{ memberId: "a", score: 1 }], block: { from: "${from}", to: "${to}" } }) { duplicate } }`;

/** How to meet each error through the API. */
const ways: Record<ErrorCode, (api: Api, url: string) => Promise<unknown>> = {
  BAD_INPUT: (api) =>
    api.code('mutation($input: CreateLeaderboardInput!) { createLeaderboard(input: $input) { leaderboard { id } } }', {
      input: { key: newBoardKey(), scoreScale: 10 },
    }),
  BAD_KEY: (api) => api.code('mutation { createLeaderboard(input: { key: "No Key" }) { leaderboard { id } } }'),
  BAD_MEMBER_ID: async (api) => score(api, await api.createBoard(), { memberId: 'a\u0007b' }),
  BAD_PAGE: async (api) => api.code(entries, { key: await api.createBoard(), first: 1, last: 1 }),
  PAGE_TOO_LARGE: async (api) => api.code(entries, { key: await api.createBoard(), first: 101 }),
  BAD_CURSOR: async (api) => api.code(entries, { key: await api.createBoard(), after: 'nonsense' }),
  BAD_SEASON: async (api) => api.code(createSeason, { input: { ...season, leaderboard: await api.createBoard() } }),
  NO_SEASON: async (api) => {
    const leaderboard = await api.createBoard({ cadences: ['ALL_TIME', 'SEASON'] });
    const result = await api.data<{ submitScore: { skipped: { code: string }[] } }>(
      'mutation($input: SubmitScoreInput!) { submitScore(input: $input) { skipped { code } } }',
      { input: { leaderboard, memberId: 'ann', score: 1 } },
    );
    return result.submitScore.skipped[0]?.code;
  },
  PERIOD_NOT_ENDED: async (api) =>
    api.code(closePeriod, { leaderboard: await api.createBoard({ cadences: ['YEARLY'] }), period: thisYear }),
  BACKFILL_HELD: async (api) => {
    const leaderboard = await api.createBoard({ cadences: ['YEARLY'] });
    await api.data(
      'mutation($k: String!) { updateLeaderboard(input: { key: $k, backfill: true }) { leaderboard { id } } }',
      {
        k: leaderboard,
      },
    );
    await score(api, leaderboard, { occurredAt: '2020-05-05T00:00:00Z' });
    return api.code(closePeriod, { leaderboard, period: '2020' });
  },
  PERIOD_EXPIRED: async (api) => api.code(entries, { key: await api.createBoard(), period: 'all@123', first: 1 }),
  PERIOD_TOO_LARGE: async (api) => {
    const leaderboard = await api.createBoard();
    await score(api, leaderboard);
    const redis = await connectRedis();
    const batch = 10_000;
    for (let i = 0; i < limits.snapshotEntries; i += batch) {
      const members = Array.from({ length: batch }, (_, j) => [i + j, `m${i + j}`]).flat();
      await redis.zadd(keys.ranking(leaderboard, 'all'), ...members);
    }
    return api.code(
      'mutation($k: String!) { createSnapshot(input: { leaderboard: $k, period: "all" }) { period { key } } }',
      { k: leaderboard },
    );
  },
  CURSOR_OF_OTHER_LEADERBOARD: async (api) =>
    api.code(entries, { key: await api.createBoard(), after: await cursorOf(api, await api.createBoard()) }),
  CURSOR_OF_OTHER_PERIOD: async (api) => {
    const key = await api.createBoard({ cadences: ['ALL_TIME', 'YEARLY'] });
    return api.code(entries, { key, period: '2020', after: await cursorOf(api, key) });
  },
  CURSOR_OF_OTHER_INCARNATION: async (api) => {
    const key = await api.createBoard();
    const after = await cursorOf(api, key);
    await api.deleteBoard(key);
    await api.data('mutation($key: String!) { createLeaderboard(input: { key: $key }) { leaderboard { id } } }', {
      key,
    });
    return api.code(entries, { key, after });
  },
  LEADERBOARD_NOT_FOUND: (api) => score(api, newBoardKey()),
  LEADERBOARD_EXISTS: async (api) =>
    api.code('mutation($key: String!) { createLeaderboard(input: { key: $key }) { leaderboard { id } } }', {
      key: await api.createBoard(),
    }),
  LEADERBOARD_CHANGED: async (api) => changing(api, await api.createBoard()),
  PERIOD_NOT_FOUND: async (api) =>
    api.code(
      'mutation($key: String!) { removeEntry(input: { leaderboard: $key, memberId: "a", period: "2020" }) { removed { version } } }',
      { key: await api.createBoard() },
    ),
  PERIOD_CLOSED: async (api) => {
    const key = await api.createBoard({ cadences: ['YEARLY'] });
    return api.code(
      'mutation($key: String!) { removeEntry(input: { leaderboard: $key, memberId: "a", period: "2020" }) { removed { version } } }',
      { key },
    );
  },
  NOT_RANKED: async (api) => {
    const key = await api.createBoard({ tieBreak: 'SORT_KEY' });
    const { setSortKey } = await api.data<{ setSortKey: { skipped: { code: string }[] } }>(
      `mutation($key: String!) {
        setSortKey(input: { leaderboard: $key, memberId: "a", sortKey: "b" }) { skipped { code } } }`,
      { key },
    );
    return setSortKey.skipped[0]?.code;
  },
  BAD_SORT_KEY: async (api) => score(api, await api.createBoard({ tieBreak: 'SORT_KEY' }), { sortKey: 'x'.repeat(65) }),
  OCCURRED_IN_FUTURE: async (api) => score(api, await api.createBoard(), { occurredAt: '2999-01-01T00:00:00Z' }),
  SCORE_TOO_PRECISE: async (api) => score(api, await api.createBoard(), { score: 0.5 }),
  SCORE_OUT_OF_RANGE: async (api) => score(api, await api.createBoard({ maxScore: 10 }), { score: 11 }),
  IDEMPOTENCY_CONFLICT: async (api) => {
    const key = await api.createBoard();
    await score(api, key, { idempotencyKey: 'once' });
    return score(api, key, { idempotencyKey: 'once', score: 2 });
  },
  BLOCK_CONFLICT: async (api) => {
    const key = await api.createBoard();
    await api.data(block('a', 'b'), { key });
    return api.code(block('a', 'c'), { key });
  },
  BATCH_TOO_LARGE: async (api) => {
    const scores = Array.from({ length: 1_001 }, () => ({ memberId: 'a', score: 1 }));
    const query = 'mutation($input: SubmitScoresInput!) { submitScores(input: $input) { duplicate } }';
    return api.code(query, { input: { leaderboard: await api.createBoard(), scores } });
  },
  UNAUTHENTICATED: async (api) => (await api.send('{ __typename }', {}, { authorization: 'Bearer wrong' })).code,
  FORBIDDEN: (api) => score(api.anonymous(), newBoardKey()),
  QUERY_TOO_COMPLEX: (api) =>
    api.code('{ leaderboards(first: 100) { nodes { periods(first: 100) { nodes { id key state } } } } }'),
  BODY_TOO_LARGE: (api) => api.code('{ __typename }', { filling: 'x'.repeat(1024 * 1024) }),
  TOO_MANY_SUBSCRIPTIONS: async (api, url) => {
    const client = new SocketClient(url);
    const query = 'subscription($key: String!) { rankChanged(leaderboard: $key, memberId: "a") { version } }';
    const key = await api.createBoard();
    const held = Array.from({ length: 100 }, () => client.watch(query, { key }));
    await Promise.all(held.map((live) => live.next()));
    const [error] = (await client.watch(query, { key }).ended()) as { extensions: { code: string } }[];
    return error?.extensions.code;
  },
  ARCHIVE_UNAVAILABLE: async () => {
    const { api } = await startTestApp({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' });
    const key = await api.createBoard({ cadences: ['YEARLY'] });
    const closed = { closedAt: 1, version: 1, epoch: 'e', entryCount: 1, archived: true, expiresAt: 2, revision: 1 };
    await (await connectRedis()).hset(keys.closed(key), '2020', JSON.stringify(closed));
    return api.code(entries, { key, period: '2020', first: 1 });
  },
  STORE_UNAVAILABLE: async () => {
    const proxy = await startRedisProxy();
    const { api } = await startTestApp({ redisUrl: proxy.path });
    proxy.refuse();
    return api.code('{ leaderboard(key: "a") { key } }');
  },
  INTERNAL: async (api) => {
    const key = await api.createBoard();
    const redis = await connectRedis();
    await redis.set(keys.ranking(key, 'all'), 'no sorted set');
    const code = await score(api, key);
    // Others walk through all boards there are.
    await redis.del(keys.ranking(key, 'all'));
    return code;
  },
};

/** Replaces the definition again and again, in the way of whoever updates it. */
async function changing(api: Api, key: string): Promise<unknown> {
  const redis = await connectRedis();
  let stop = false;
  const loop = (async () => {
    const fence = readFence((await redis.hget(keys.definition(key), 'fence')) ?? '');
    for (let version = 2; !stop; version += 1) {
      await redis.hset(keys.definition(key), 'fence', fenceOf({ ...fence, version }, fence.runId));
    }
  })();
  const update =
    'mutation($key: String!) { updateLeaderboard(input: { key: $key, title: "x" }) { leaderboard { id } } }';
  let code: unknown = null;
  while (code === null) code = await api.code(update, { key });
  stop = true;
  await loop;
  return code;
}

describe('every error there is can be met through the API, with its code', () => {
  it.each(Object.keys(errorMeanings) as ErrorCode[])('%s', async (code) => {
    const { api, url } = await startTestApp();
    expect(await ways[code](api, url)).toBe(code);
  });

  it('GRAPHQL_PARSE_FAILED and GRAPHQL_VALIDATION_FAILED, over every transport', async () => {
    const { api, url } = await startTestApp();
    const codes = { '{ member(': 'GRAPHQL_PARSE_FAILED', '{ nothing }': 'GRAPHQL_VALIDATION_FAILED' };
    for (const [query, code] of Object.entries(codes)) {
      const { errors } = await api.send(query);
      expect(errors[0]?.extensions).toEqual({ code });
      const get = await fetch(`${api.endpoint}?query=${encodeURIComponent(query)}`);
      expect(await get.json()).toMatchObject({ errors: [{ extensions: { code } }] });
      const overSocket = await new SocketClient(url).watch(query).ended();
      expect(overSocket).toMatchObject([{ extensions: { code } }]);
      expect(JSON.stringify(overSocket)).not.toContain('"http"');
    }
  });

  it.each([
    ['no JSON', '{', 400],
    ['no operation', '{}', 400],
    ['no object', '[]', 400],
    ['variables that are none', '{"query":"{ __typename }","variables":1}', 400],
  ])('a request that is %s is BAD_INPUT, and shows no more of the engine', async (_, body, status) => {
    const { api } = await startTestApp();
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(api.endpoint, { method: 'POST', headers, body });
    expect(response.status).toBe(status);
    const { errors } = (await response.json()) as { errors: { extensions: unknown }[] };
    expect(errors.map(({ extensions }) => extensions)).toEqual([{ code: 'BAD_INPUT' }]);
  });

  it('a wrong variable and a wrong value are BAD_INPUT, at their place', async () => {
    const { api } = await startTestApp();
    expect(await api.code('query($key: String!) { leaderboard(key: $key) { id } }', { key: 1 })).toBe('BAD_INPUT');
    expect(await api.code(submit, { input: { leaderboard: 'a' } })).toBe('BAD_INPUT');
    expect(await api.code('{ node(id: "x") { id } }')).toBe('BAD_INPUT');
  });
});
