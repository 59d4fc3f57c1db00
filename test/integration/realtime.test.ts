import { describe, expect, test } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { openEventStream } from '../support/event-stream.ts';
import { SocketClient } from '../support/websocket-client.ts';

interface EntriesState {
  version: number;
  resync: boolean;
  position: string;
  entries: { memberId: string; score: number; rank: number }[] | null;
  changes: { kind: string; memberId: string; index: number | null; previousIndex: number | null }[];
}

const top = `subscription($board: String!, $first: Int = 3, $mode: UpdateMode! = STATE, $since: String) {
  entriesChanged(leaderboard: $board, first: $first, mode: $mode, since: $since) {
    version resync position entries { memberId score rank } changes { kind memberId index previousIndex }
  }
}`;

const rank = `subscription($board: String!, $member: String!) {
  rankChanged(leaderboard: $board, memberId: $member) {
    version resync entry { rank index score tieCount } previousRank
    passedByCount passedBy { memberId rank } passedCount passed { memberId rank }
  }
}`;

describe('entriesChanged', () => {
  test('over a websocket and an event stream, state and patch', async () => {
    const { api, url } = await startTestApp();
    const board = await api.createBoard();
    await api.scores(board, { a: 1, b: 2, c: 3 });
    const client = new SocketClient(url);
    const states = client.watch<EntriesState>(top, { board });
    const patches = client.watch<EntriesState>(top, { board, mode: 'PATCH' });
    const stream = await openEventStream(url, top, { board });
    expect((await states.next()).entries).toMatchObject([{ memberId: 'c' }, { memberId: 'b' }, { memberId: 'a' }]);
    expect((await patches.next()).entries).toHaveLength(3);
    expect((await stream.next()).data).toMatchObject({ entriesChanged: { version: 3 } });
    await api.score(board, 'd', 9);
    expect(await states.next()).toMatchObject({ version: 4, entries: [{ memberId: 'd', rank: 1 }, {}, {}] });
    expect(await patches.next()).toMatchObject({
      entries: null,
      changes: [
        { kind: 'LEFT', memberId: 'a', index: null, previousIndex: 2 },
        { kind: 'ENTERED', memberId: 'd', index: 0, previousIndex: null },
        { kind: 'MOVED', memberId: 'c', index: 1, previousIndex: 0 },
        { kind: 'MOVED', memberId: 'b', index: 2, previousIndex: 1 },
      ],
    });
    expect((await stream.next()).data).toMatchObject({
      entriesChanged: { version: 4, entries: [{ memberId: 'd' }, {}, {}] },
    });
  });
});

describe('rankChanged', () => {
  test('says who passed and who was passed', async () => {
    const { api, url } = await startTestApp();
    const board = await api.createBoard({ scorePolicy: 'LATEST' });
    await api.scores(board, { a: 10, b: 20, c: 30, d: 40, e: 50 });
    const live = new SocketClient(url).watch(rank, { board, member: 'c' });
    expect(await live.next()).toMatchObject({ entry: { rank: 3 }, passedByCount: null, passedBy: [] });
    await api.score(board, 'a', 35);
    expect(await live.next()).toMatchObject({
      entry: { rank: 4, index: 3 },
      ...{ previousRank: 3, passedByCount: 1, passedBy: [{ memberId: 'a', rank: 3 }], passedCount: 0, passed: [] },
    });
    await api.score(board, 'c', 45);
    expect(await live.next()).toMatchObject({
      entry: { rank: 2 },
      ...{ previousRank: 4, passedByCount: 0, passedBy: [], passedCount: 2 },
      passed: [
        { memberId: 'd', rank: 3 },
        { memberId: 'a', rank: 4 },
      ],
    });
  });
});

interface ScoreState {
  version: number;
  memberId: string;
  gap: boolean;
  position: string;
}

test('scoreApplied replays what came after a position', async () => {
  const { api, url } = await startTestApp();
  const board = await api.createBoard();
  const feed = `subscription($board: String!, $since: String) {
    scoreApplied(leaderboard: $board, since: $since) { version memberId gap position }
  }`;
  const client = new SocketClient(url);
  const first = client.watch<ScoreState>(feed, { board });
  const ready = client.watch<EntriesState>(top, { board });
  await ready.next();
  await api.score(board, 'a', 1);
  const { position } = await first.next();
  first.stop();
  await api.scores(board, { b: 2, c: 3 });
  const second = client.watch<ScoreState>(feed, { board, since: position });
  expect(await second.next()).toMatchObject({ version: 2, memberId: 'b', gap: false });
  expect(await second.next()).toMatchObject({ version: 3, memberId: 'c', gap: false });
  await api.score(board, 'd', 4);
  expect(await second.next()).toMatchObject({ version: 4, memberId: 'd', gap: false });
  const foreign = client.watch<ScoreState>(feed, { board, since: 'all/other/1' });
  await ready.find(({ version }) => version === 4);
  await api.score(board, 'e', 5);
  expect((await foreign.next()).gap).toBe(true);
});
