import { expect, test } from 'vitest';
import { readFence } from '../../src/redis/fence.ts';
import { newBoardKey } from '../support/graphql-client.ts';
import { CollectingSink, openLive } from '../support/live-operations.ts';
import { connectRedis } from '../support/redis-client.ts';
import { until } from '../support/until.ts';

const feed =
  'subscription($board: String!, $since: String) { scoreApplied(leaderboard: $board, since: $since) { position version gap memberId } }';

interface Shown {
  position: string;
  version: number;
  gap: boolean;
}

const events = (sink: CollectingSink) => sink.results.map(({ data }) => data.scoreApplied as Shown);
const versions = (sink: CollectingSink) => events(sink).map(({ version }) => version);
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

async function setUp() {
  const live = await openLive();
  const board = newBoardKey();
  await live.boards.create(board, { scorePolicy: 'LATEST' });
  let next = 0;
  const write = async (count: number) => {
    const scores = Array.from({ length: count }, () => {
      next += 1;
      return { memberId: `m${next % 7}`, score: next };
    });
    for (let i = 0; i < count; i += 500) await live.scoring.submitAll(board, scores.slice(i, i + 500));
  };
  const follow = async (since: string | null, sink = new CollectingSink()) => {
    const joined = await live.subscribe(feed, { board, since }, sink);
    if (!('leave' in joined)) throw new Error(JSON.stringify(joined.errors));
    return sink;
  };
  const epoch = async () => readFence(`${await (await connectRedis()).hget(`lb:{${board}}#def`, 'fence')}`).epoch;
  return { ...live, board, write, follow, epoch };
}

test('L3: a feed goes on from a position without a hole, over many pages of the log', async () => {
  const { write, follow, epoch } = await setUp();
  await write(1_200);
  const sink = await follow(`all/${await epoch()}/17`);
  await write(50);
  await until(() => events(sink).length >= 1_233);
  expect(versions(sink)).toEqual(from(18, 1_250));
  expect(events(sink).filter(({ gap }) => gap)).toEqual([]);
});

test('what somebody else wrote into the log hides nothing', async () => {
  const { write, follow, epoch, board } = await setUp();
  await write(20);
  await (await connectRedis()).xadd(`lb:{${board}}#log`, '*', 'x', '[]');
  await write(20);
  const sink = await follow(`all/${await epoch()}/1`);
  await until(() => events(sink).length >= 39);
  expect(versions(sink)).toEqual(from(2, 40));
  expect(events(sink).filter(({ gap }) => gap)).toEqual([]);
});

test('L3: what the log no longer has is marked as a gap', async () => {
  const { write, follow, epoch, board } = await setUp();
  await write(300);
  // Of 16 each, but the last one of 12.
  await (await connectRedis()).xtrim(`lb:{${board}}#log`, 'MAXLEN', 7);
  const sink = await follow(`all/${await epoch()}/17`);
  await until(() => events(sink).length >= 108);
  expect(versions(sink)).toEqual(from(193, 300));
  expect(events(sink).map(({ gap }) => gap)).toEqual([true, ...Array(107).fill(false)]);
});

test('L1: messages that were lost are fetched from the log, found by the next one or by the poll', async () => {
  const { write, follow, redis, board, epoch } = await setUp();
  const sink = await follow(null);
  await write(3);
  await until(() => events(sink).length >= 3);
  const admin = await connectRedis();
  await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
  await until(async () => redis.up());
  await write(20);
  await until(() => events(sink).length >= 23);
  expect(versions(sink)).toEqual(from(1, 23));
  // One that was never published: only the versions tell.
  const at = await epoch();
  await admin.hincrby(`lb:{${board}}:all#meta`, 'version', 1);
  const lost = [at, ['x', 'm1', 1, [['all', 'APPLIED', 24, 0, 0, 0, 0]]]];
  await admin.xadd(`lb:{${board}}#log`, '*', 'm', JSON.stringify(lost));
  await until(() => events(sink).length >= 24, 3_000);
  expect(versions(sink)).toEqual(from(1, 24));
  expect(events(sink).filter(({ gap }) => gap)).toEqual([]);
});

test('L3: for who does not read, events wait up to a number, and the first after dropped ones says so', async () => {
  const { write, follow } = await setUp();
  const quick = await follow(null);
  const slow = await follow(null);
  slow.full = true;
  await write(2_500);
  await until(() => events(quick).length >= 2_500, 10_000);
  slow.full = false;
  await until(() => versions(slow).at(-1) === 2_500);
  const shown = events(slow);
  expect(versions(slow)).toEqual(from(shown[0]?.version ?? 0, 2_500));
  expect(shown).toHaveLength(1_000);
  expect(shown.map(({ gap }) => gap)).toEqual([true, ...Array(999).fill(false)]);
});

test('L3: alone, who does not read misses nothing that the log has', async () => {
  const { write, follow } = await setUp();
  const slow = await follow(null);
  slow.full = true;
  for (let i = 0; i < 5; i += 1) await write(500);
  slow.full = false;
  await until(() => versions(slow).at(-1) === 2_500, 10_000);
  expect(versions(slow)).toEqual(from(1, 2_500));
});

test('a position of nowhere leaves a gap before what can be told', async () => {
  const { write, follow } = await setUp();
  await write(5);
  const sinks = await Promise.all(['all/other/2', 'nonsense', '2026/x/1'].map((since) => follow(since)));
  await write(1);
  for (const sink of sinks) {
    await until(() => events(sink).length >= 1);
    expect(events(sink)[0]).toMatchObject({ version: 6, gap: true });
  }
});
