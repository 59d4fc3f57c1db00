import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { keepLog } from '../support/log.ts';
import { startOwnRedis } from '../support/own-redis.ts';
import { connectRedis } from '../support/redis-client.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { until } from '../support/until.ts';
import { SocketClient } from '../support/websocket-client.ts';

interface State {
  version: number;
  stale: boolean;
  resync: boolean;
  entries: { memberId: string; score: number }[];
}

const read =
  'query($key: String!) { leaderboard(key: $key) { current { version entries { nodes { memberId score } } } } }';
const write =
  'mutation($key: String!) { submitScore(input: { leaderboard: $key, memberId: "lost", score: 9 }) { applied } }';
const watch =
  'subscription($key: String!) { entriesChanged(leaderboard: $key) { version stale resync entries { memberId score } } }';
const watchOne = 'subscription($key: String!) { entriesChanged(leaderboard: $key, first: 1) { version } }';

const readiness = async (url: string) => (await fetch(`${url}/readyz`)).status;

describe('while Redis is away', () => {
  it('requests are told so at once, readiness says no, the process lives, and nothing queues', async () => {
    const redis = await startOwnRedis();
    const log = keepLog();
    const { api, url } = await startTestApp({ redisUrl: redis.path }, { logger: log.logger });
    const key = await api.createBoard();
    await api.score(key, 'ann', 1);
    await redis.kill();
    for (let round = 0; round < 20; round += 1) {
      const began = performance.now();
      const codes = await Promise.all([read, write, read, write].map((query) => api.code(query, { key })));
      expect(codes).toEqual(Array(4).fill('STORE_UNAVAILABLE'));
      expect(performance.now() - began).toBeLessThan(1_000);
    }
    expect(await readiness(url)).toBe(503);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^laurel_store_up 0$/m);
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^laurel_store_connection_errors_total [1-9]/m);

    await redis.start();
    await until(async () => (await readiness(url)) === 200);
    // None of the forty writes waited somewhere.
    expect(await api.data(read, { key })).toEqual({
      leaderboard: { current: { version: 1, entries: { nodes: [{ memberId: 'ann', score: 1 }] } } },
    });
    await api.score(key, 'bob', 2);
    expect(log.lines.filter(({ msg }) => msg === 'Redis cannot be reached').length).toBeLessThanOrEqual(2);
    expect(log.lines.filter(({ msg }) => msg === 'Redis is back').length).toBeGreaterThanOrEqual(1);
    expect(log.lines.filter(({ level }) => level >= 50)).toEqual([]);
  });

  it('who watches is told that the state is stale, and catches up afterwards', async () => {
    const redis = await startOwnRedis();
    const { api, url, counts } = await startTestApp({ redisUrl: redis.path });
    const key = await api.createBoard();
    await api.score(key, 'ann', 1);
    const client = new SocketClient(url);
    const live = client.watch<State>(watch, { key });
    expect(await live.next()).toMatchObject({ version: 1, stale: false });
    await redis.kill();
    const stale = await live.next(5_000);
    expect(stale).toMatchObject({ version: 1, stale: true, entries: [{ memberId: 'ann', score: 1 }] });
    // Who comes now is shown what is known of what others watch, marked just so, and told of anything else that it is not.
    const late = new SocketClient(url).watch<State>(watch, { key });
    expect(await late.next()).toEqual(stale);
    late.stop();
    expect(await new SocketClient(url).results(watchOne, { key }).next()).toMatchObject({
      errors: [{ extensions: { code: 'STORE_UNAVAILABLE' } }],
    });
    await until(() => counts().subscribers === 1);

    await redis.start();
    expect(await live.next()).toMatchObject({ version: 1, stale: false, resync: true });
    await api.score(key, 'bob', 2);
    expect(await live.next(2_000)).toMatchObject({ version: 2, stale: false, resync: false });
    expect(live.items).toHaveLength(4);
  });

  it('a write whose reply is lost is answered, and a retry with its key applies it once', async () => {
    const proxy = await startRedisProxy();
    const { api } = await startTestApp({ redisUrl: proxy.path });
    const key = await api.createBoard({ scorePolicy: 'SUM' });
    const send = 'mutation($input: SubmitScoreInput!) { submitScore(input: $input) { applied duplicate } }';
    const input = { leaderboard: key, memberId: 'ann', score: 5, idempotencyKey: 'once' };
    await api.score(key, 'ann', 1);
    proxy.holdReplies();
    const answer = api.send(send, { input });
    await until(() => proxy.heldReplies() > 0);
    const cutAt = performance.now();
    proxy.cut();
    expect((await answer).code).toBe('STORE_UNAVAILABLE');
    expect(performance.now() - cutAt).toBeLessThan(1_000);
    await until(async () => (await api.code(read, { key })) === null);
    expect(await api.data(send, { input })).toEqual({ submitScore: { applied: true, duplicate: true } });
    expect(await api.data(read, { key })).toEqual({
      leaderboard: { current: { version: 2, entries: { nodes: [{ memberId: 'ann', score: 6 }] } } },
    });
  });

  it('everything recovers by itself, as often as it goes', async () => {
    const redis = await startOwnRedis();
    const { api } = await startTestApp({ redisUrl: redis.path });
    const key = await api.createBoard();
    for (let round = 1; round <= 3; round += 1) {
      await redis.kill();
      expect(await api.code(read, { key })).toBe('STORE_UNAVAILABLE');
      await redis.start();
      await until(async () => (await api.code(read, { key })) === null);
      await api.score(key, 'ann', round);
    }
    expect(await api.data(read, { key })).toMatchObject({ leaderboard: { current: { version: 3 } } });
  });
});

it('rule L1: when Redis drops whoever listens, the final state still arrives in time', async () => {
  const redis = await startOwnRedis();
  const { api, url } = await startTestApp({ redisUrl: redis.path });
  const admin = await connectRedis(redis.path);
  const key = await api.createBoard();
  await api.score(key, 'ann', 0);
  const live = new SocketClient(url).watch<State>(watch, { key });
  await live.next();
  for (let score = 1; score <= 4; score += 1) {
    expect(Number(await admin.client('KILL', 'TYPE', 'PUBSUB'))).toBe(1);
    await api.score(key, 'ann', score);
    await live.find(({ entries: [best] }) => best?.score === score, 2_000);
    await until(async () => (await admin.pubsub('NUMSUB', `lb:{${key}}`))[1] === 1);
  }
});
