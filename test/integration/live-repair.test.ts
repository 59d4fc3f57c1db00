import type { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lazyArchive } from '../../src/archive/archive.ts';
import { Boards } from '../../src/core/boards.ts';
import { History } from '../../src/core/history.ts';
import { Hub } from '../../src/live/hub.ts';
import { channels, keys } from '../../src/redis/keys.ts';
import { openRedis } from '../../src/redis/redis.ts';
import { holdAsAnotherProcess } from '../support/another-process.ts';
import { startTestApp } from '../support/app.ts';
import { descending } from '../support/graphql-client.ts';
import { keepLog } from '../support/log.ts';
import { connectRedis } from '../support/redis-client.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { until } from '../support/until.ts';
import { SocketClient } from '../support/websocket-client.ts';

/** Rule L1: the final state is there within this time, whatever was lost. */
const deadlineMs = 2_000;

interface State {
  version: number;
  resync: boolean;
  stale: boolean;
  position: string;
  entries: { memberId: string; score: number }[];
}

const entries = `subscription($key: String!, $since: String, $period: String) {
  entriesChanged(leaderboard: $key, first: 3, since: $since, period: $period) { version resync stale position entries { memberId score } } }`;

/** What a message that nobody heard leaves behind. */
async function writeUnheard(redis: Redis, key: string, memberId: string, score: number): Promise<void> {
  await redis
    .multi()
    .zadd(keys.ranking(key, 'all'), score, memberId)
    .hincrby(keys.meta(key, 'all'), 'version', 1)
    .exec();
}

const channelsOf = (redis: Redis, key: string) => redis.pubsub('CHANNELS', channels.board(key));

describe('rule L1: whatever is lost on the way, the final state arrives', () => {
  it('after a lost message', async () => {
    const { api, url } = await startTestApp();
    const key = await api.createBoard();
    await api.scores(key, descending(3));
    const live = new SocketClient(url).watch<State>(entries, { key });
    await live.next();
    await writeUnheard(await connectRedis(), key, 'quiet', 99);
    const state = await live.next(deadlineMs);
    expect(state).toMatchObject({ version: 4, resync: false, entries: [{ memberId: 'quiet', score: 99 }, {}, {}] });
  });

  it('after the connection that hears messages was killed, as often as it likes', async () => {
    const proxy = await startRedisProxy();
    const { api, url } = await startTestApp({ redisUrl: proxy.path });
    const redis = await connectRedis();
    const key = await api.createBoard();
    await api.score(key, 'ann', 1);
    const live = new SocketClient(url).watch<State>(entries, { key });
    await live.next();
    for (let score = 2; score < 6; score += 1) {
      proxy.cutSubscribers();
      await until(async () => (await channelsOf(redis, key)).length === 0);
      await api.score(key, 'ann', score);
      await live.find(({ entries: [best] }) => best?.score === score, deadlineMs);
    }
    await until(async () => (await channelsOf(redis, key)).length === 1);
    expect(live.items.some(({ stale, resync }) => stale || resync)).toBe(false);
  });

  it('or an error does, after the connection broke while a subscription was only beginning', async () => {
    const proxy = await startRedisProxy();
    const { api, url, counts } = await startTestApp({ redisUrl: proxy.path });
    const key = await api.createBoard();
    await api.score(key, 'ann', 1);
    proxy.holdReplies();
    const live = new SocketClient(url).results(entries, { key });
    await until(() => counts().subscribers === 1 && proxy.heldReplies() > 0);
    proxy.cut();
    const first = await live.next(deadlineMs);
    if (first.errors) expect(first.errors).toMatchObject([{ extensions: { code: 'STORE_UNAVAILABLE' } }]);
    else expect(first.data).toMatchObject({ entriesChanged: { version: 1, stale: false } });
  });

  it('after a broken connection at once, without waiting for the next poll', async () => {
    const proxy = await startRedisProxy();
    const { api } = await startTestApp();
    const key = await api.createBoard();
    const store = await openRedis(proxy.path, keepLog().logger, () => {});
    onTestFinished(() => store.close());
    const times = { tickMs: 10, pollMs: 600_000, staleMs: 600_000 };
    // Asked nothing: all lives.
    const archive = lazyArchive(() => Promise.reject(new Error('no archive here')));
    const entries = new History(store.entries, archive);
    const hub = new Hub({ ...store, entries, boards: new Boards(store.definitions) }, Date.now, times);
    const spec = { cadence: null, period: null, window: { kind: 'top', first: 3 } } as const;
    const live = await hub.watch(key, spec);
    onTestFinished(() => live.end());
    await live.next();
    const next = live.next();
    const redis = await connectRedis();
    proxy.cutSubscribers();
    await until(async () => (await channelsOf(redis, key)).length === 0);
    await writeUnheard(redis, key, 'quiet', 9);
    expect((await next).value).toMatchObject({ head: { version: 1 }, standings: [{ memberId: 'quiet' }] });
  });

  it('after every connection to Redis broke', async () => {
    const proxy = await startRedisProxy();
    const { api, url } = await startTestApp({ redisUrl: proxy.path });
    const key = await api.createBoard();
    await api.score(key, 'ann', 1);
    const live = new SocketClient(url).watch<State>(entries, { key });
    await live.next();
    proxy.cut();
    await writeUnheard(await connectRedis(), key, 'ann', 2);
    expect(await live.next(deadlineMs)).toMatchObject({ version: 2, resync: false });
  });
});

