import { describe, expect, it, vi } from 'vitest';
import { channels } from '../../src/redis/keys.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { openEventStream } from '../support/event-stream.ts';
import { connectRedis } from '../support/redis-client.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { until } from '../support/until.ts';
import { SocketClient } from '../support/websocket-client.ts';

const subscriptions = [
  'subscription($key: String!) { entriesChanged(leaderboard: $key) { version } }',
  'subscription($key: String!) { entriesChanged(leaderboard: $key, first: 5, throttleMs: 60000) { version } }',
  'subscription($key: String!) { rankChanged(leaderboard: $key, memberId: "ann") { version } }',
  'subscription($key: String!) { scoreApplied(leaderboard: $key) { version } }',
];

const nothing = { boards: 0, windows: 0, subscribers: 0, feeds: 0 };

interface Watched extends TestApp {
  readonly key: string;
  /** Resolves once everything is watched, and Redis knows it. */
  begun(): Promise<void>;
  /** Resolves once nothing is left of it, in the process and in Redis. */
  gone(): Promise<void>;
}

async function watchedBoard(): Promise<Watched> {
  const app = await startTestApp();
  const redis = await connectRedis();
  const key = await app.api.createBoard();
  await app.api.score(key, 'ann', 1);
  const channel = async () => (await redis.pubsub('CHANNELS', channels.board(key))).length;
  return {
    ...app,
    key,
    begun: async () => {
      await until(
        () => JSON.stringify(app.counts()) === JSON.stringify({ boards: 1, windows: 3, subscribers: 4, feeds: 1 }),
      );
      await until(async () => (await channel()) === 1);
    },
    gone: async () => {
      await until(() => JSON.stringify(app.counts()) === JSON.stringify(nothing));
      await until(async () => (await channel()) === 0);
    },
  };
}

describe('rule L5: nothing is left behind', () => {
  it('when a websocket client completes its subscriptions', async () => {
    const { url, key, begun, gone } = await watchedBoard();
    const client = new SocketClient(url);
    const lives = subscriptions.map((query) => client.watch(query, { key }));
    await begun();
    for (const live of lives) live.stop();
    await gone();
  });

  it('when a websocket is closed in order, and when its client dies', async () => {
    const { url, key, begun, gone } = await watchedBoard();
    for (const leave of ['close', 'terminate'] as const) {
      const client = new SocketClient(url);
      for (const query of subscriptions) client.watch(query, { key });
      await begun();
      client.socket?.[leave]();
      await gone();
    }
  });

  it('when an event stream is left', async () => {
    const { url, key, begun, gone } = await watchedBoard();
    const streams = await Promise.all(subscriptions.map((query) => openEventStream(url, query, { key })));
    await begun();
    for (const stream of streams) stream.hangUp();
    await gone();
  });

  it('when a client leaves while its subscription is only beginning', async () => {
    const proxy = await startRedisProxy();
    const app = await startTestApp({ redisUrl: proxy.path });
    const key = await app.api.createBoard();
    // The definition is known then, and Redis is asked for nothing before it is asked to listen.
    await app.api.score(key, 'ann', 1);
    proxy.holdReplies();
    const clients = subscriptions.map((query) => {
      const client = new SocketClient(app.url);
      client.watch(query, { key });
      return client;
    });
    await until(() => proxy.heldReplies() > 0 && app.counts().subscribers === subscriptions.length);
    for (const { socket } of clients) socket?.terminate();
    proxy.cut();
    await until(() => JSON.stringify(app.counts()) === JSON.stringify(nothing));
    const redis = await connectRedis();
    await until(async () => (await redis.pubsub('CHANNELS', channels.board(key))).length === 0);
  });

  it('while others go on watching the same', async () => {
    const { api, url, key, counts, begun } = await watchedBoard();
    const [leaving, staying] = [new SocketClient(url), new SocketClient(url)];
    for (const query of subscriptions) leaving.watch(query, { key });
    await begun();
    const live = staying.watch<{ version: number }>(subscriptions[0] ?? '', { key });
    await live.next();
    leaving.socket?.terminate();
    await until(() => JSON.stringify(counts()) === JSON.stringify({ boards: 1, windows: 1, subscribers: 1, feeds: 0 }));
    await api.score(key, 'ann', 2);
    expect(await live.next()).toEqual({ version: 2 });
  });

  it('however often they come and go', async () => {
    const { url, key, begun, gone } = await watchedBoard();
    const client = new SocketClient(url);
    for (let i = 0; i < 30; i += 1) {
      const lives = subscriptions.map((query) => client.watch(query, { key }));
      if (i % 10 === 0) await begun();
      for (const live of lives) live.stop();
    }
    await gone();
  });

  it('when the app stops', async () => {
    const { url, key, counts, begun, close } = await watchedBoard();
    const client = new SocketClient(url);
    for (const query of subscriptions) client.watch(query, { key });
    await begun();
    await close();
    expect(counts()).toEqual(nothing);
    expect(client.closed?.code).toBe(1012);
  });
});

describe('rule A2: a connection holds so many subscriptions', () => {
  it('one more is refused, the others go on, and one that ended makes room', async () => {
    const { api, url, key, counts } = await watchedBoard();
    const client = new SocketClient(url);
    const query = subscriptions[2] ?? '';
    const lives = Array.from({ length: 100 }, () => client.watch<{ version: number }>(query, { key }));
    await Promise.all(lives.map((live) => live.next()));
    expect(await client.watch(query, { key }).ended()).toMatchObject([
      { extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } },
    ]);
    expect(counts().subscribers).toBe(100);
    lives[0]?.stop();
    await until(() => counts().subscribers === 99);
    await client.watch(query, { key }).next();
    await api.score(key, 'ann', 2);
    for (const live of lives.slice(1)) expect(await live.next()).toEqual({ version: 2 });
    const other = new SocketClient(url);
    expect(await other.watch(query, { key }).next()).toEqual({ version: 2 });
  });

  it('a message over the limit closes the connection, and no other', async () => {
    const { url, key } = await watchedBoard();
    const written = vi.spyOn(console, 'error');
    const [loud, quiet] = [new SocketClient(url), new SocketClient(url)];
    await quiet.watch(subscriptions[0] ?? '', { key }).next();
    await loud.results(`{ __typename } # ${'x'.repeat(64 * 1024)}`).ended();
    expect(loud.closed?.code).toBe(1009);
    expect(written).not.toHaveBeenCalled();
    expect(await quiet.results('{ __typename }').next()).toMatchObject({ data: { __typename: 'Query' } });
  });
});
