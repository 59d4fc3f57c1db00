import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { Api } from '../support/graphql-client.ts';
import { KillableRedis, Service, serviceKey } from '../support/live-service.ts';
import { runs } from '../support/seed.ts';
import { until } from '../support/until.ts';
import { SocketClient } from '../support/websocket-client.ts';

const big = `subscription($board: String!) {
  entriesChanged(leaderboard: $board, first: 100) { version entries { id memberId score rank index tieCount metadata } }
}`;

/** A client that subscribes, takes the first state, and never reads again. */
async function neverReads(url: string, board: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  socket.on('error', () => {});
  onTestFinished(() => socket.terminate());
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ type: 'connection_init' }));
  const subscribe = { id: '1', type: 'subscribe', payload: { query: big, variables: { board } } };
  await new Promise<void>((resolve, reject) => {
    socket.once('close', (code) => reject(new Error(`closed with ${code}`)));
    socket.on('message', (text) => {
      const { type } = JSON.parse(String(text));
      if (type === 'connection_ack') socket.send(JSON.stringify(subscribe));
      if (type !== 'next') return;
      socket.pause();
      resolve();
    });
  });
  return socket;
}

async function metrics(url: string): Promise<(name: string) => number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return (name) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

/** LAUREL_RUNS=1000 for the full crowd. */
const crowd = runs(30);

test('L3: who never reads costs bounded memory, harms nobody, and is closed', {
  timeout: 90_000 + 100 * crowd,
}, async () => {
  const redis = await KillableRedis.start();
  const { url } = await Service.start(redis.url);
  const api = new Api(url, serviceKey);
  const board = await api.createBoard({ scorePolicy: 'LATEST' });
  const metadata = { note: 'x'.repeat(600) };
  const score = (i: number) => ({ memberId: `m${i % 100}`, score: i, metadata });
  const submit = `mutation($input: SubmitScoresInput!) { submitScores(input: $input) { outcomes { error { code } } } }`;
  const write = (scores: unknown[]) => api.data(submit, { input: { leaderboard: board, scores } });
  await write(Array.from({ length: 100 }, (_, i) => score(i)));
  const reader = new SocketClient(url).watch<{ version: number }>(big, { board });
  await reader.next();
  const sockets = await Promise.all(Array.from({ length: crowd }, () => neverReads(url, board)));
  const before = (await metrics(url))('laurel_process_resident_memory_bytes');
  const latencies: number[] = [];
  let i = 100;
  const stalled = async () => (await metrics(url))('laurel_websocket_connections') <= 1;
  // Until all have been closed: the system's own buffers are full before anything waits in the process.
  await until(
    async () => {
      const began = performance.now();
      i += 1;
      await write([score(i)]);
      await reader.find(({ version }) => version >= i, 10_000);
      latencies.push(performance.now() - began);
      return i % 20 === 0 && stalled();
    },
    80_000 + 100 * crowd,
  );
  const after = (await metrics(url))('laurel_process_resident_memory_bytes');
  latencies.sort((a, b) => a - b);
  // Until their buffers are full they are sent as much as anybody, which takes its time.
  expect(latencies[Math.floor(latencies.length * 0.99)]).toBeLessThan(600 + crowd);
  // 64 KiB and a frame each, and what the runtime takes for itself.
  expect(after - before).toBeLessThan(120_000_000 + crowd * 200_000);
  expect(sockets).toHaveLength(crowd);
  expect(reader.end).toBeNull();
});
