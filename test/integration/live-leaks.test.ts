import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { newBoardKey } from '../support/graphql-client.ts';
import { CollectingSink, openLive } from '../support/live-operations.ts';
import { connectRedis } from '../support/redis-client.ts';
import { runs } from '../support/seed.ts';
import { until } from '../support/until.ts';
import { SocketClient } from '../support/websocket-client.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const documents = [
  'subscription($board: String!) { entriesChanged(leaderboard: $board, first: 3) { entries { memberId } } }',
  'subscription($board: String!, $member: String!) { rankChanged(leaderboard: $board, memberId: $member) { entry { rank } } }',
  'subscription($board: String!, $member: String!) { entriesAroundChanged(leaderboard: $board, memberId: $member) { entries { rank } } }',
  'subscription($board: String!) { scoreApplied(leaderboard: $board) { memberId } }',
];

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

/** LAUREL_RUNS=100000 for the full soak. */
const cycles = runs(4_000);

test('L5: nothing is left behind by those who came and went', { timeout: 60_000 + cycles }, async () => {
  const { boards, hub, live, redis, scoring, subscribe } = await openLive();
  const key = newBoardKey();
  await boards.create(key, {});
  await scoring.submitAll(
    key,
    Array.from({ length: 20 }, (_, i) => ({ memberId: `m${i}`, score: i })),
  );
  const admin = await connectRedis();
  const cycle = async (i: number) => {
    const document = documents[i % documents.length] ?? '';
    const variables = { board: key, ...(document.includes('$member') && { member: `m${i % 50}` }) };
    const sink = new CollectingSink();
    sink.full = i % 7 === 0;
    const joined = await subscribe(document, variables, sink, i % 2 ? 'admin' : 'anonymous');
    if (!('leave' in joined)) throw new Error(JSON.stringify(joined.errors));
    if (i % 3 === 0) await scoring.submit(key, { memberId: `m${i % 20}`, score: i });
    joined.leave();
    // Leaving twice is what a client does that completes and is cut off.
    if (i % 5 === 0) joined.leave();
  };
  const run = async (count: number) => {
    for (let i = 0; i < count; i += 50) await Promise.all(Array.from({ length: 50 }, (_, j) => cycle(i + j)));
    await until(() => hub.counts().boards === 0);
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = { heap: await run(2_000), timers: timers() };
  const heap = await run(cycles);
  expect(hub.counts()).toEqual({ boards: 0, windows: 0, subscribers: 0, feeds: 0 });
  expect(live.subscriberCount).toBe(0);
  await until(async () => (await admin.pubsub('NUMSUB', `lb:{${key}}`))[1] === 0);
  expect(timers()).toBeLessThanOrEqual(before.timers);
  expect(redis.up()).toBe(true);
  // A hundred bytes a cycle would be a leak; what the runtime keeps does not grow with their number.
  expect(heap - before.heap).toBeLessThan(Math.max(4_000_000, 50 * cycles));
});

test('L5: sockets that are closed, cut off or killed while they subscribe leave nothing behind', async () => {
  const app = await startTestApp();
  const board = await app.api.createBoard();
  await app.api.scores(board, { a: 1, b: 2 });
  const clients = Array.from({ length: 60 }, () => new SocketClient(app.url));
  const lives = clients.map((client, i) =>
    documents.map((document) =>
      client.results(document, { board, ...(document.includes('$member') && { member: i % 2 ? 'a' : 'b' }) }),
    ),
  );
  // A third is cut off at once, the others when all have had a first state.
  for (const [i, client] of clients.entries()) if (i % 3 === 0) void client.client.dispose();
  await until(() => lives.every((ones, i) => i % 3 === 0 || ones.filter(({ items }) => items.length > 0).length >= 3));
  expect(app.counts().subscribers).toBeGreaterThan(0);
  for (const [i, client] of clients.entries()) if (i % 3 === 1) client.socket?.terminate();
  for (const [i, ones] of lives.entries()) if (i % 3 === 2) for (const live of ones) live.stop();
  await until(() => app.counts().boards === 0);
  expect(app.counts()).toEqual({ boards: 0, windows: 0, subscribers: 0, feeds: 0 });
});
