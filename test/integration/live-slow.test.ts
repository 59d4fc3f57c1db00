import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import type { Api } from '../support/graphql-client.ts';
import { until } from '../support/until.ts';
import { type Live, SocketClient } from '../support/websocket-client.ts';

/** As long as an id may be: frames must outgrow what the kernel holds for a client that does not read. */
const longId = (i: number) => `${i}`.padEnd(128, 'x');

const bloat = Array.from({ length: 120 }, (_, i) => `f${i}: memberId`).join(' ');
const heavyWindow = `subscription($key: String!) { entriesChanged(leaderboard: $key, first: 100) { version entries { score ${bloat} } } }`;
const lightWindow =
  'subscription($key: String!) { entriesChanged(leaderboard: $key, first: 100) { version entries { score } } }';
const heavyFeed = `subscription($key: String!) { scoreApplied(leaderboard: $key) { version gap ${bloat} } }`;

interface Versioned {
  version: number;
  gap?: boolean;
}

async function fullBoard(api: Api): Promise<string> {
  const key = await api.createBoard({ scorePolicy: 'SUM' });
  await api.scores(key, Object.fromEntries(Array.from({ length: 100 }, (_, i) => [longId(i), 1])));
  return key;
}

const versionsOf = (live: Live<Versioned>) => live.items.map(({ version }) => version);

/** A client over SSE that reads nothing until it is resumed. */
function stalledStream(url: string, query: string, key: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    const sent = request(`${url}/graphql`, { method: 'POST', headers, agent: false }, resolve).on('error', reject);
    sent.end(JSON.stringify({ query, variables: { key } }));
  });
}

describe('rule L3: a client that does not read', () => {
  it('of states gets the latest once it reads again, and costs no other client anything', async () => {
    const { api, url } = await startTestApp();
    const key = await fullBoard(api);
    const clients = Array.from({ length: 4 }, () => new SocketClient(url));
    const stalled = clients.map((client) => client.watch<Versioned>(heavyWindow, { key }));
    await Promise.all(stalled.map((live) => live.next()));
    for (const { socket } of clients) socket?.pause();
    const stream = await stalledStream(url, heavyWindow, key);
    const quick = new SocketClient(url).watch<Versioned>(lightWindow, { key });
    await quick.next();
    const before = process.memoryUsage().rss;
    let version = 100;
    while (quick.items.length < 25) {
      await api.score(key, longId(version % 100), 1);
      version += 1;
    }
    const lastWrite = performance.now();
    await quick.find((state) => state.version === version);
    expect(performance.now() - lastWrite).toBeLessThan(2_000);
    // One state of them is some two megabytes: twenty-five for each of the five clients would be 250.
    expect(process.memoryUsage().rss - before).toBeLessThan(120e6);

    for (const { socket } of clients) socket?.resume();
    for (const live of stalled) {
      await live.find((state) => state.version === version);
      expect(live.items.length).toBeLessThan(quick.items.length);
      expect(versionsOf(live)).toEqual([...new Set(versionsOf(live))].sort((a, b) => a - b));
    }
    let text = '';
    stream.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    await until(() => text.includes(`"version":${version},`), 10_000);
    expect(text.split('event: next').length - 1).toBeLessThan(quick.items.length);
    stream.destroy();
  });

  it('of events loses the oldest, and is told where', async () => {
    const { api, url } = await startTestApp();
    const key = await fullBoard(api);
    const [stalled, quick] = [new SocketClient(url), new SocketClient(url)];
    const [lost, all] = [stalled, quick].map((client) => client.watch<Versioned>(heavyFeed, { key }));
    if (!lost || !all) throw new Error('unreachable');
    // A window begins after what was asked before it on the same socket.
    await Promise.all([stalled, quick].map((client) => client.watch(lightWindow, { key }).next()));
    stalled.socket?.pause();
    const scores = Array.from({ length: 500 }, (_, i) => ({ memberId: longId(i % 100), score: 1 }));
    for (let i = 0; i < 8; i += 1) {
      await api.data('mutation($input: SubmitScoresInput!) { submitScores(input: $input) { duplicate } }', {
        input: { leaderboard: key, scores },
      });
      await all.find(({ version }) => version === 100 + 500 * (i + 1), 20_000);
    }
    expect(all.items.some(({ gap }) => gap)).toBe(false);
    stalled.socket?.resume();
    await lost.find(({ version }) => version === 4_100, 20_000);
    const versions = versionsOf(lost);
    expect(versions.length).toBeLessThan(4_000);
    for (const [i, { version, gap }] of lost.items.entries()) {
      const follows = i === 0 || version === (versions[i - 1] ?? 0) + 1;
      expect([version, gap]).toEqual([version, !follows]);
    }
    expect(lost.items.filter(({ gap }) => gap)).toHaveLength(1);
  });

  it('does not keep the app from stopping', async () => {
    const { api, url, close } = await startTestApp();
    const key = await fullBoard(api);
    const client = new SocketClient(url);
    await client.watch<Versioned>(heavyWindow, { key }).next();
    client.socket?.pause();
    const stream = await stalledStream(url, heavyWindow, key);
    stream.on('error', () => {});
    const began = performance.now();
    await close();
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
