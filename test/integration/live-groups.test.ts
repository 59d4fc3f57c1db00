import { beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../src/graphql/access.ts';
import { newBoardKey } from '../support/graphql-client.ts';
import { CollectingSink, openLive } from '../support/live-operations.ts';
import { until } from '../support/until.ts';

type Live = Awaited<ReturnType<typeof openLive>>;

let live: Live;
let board: string;

beforeEach(async () => {
  live = await openLive();
  board = newBoardKey();
  await live.boards.create(board, { scorePolicy: 'LATEST' });
  await live.scoring.submitAll(board, [
    { memberId: 'a', score: 3 },
    { memberId: 'b', score: 2 },
    { memberId: 'c', score: 1 },
  ]);
});

const top =
  'subscription($board: String!, $since: String, $ms: Int! = 0) { entriesChanged(leaderboard: $board, first: 2, since: $since, throttleMs: $ms) { position version entries { memberId score } } }';
const patches =
  'subscription($board: String!) { entriesChanged(leaderboard: $board, first: 2, mode: PATCH) { version resync entries { memberId } changes { kind memberId } } }';
const named =
  'subscription($board: String!) { entriesChanged(leaderboard: $board, first: 2) { version entries { member { displayName } } } }';
const ranks =
  'subscription($board: String!) { rankChanged(leaderboard: $board, memberId: "c") { version previousRank entry { rank } } }';

async function join(
  query: string,
  more: Record<string, unknown> = {},
  caller: Caller = 'anonymous',
  sink = new CollectingSink(),
) {
  const joined = await live.subscribe(query, { board, ...more }, sink, caller);
  if (!('leave' in joined)) throw new Error(JSON.stringify(joined.errors));
  return { sink, leave: joined.leave };
}

const arrived = (sink: CollectingSink, count: number) => until(() => sink.frames.length >= count);
const field = (sink: CollectingSink, i: number) =>
  Object.values(sink.results.at(i)?.data ?? {})[0] as Record<string, unknown>;

describe('a group', () => {
  test('is sent the very same bytes, whatever their since and throttle', async () => {
    const one = await join(top);
    await arrived(one.sink, 1);
    const others = await Promise.all([join(top), join(top, { since: 'all/x/1' }), join(top, { ms: 1 })]);
    await Promise.all(others.map(({ sink }) => arrived(sink, 1)));
    await live.scoring.submit(board, { memberId: 'b', score: 9 });
    await Promise.all([one, ...others].map(({ sink }) => until(() => field(sink, -1).version === 4)));
    for (const { sink } of others) expect(sink.frames.at(-1)).toBe(one.sink.frames.at(-1));
    expect(live.hub.counts().subscribers).toBe(1);
    expect(live.live.subscriberCount).toBe(4);
  });

  test('holds nobody with other rights, variables or operations (A1)', async () => {
    const [anonymous, admin] = await Promise.all([join(top), join(top, {}, 'admin')]);
    await Promise.all([arrived(anonymous.sink, 1), arrived(admin.sink, 1)]);
    expect(live.hub.counts()).toMatchObject({ windows: 1, subscribers: 2 });
    expect(admin.sink.frames[0]).not.toBe(anonymous.sink.frames[0]);
    expect(admin.sink.frames[0]).toEqual(anonymous.sink.frames[0]);
  });

  test('is executed anew for every state: profiles are not those of an earlier one', async () => {
    const { sink } = await join(named);
    await arrived(sink, 1);
    await live.profiles.save(new Map([['b', { displayName: `B of ${board}`, avatarUrl: null, attributes: null }]]));
    await live.scoring.submit(board, { memberId: 'b', score: 9 });
    await until(() => field(sink, -1).version === 4);
    expect(field(sink, -1).entries).toMatchObject([{ member: { displayName: `B of ${board}` } }, {}]);
  });
});

describe('a slow reader', () => {
  test('L3: gets the latest state once it has room, and a previous rank of its own', async () => {
    const quick = await join(ranks);
    const slow = await join(ranks);
    await Promise.all([arrived(quick.sink, 1), arrived(slow.sink, 1)]);
    slow.sink.full = true;
    await live.scoring.submit(board, { memberId: 'c', score: 5 });
    await until(() => field(quick.sink, -1).version === 4);
    await live.scoring.submit(board, { memberId: 'a', score: 7 });
    await until(() => field(quick.sink, -1).version === 5);
    slow.sink.full = false;
    await arrived(slow.sink, 2);
    expect(field(slow.sink, 1)).toEqual({ version: 5, previousRank: 3, entry: { rank: 2 } });
    expect(field(quick.sink, -1)).toEqual({ version: 5, previousRank: 1, entry: { rank: 2 } });
    expect(slow.sink.frames).toHaveLength(2);
  });

  test('L3: gets the changes since the frame it took, not since one it missed', async () => {
    const { sink } = await join(patches);
    const watcher = await join(top);
    await arrived(sink, 1);
    sink.full = true;
    await live.scoring.submit(board, { memberId: 'c', score: 5 });
    await until(() => field(watcher.sink, -1).version === 4);
    await live.scoring.submit(board, { memberId: 'b', score: 6 });
    await until(() => field(watcher.sink, -1).version === 5);
    sink.full = false;
    await arrived(sink, 2);
    expect(field(sink, 1)).toMatchObject({ version: 5, entries: null });
    expect(field(sink, 1).changes).toEqual([
      { kind: 'LEFT', memberId: 'a' },
      { kind: 'MOVED', memberId: 'b' },
      { kind: 'ENTERED', memberId: 'c' },
    ]);
  });

  test('is not sent more often than it asked for', async () => {
    const paced = await join(top, { ms: 60_000 });
    const quick = await join(top);
    await Promise.all([arrived(paced.sink, 1), arrived(quick.sink, 1)]);
    await live.scoring.submit(board, { memberId: 'c', score: 5 });
    await arrived(quick.sink, 2);
    expect(paced.sink.frames).toHaveLength(1);
  });
});

describe('since', () => {
  test('leaves out a state that the reader has seen, and says resync where it has not', async () => {
    const first = await join(top);
    await arrived(first.sink, 1);
    const { position } = field(first.sink, 0);
    const same = await join(top, { since: position });
    await live.scoring.submit(board, { memberId: 'c', score: 5 });
    await Promise.all([arrived(same.sink, 1), arrived(first.sink, 2)]);
    expect(field(same.sink, 0).version).toBe(4);
    const resumed =
      'subscription($board: String!, $since: String) { entriesChanged(leaderboard: $board, since: $since) { resync version } }';
    const late = await join(resumed, { since: position });
    await arrived(late.sink, 1);
    expect(field(late.sink, 0)).toEqual({ resync: true, version: 4 });
    const fresh = await join(resumed);
    await arrived(fresh.sink, 1);
    expect(field(fresh.sink, 0)).toEqual({ resync: false, version: 4 });
  });

  test.each([
    ['throttleMs', { ms: 60_001 }],
    ['throttleMs', { ms: -1 }],
  ])('a wrong %s is refused', async (_, more) => {
    const joined = await live.subscribe(top, { board, ...more }, new CollectingSink());
    expect('errors' in joined && joined.errors[0]?.extensions.code).toBe('BAD_INPUT');
  });
});

test('L5: a board that is deleted ends its subscriptions', async () => {
  const { sink } = await join(top);
  await arrived(sink, 1);
  await live.boards.remove(board);
  await until(() => sink.completed);
  await until(() => live.hub.counts().boards === 0);
});
