import { Agent, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { keys } from '../../src/redis/keys.ts';
import { adminKey, startTestApp } from '../support/app.ts';
import { openEventStream } from '../support/event-stream.ts';
import type { Api } from '../support/graphql-client.ts';
import { rawConnect, upgradeRequest } from '../support/raw-http.ts';
import { connectRedis } from '../support/redis-client.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { SocketClient } from '../support/websocket-client.ts';

const watch = 'subscription($key: String!) { entriesChanged(leaderboard: $key) { version } }';
const write =
  'mutation($key: String!, $member: String!) { submitScore(input: { leaderboard: $key, memberId: $member, score: 1 }) { applied } }';

/** Sends writes over connections that are kept open, until one is refused; says which were acknowledged. */
function writeUntilRefused(api: Api, key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const acknowledged: string[] = [];
  let refused = 0;
  const send = (member: string) =>
    new Promise<boolean>((resolve) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${adminKey}` };
      const sent = request(api.endpoint, { method: 'POST', agent, headers }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk;
        });
        response.on('end', () => resolve(text === '{"data":{"submitScore":{"applied":true}}}'));
        response.on('error', () => resolve(false));
      });
      sent.on('error', () => resolve(false));
      sent.end(JSON.stringify({ query: write, variables: { key, member } }));
    });
  const writer = async (name: number) => {
    for (let i = 0; ; i += 1) {
      const member = `w${name}-${i}`;
      if (!(await send(member))) break;
      acknowledged.push(member);
    }
    refused += 1;
  };
  const done = Promise.all([0, 1, 2, 3].map(writer)).then(() => agent.destroy());
  return { acknowledged, done, refused: () => refused };
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('loses no write that was acknowledged, tells streams to come back, and ends with code 0', async () => {
    const { api, url, ...service } = await startService();
    const key = await api.createBoard();
    const sockets = Array.from({ length: 3 }, () => new SocketClient(url));
    const lives = sockets.map((client) => client.watch(watch, { key }));
    const stream = await openEventStream(url, watch, { key });
    await Promise.all([...lives, stream].map((live) => live.next()));
    const writers = writeUntilRefused(api, key);
    await until(() => writers.acknowledged.length > 50);
    service.signal(signal);
    await writers.done;
    expect(await service.exited()).toEqual({ code: 0, signal: null });
    for (const { closed } of sockets) expect(closed).toEqual({ code: 1012, reason: 'The service restarts' });
    // Cut, not completed: a client that is told "complete" does not come back.
    expect(await stream.ended()).toBeInstanceOf(Error);
    const stored = await (await connectRedis()).zrange(keys.ranking(key, 'all'), '0', '-1');
    expect(writers.acknowledged.filter((member) => !stored.includes(member))).toEqual([]);
    expect(service.output()).toContain(`${signal}: finishing what was begun`);
    expect(service.output()).not.toMatch(/"level":[56]0/);
  });
});

describe('a drain', () => {
  it('answers what is under way, over HTTP and the websocket, and takes nothing new', async () => {
    const proxy = await startRedisProxy();
    const app = await startTestApp({ redisUrl: proxy.path });
    const key = await app.api.createBoard();
    const client = new SocketClient(app.url, { authorization: `Bearer ${adminKey}` });
    // So that the definition is known, and a write is one script.
    await client.results(write, { key, member: 'first' }).next();
    proxy.holdReplies();
    const overHttp = app.api.data(write, { key, member: 'http' });
    const overSocket = client.results(write, { key, member: 'socket' });
    const redis = await connectRedis();
    await until(async () => (await redis.zcard(keys.ranking(key, 'all'))) === 3);
    let closed = false;
    const closing = app.close().then(() => {
      closed = true;
    });
    await until(() =>
      fetch(`${app.url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    expect([closed, client.closed]).toEqual([false, null]);
    proxy.releaseReplies();
    expect(await overHttp).toEqual({ submitScore: { applied: true } });
    expect(await overSocket.next()).toEqual({ data: { submitScore: { applied: true } } });
    await closing;
    expect(client.closed?.code).toBe(1012);
  });

  it('says so to whoever asks, and lets no websocket or event stream in any more', async () => {
    const proxy = await startRedisProxy();
    const app = await startTestApp({ redisUrl: proxy.path });
    const key = await app.api.createBoard();
    const [ready, upgrade, stream] = await Promise.all(['', '', ''].map((text) => rawConnect(app.url, text)));
    if (!ready || !upgrade || !stream) throw new Error('unreachable');
    for (const { socket, received } of [ready, upgrade, stream]) {
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      await until(() => received().endsWith('ok\n'));
    }
    // The service keeps these only as long as a request on them has begun.
    ready.socket.write('GET /readyz HTTP/1.1\r\n');
    upgrade.socket.write(upgradeRequest('/graphql').slice(0, 20));
    const subscription = encodeURIComponent('subscription { entriesChanged(leaderboard: "none") { version } }');
    stream.socket.write(`GET /graphql?query=${subscription} HTTP/1.1\r\nAccept: text/event-stream\r\n`);
    proxy.holdReplies();
    const held = app.api.data(write, { key, member: 'ann' });
    await until(() => proxy.heldReplies() > 0);
    const closing = app.close();
    await until(() =>
      fetch(`${app.url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    ready.socket.write('Host: x\r\n\r\n');
    upgrade.socket.write(upgradeRequest('/graphql').slice(20));
    await until(() => ready.received().includes(' 503 '));
    expect(ready.received()).toMatch(/connection: close/i);
    stream.socket.write('Host: x\r\n\r\n');
    await until(() => upgrade.received().includes(' 503 '));
    await until(() => stream.received().includes(' 503 '));
    proxy.releaseReplies();
    await Promise.all([held, closing]);
  });

  it('does not wait for a client that keeps its connection open without a word', async () => {
    const app = await startTestApp();
    const idle = await rawConnect(app.url, '');
    const half = await rawConnect(app.url, upgradeRequest('/graphql'));
    await until(() => half.received().includes(' 101 '));
    const began = performance.now();
    await app.close();
    expect(performance.now() - began).toBeLessThan(5_000);
    await Promise.all([idle.closed(), half.closed()]);
  });
});
