import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { SocketClient } from '../support/websocket-client.ts';

interface State {
  version: number;
  resync: boolean;
  period: { key: string; state: string };
  entries: { memberId: string; score: number }[];
}

const query = `subscription($key: String!, $cadence: Cadence, $period: String) {
  entriesChanged(leaderboard: $key, cadence: $cadence, period: $period) {
    version resync period { key state } entries { memberId score } } }`;
const rank =
  'subscription($key: String!) { rankChanged(leaderboard: $key, memberId: "ann") { period { key } entry { score } } }';
const feed = 'subscription($key: String!) { scoreApplied(leaderboard: $key) { memberId period { key } } }';

it('rule L4: who follows the current period is led over its edge, and told so', async () => {
  let now = Date.parse('2026-03-28T23:59:30+01:00');
  const { api, url } = await startTestApp({}, { clock: () => now });
  const key = await api.createBoard({ cadences: ['DAILY', 'MONTHLY'], timeZone: 'Europe/Zurich' });
  await api.score(key, 'ann', 1);
  const client = new SocketClient(url);
  const day = client.watch<State>(query, { key });
  const month = client.watch<State>(query, { key, cadence: 'MONTHLY' });
  const fixed = client.watch<State>(query, { key, period: '2026-03-28' });
  const place = client.watch<{ period: { key: string }; entry: { score: number } | null }>(rank, { key });
  const events = client.watch<{ memberId: string; period: { key: string } }>(feed, { key });
  const first = { period: { key: '2026-03-28', state: 'OPEN' }, entries: [{ memberId: 'ann', score: 1 }] };
  expect(await day.next()).toMatchObject(first);
  expect(await fixed.next()).toMatchObject(first);
  expect(await month.next()).toMatchObject({ period: { key: '2026-03' } });
  expect(await place.next()).toEqual({ period: { key: '2026-03-28' }, entry: { score: 1 } });

  // Nothing is written: the edge alone moves them, and a day with 23 hours is one too.
  now = Date.parse('2026-03-29T00:00:01+01:00');
  expect(await day.next()).toMatchObject({ period: { key: '2026-03-29', state: 'OPEN' }, entries: [], version: 0 });
  expect(await place.next()).toEqual({ period: { key: '2026-03-29' }, entry: null });
  now = Date.parse('2026-03-30T00:00:01+02:00');
  expect(await day.next()).toMatchObject({ period: { key: '2026-03-30' }, entries: [], version: 0 });

  await api.score(key, 'bob', 2);
  expect(await day.next()).toMatchObject({
    period: { key: '2026-03-30' },
    entries: [{ memberId: 'bob', score: 2 }],
    version: 1,
  });
  expect(await month.next()).toMatchObject({ period: { key: '2026-03' }, version: 2 });
  expect(await events.next()).toEqual({ memberId: 'bob', period: { key: '2026-03-30' } });
  expect(fixed.items).toHaveLength(1);
});
