import { expect, test } from 'vitest';
import { holdAsAnotherProcess } from '../support/another-process.ts';
import { newBoardKey } from '../support/graphql-client.ts';
import { CollectingSink, openLive } from '../support/live-operations.ts';
import { connectRedis } from '../support/redis-client.ts';
import { until } from '../support/until.ts';

const top = `subscription($board: String!, $cadence: Cadence) {
  entriesChanged(leaderboard: $board, first: 3, cadence: $cadence) {
    version resync entryCount period { key } entries { memberId score rank topPercent }
  }
}`;
const rank = `subscription($board: String!, $member: String!) {
  rankChanged(leaderboard: $board, memberId: $member) {
    version resync entry { rank score } passedByCount passedCount passedBy { memberId } passed { memberId }
  }
}`;

type Live = Awaited<ReturnType<typeof openLive>>;
type Shown = Record<string, unknown> & { entries: { memberId: string }[]; version: number };

async function join({ subscribe }: Live, query: string, variables: Record<string, unknown>) {
  const sink = new CollectingSink();
  const joined = await subscribe(query, variables, sink);
  if (!('leave' in joined)) throw new Error(JSON.stringify(joined.errors));
  const last = () => Object.values(sink.results.at(-1)?.data ?? {})[0] as Shown;
  await until(() => sink.frames.length > 0);
  return { sink, last };
}

async function setUp(rules = {}, options: Parameters<typeof openLive>[0] = {}) {
  const live = await openLive(options);
  const board = newBoardKey();
  await live.boards.create(board, { scorePolicy: 'LATEST', ...rules });
  const write = (memberId: string, score: number) => live.scoring.submit(board, { memberId, score });
  return { live, board, write, admin: await connectRedis() };
}

test('L1: a change that nobody was told of is found by the poll, and read', async () => {
  const { live, board, write, admin } = await setUp();
  await write('a', 1);
  const { last, sink } = await join(live, top, { board });
  await admin.multi().zadd(`lb:{${board}}:all`, 7, 'b').hincrby(`lb:{${board}}:all#meta`, 'version', 1).exec();
  await until(() => last().version === 2, 2_000);
  expect(last().entries).toMatchObject([{ memberId: 'b' }, { memberId: 'a' }]);
  expect(last().resync).toBe(false);
  expect(sink.frames).toHaveLength(2);
});

test('L1: a hole in the numbers is read over at once, and who passed whom is not made up', async () => {
  const { live, board, write, admin } = await setUp({}, { times: { tickMs: 10, pollMs: 60_000, staleMs: 2_000 } });
  await write('a', 5);
  const { last } = await join(live, rank, { board, member: 'a' });
  await admin.multi().zadd(`lb:{${board}}:all`, 7, 'b').hincrby(`lb:{${board}}:all#meta`, 'version', 1).exec();
  await write('c', 9);
  await until(() => last().version === 3);
  expect(last()).toMatchObject({
    entry: { rank: 3 },
    passedByCount: null,
    passedBy: [],
    passedCount: null,
    passed: [],
  });
});

test('L2: another epoch arrives as resync', async () => {
  const { live, board, write, admin } = await setUp();
  await write('a', 1);
  const { last } = await join(live, top, { board });
  // As another Redis process would have it.
  await holdAsAnotherProcess(admin, board);
  await until(() => last().resync === true, 3_000);
  await write('b', 2);
  await until(() => last().version === 2);
  expect(last()).toMatchObject({ resync: false, entries: [{ memberId: 'b' }, { memberId: 'a' }] });
});

test('L1: a share of the top follows the number of entries, though nothing else changed', async () => {
  const { live, board, write } = await setUp();
  for (const [i, memberId] of ['a', 'b', 'c'].entries()) await write(memberId, 9 - i);
  const { last } = await join(live, top, { board });
  expect(last().entries).toMatchObject([{ topPercent: 100 / 3 }, {}, {}]);
  await write('d', 1);
  await until(() => last().entryCount === 4, 2_000);
  expect(last().entries).toMatchObject([{ topPercent: 25 }, { topPercent: 50 }, { topPercent: 75 }]);
});

test('L4: following the current period goes over its edge, and says so', async () => {
  let now = Date.UTC(2026, 10, 30, 23, 59, 58);
  const { live, board, write } = await setUp({ cadences: ['DAILY', 'ALL_TIME'] }, { clock: () => now });
  await write('a', 1);
  const daily = await join(live, top, { board });
  const whole = await join(live, top, { board, cadence: 'ALL_TIME' });
  expect(daily.last()).toMatchObject({ period: { key: '2026-11-30' }, entries: [{ memberId: 'a' }] });
  now = Date.UTC(2026, 11, 1);
  await until(() => daily.sink.frames.length > 1, 3_000);
  expect(daily.last()).toMatchObject({ period: { key: '2026-12-01' }, version: 0, resync: true, entries: [] });
  await write('b', 2);
  await until(() => daily.last().version === 1 && whole.last().version === 2);
  expect(daily.last()).toMatchObject({ period: { key: '2026-12-01' }, resync: false, entries: [{ memberId: 'b' }] });
  expect(whole.last()).toMatchObject({ period: { key: 'all' }, entries: [{ memberId: 'b' }, { memberId: 'a' }] });
});

test('a change of the rules is shown', async () => {
  const { live, board, write } = await setUp();
  await write('a', 1);
  await write('b', 1);
  const { last } = await join(live, top, { board });
  expect(last().entries).toMatchObject([{ rank: 1 }, { rank: 1 }]);
  await live.boards.update(board, { rankMethod: 'ORDINAL' });
  await until(() => JSON.stringify(last().entries).includes('"rank":2'), 2_000);
  expect(last().resync).toBe(false);
});