describe('rule L2: what does not follow from what was seen says so', () => {
  it('a new epoch arrives as resync, although versions begin anew', async () => {
    const { api, url } = await startTestApp();
    const key = await api.createBoard();
    await api.scores(key, descending(3));
    const live = new SocketClient(url).watch<State>(entries, { key });
    const { position } = await live.next();
    const redis = await connectRedis();
    // Another process held the board's data before: what it had written last may be lost.
    await holdAsAnotherProcess(redis, key);
    const state = await live.next(deadlineMs);
    expect(state).toMatchObject({ version: 3, resync: true });
    expect(state.position).not.toBe(position);
    await api.score(key, 'm0', 100);
    expect(await live.next()).toMatchObject({ version: 4, resync: false });
    const late = new SocketClient(url).watch<State>(entries, { key, since: position });
    expect(await late.next()).toMatchObject({ version: 4, resync: true });
  });

  it('a board made anew under the same key too', async () => {
    const { api, url } = await startTestApp();
    const key = await api.createBoard();
    await api.scores(key, descending(3));
    const live = new SocketClient(url).watch<State>(entries, { key });
    await live.next();
    const anew = `mutation($key: String!) { deleteLeaderboard(input: { key: $key }) { key }
      createLeaderboard(input: { key: $key }) { leaderboard { id } } }`;
    await api.data(anew, { key });
    const state = await live.next(deadlineMs);
    expect(state).toMatchObject({ version: 0, resync: true, entries: [] });
  });

  it('one without the period that is watched ends that subscription, and no other', async () => {
    const { api, url } = await startTestApp();
    const key = await api.createBoard({ cadences: ['ALL_TIME', 'YEARLY'] });
    const client = new SocketClient(url);
    const [year, all] = ['2026', 'all'].map((period) => client.watch<State>(entries, { key, period }));
    await Promise.all([year?.next(), all?.next()]);
    const anew = `mutation($key: String!) { deleteLeaderboard(input: { key: $key }) { key }
      createLeaderboard(input: { key: $key }) { leaderboard { id } } }`;
    await api.data(anew, { key });
    expect(await year?.ended()).toBe('complete');
    expect(await all?.next()).toMatchObject({ resync: true });
    await api.score(key, 'ann', 1);
    expect(await all?.next()).toMatchObject({ version: 1, stale: false });
  });

  it('a board that is deleted ends everything that watches it', async () => {
    const { api, url, counts } = await startTestApp();
    const key = await api.createBoard();
    await api.score(key, 'ann', 1);
    const client = new SocketClient(url);
    const lives = [
      client.watch(entries, { key }),
      client.watch('subscription($key: String!) { rankChanged(leaderboard: $key, memberId: "ann") { version } }', {
        key,
      }),
      client.watch('subscription($key: String!) { scoreApplied(leaderboard: $key) { version } }', { key }),
    ];
    await Promise.all(lives.slice(0, 2).map((live) => live.next()));
    await until(() => counts().feeds === 1);
    await api.deleteBoard(key);
    for (const live of lives) expect(await live.ended()).toBe('complete');
    expect(counts()).toEqual({ boards: 0, windows: 0, subscribers: 0, feeds: 0 });
    const redis = await connectRedis();
    await until(async () => (await channelsOf(redis, key)).length === 0);
  });
});
