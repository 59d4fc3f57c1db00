import { expect, it } from 'vitest';
import { channels } from '../../src/redis/keys.ts';
import { startTestApp } from '../support/app.ts';
import { openEventStream } from '../support/event-stream.ts';
import { connectRedis } from '../support/redis-client.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { until } from '../support/until.ts';
import { SocketClient } from '../support/websocket-client.ts';

interface ScoreEvent {
  version: number;
  position: string;
  kind: string;
  memberId: string;
  score: number | null;
  previousScore: number | null;
  rank: number | null;
  previousRank: number | null;
  occurredAt: string;
  gap: boolean;
  period: { key: string; leaderboard: { title: string } };
}

const query = `subscription($key: String!, $cadence: Cadence, $period: String) {
  scoreApplied(leaderboard: $key, cadence: $cadence, period: $period) {
    version position kind memberId score previousScore rank previousRank occurredAt gap period { key leaderboard { title } } } }`;

/** Whether Redis knows somebody who listens to the board: only then has a feed, which has no first state, begun. */
async function begun(key: string): Promise<void> {
  const redis = await connectRedis();
  await until(async () => (await redis.pubsub('CHANNELS', channels.board(key))).length > 0);
}

it('scoreApplied sends every applied change in order, each with what it did', async () => {
  const { api, url } = await startTestApp();
  const key = await api.createBoard({ scoreScale: 1 });
  await api.scores(key, { ann: 1, bob: 2 });
  const feed = new SocketClient(url).watch<ScoreEvent>(query, { key });
  await begun(key);
  const occurredAt = '2020-02-03T04:05:06.000Z';
  await api.score(key, 'ann', 3.5, { occurredAt });
  await api.score(key, 'ann', 0.5);
  await api.score(key, 'new', 3.5);
  await api.data(
    'mutation($key: String!) { removeEntry(input: { leaderboard: $key, memberId: "bob" }) { removed { version } } }',
    { key },
  );
  expect(await feed.next()).toMatchObject({
    version: 3,
    kind: 'APPLIED',
    memberId: 'ann',
    score: 3.5,
    previousScore: 1,
    rank: 1,
    previousRank: 2,
    occurredAt,
    gap: false,
    period: { key: 'all' },
  });
  expect(await feed.next()).toMatchObject({
    version: 4,
    memberId: 'new',
    score: 3.5,
    previousScore: null,
    rank: 1,
    previousRank: null,
  });
  expect(await feed.next()).toMatchObject({
    version: 5,
    kind: 'REMOVED',
    memberId: 'bob',
    score: null,
    rank: null,
    previousScore: 2,
    previousRank: 3,
  });
  expect(feed.items).toHaveLength(3);
});

it('a burst is neither reordered nor thinned out, over a websocket and an event stream', async () => {
  const { api, url } = await startTestApp();
  const key = await api.createBoard({ scorePolicy: 'SUM' });
  const feed = new SocketClient(url).watch<ScoreEvent>(query, { key });
  const stream = await openEventStream(url, query, { key });
  await begun(key);
  const scores = Array.from({ length: 500 }, (_, i) => ({ memberId: `m${i % 9}`, score: 1 }));
  await api.data('mutation($input: SubmitScoresInput!) { submitScores(input: $input) { duplicate } }', {
    input: { leaderboard: key, scores },
  });
  await feed.find(({ version }) => version === 500);
  const versionOf = ({ data }: (typeof stream.items)[0]) => (data?.scoreApplied as ScoreEvent | undefined)?.version;
  await stream.find((result) => versionOf(result) === 500);
  const inOrder = Array.from({ length: 500 }, (_, i) => i + 1);
  expect(feed.items.map(({ version }) => version)).toEqual(inOrder);
  expect(stream.items.map(versionOf)).toEqual(inOrder);
  expect(feed.items.some(({ gap }) => gap)).toBe(false);
});

it('a feed is of one period: the current one of the first cadence unless told otherwise', async () => {
  const clock = () => Date.parse('2026-05-15T12:00:00Z');
  const { api, url } = await startTestApp({}, { clock });
  const key = await api.createBoard({ cadences: ['ALL_TIME', 'YEARLY'], graceSeconds: 366 * 86_400 });
  const client = new SocketClient(url);
  const feeds = [{}, { cadence: 'YEARLY' }, { period: '2025' }].map((which) =>
    client.watch<ScoreEvent>(query, { key, ...which }),
  );
  // A window begins after what was asked before it on the same socket.
  await client.watch('subscription($key: String!) { entriesChanged(leaderboard: $key) { version } }', { key }).next();
  await api.score(key, 'ann', 1, { occurredAt: '2025-12-31T00:00:00Z' });
  await api.score(key, 'bob', 2);
  const seen = await Promise.all(
    feeds.map(async (feed, i) => {
      await feed.find(({ memberId }) => memberId === (i === 2 ? 'ann' : 'bob'));
      return feed.items.map(({ period, memberId }) => `${period.key} ${memberId}`);
    }),
  );
  expect(seen).toEqual([['all ann', 'all bob'], ['2026 bob'], ['2025 ann']]);
});

it('rule L3: an event that was lost on the way is marked as a gap before the next one', async () => {
  const { api, url } = await startTestApp();
  const key = await api.createBoard();
  const feed = new SocketClient(url).watch<ScoreEvent>(query, { key });
  await begun(key);
  await api.score(key, 'ann', 1);
  await feed.next();
  await (await connectRedis()).hincrby(`lb:{${key}}:all#meta`, 'version', 1);
  await api.score(key, 'ann', 2);
  expect(await feed.next()).toMatchObject({ version: 3, gap: true });
  await api.score(key, 'ann', 3);
  expect(await feed.next()).toMatchObject({ version: 4, gap: false });
});

it('rules L1, L3: what was missed while a connection was lost comes from the log, without a gap', async () => {
  const proxy = await startRedisProxy();
  const { api, url } = await startTestApp({ redisUrl: proxy.path });
  const key = await api.createBoard();
  const feed = new SocketClient(url).watch<ScoreEvent>(query, { key });
  await begun(key);
  proxy.cutSubscribers();
  const redis = await connectRedis();
  await until(async () => (await redis.pubsub('CHANNELS', channels.board(key))).length === 0);
  await api.score(key, 'ann', 1);
  expect(await feed.next()).toMatchObject({ version: 1, gap: false });
  await begun(key);
  await api.score(key, 'ann', 2);
  expect(await feed.next()).toMatchObject({ version: 2, gap: false });
});

it('shows the board as it is now, not as it was when the feed began', async () => {
  const { api, url } = await startTestApp();
  const key = await api.createBoard({ title: 'Old' });
  const feed = new SocketClient(url).watch<ScoreEvent>(query, { key });
  await begun(key);
  await api.score(key, 'ann', 1);
  expect((await feed.next()).period.leaderboard.title).toBe('Old');
  await api.data(
    'mutation($key: String!) { updateLeaderboard(input: { key: $key, title: "New" }) { leaderboard { id } } }',
    { key },
  );
  for (let score = 2; ; score += 1) {
    await api.score(key, 'ann', score);
    const { period } = await feed.next();
    if (period.leaderboard.title === 'New') break;
  }
});
