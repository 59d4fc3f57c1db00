import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { openEventStream } from '../support/event-stream.ts';
import type { Api } from '../support/graphql-client.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { SocketClient } from '../support/websocket-client.ts';

interface State {
  version: number;
  entries: { memberId: string; score: number }[];
}

const entries =
  'subscription($key: String!) { entriesChanged(leaderboard: $key) { version entries { memberId score } } }';
const feed = 'subscription($key: String!) { scoreApplied(leaderboard: $key) { version memberId } }';

/** What holds between any two that share a Redis, whether they share a process or not. */
async function expectTheyAgree(writer: Api, reader: Api): Promise<void> {
  const key = await writer.createBoard();
  const client = new SocketClient(reader.url);
  const events = client.watch<{ version: number; memberId: string }>(feed, { key });
  const live = client.watch<State>(entries, { key });
  const stream = await openEventStream(reader.url, entries, { key });
  expect(await live.next()).toEqual({ version: 0, entries: [] });
  expect(await stream.next()).toMatchObject({ data: { entriesChanged: { version: 0 } } });
  await writer.score(key, 'ann', 5);
  const state = { version: 1, entries: [{ memberId: 'ann', score: 5 }] };
  expect(await live.next(2_000)).toEqual(state);
  expect(await stream.next(2_000)).toEqual({ data: { entriesChanged: state } });
  expect(await events.next()).toEqual({ version: 1, memberId: 'ann' });

  await writer.deleteBoard(key);
  expect(await live.ended()).toBe('complete');
}

/** What a process remembers of a board must not outlive what another one does to it, also where nothing else tells. */
async function expectFreshDefinitions(writer: Api, reader: Api): Promise<void> {
  const key = await writer.createBoard({ title: 'First' });
  const titleIs = async (title: string | null) => {
    const { leaderboard } = await reader.data<{ leaderboard: { title: string } | null }>(
      'query($key: String!) { leaderboard(key: $key) { title } }',
      { key },
    );
    return (leaderboard?.title ?? null) === title;
  };
  expect(await titleIs('First')).toBe(true);
  const update =
    'mutation($key: String!) { updateLeaderboard(input: { key: $key, title: "Second" }) { leaderboard { id } } }';
  await writer.data(update, { key });
  await until(() => titleIs('Second'));
  await writer.deleteBoard(key);
  await until(() => titleIs(null));
}

it('two apps on one Redis: a score sent to one is seen by a subscriber of the other', async () => {
  const [one, other] = [await startTestApp(), await startTestApp()];
  await expectTheyAgree(one.api, other.api);
  await expectTheyAgree(other.api, one.api);
  await expectFreshDefinitions(one.api, other.api);
});

it('two processes on one Redis: a score sent to one is seen by a subscriber of the other', async () => {
  const [one, other] = await Promise.all([startService(), startService()]);
  await expectTheyAgree(one.api, other.api);
  await expectFreshDefinitions(one.api, other.api);
});

it('writes of several processes at once are all counted, and all of them end on the same state', async () => {
  const apps = [await startTestApp(), await startTestApp(), await startTestApp()];
  const key = await apps[0]?.api.createBoard({ scorePolicy: 'SUM' });
  if (!key) throw new Error('unreachable');
  const lives = apps.map(({ url }) => new SocketClient(url).watch<State>(entries, { key }));
  await Promise.all(lives.map((live) => live.next()));
  await Promise.all(
    apps.map(async ({ api }) => {
      for (let i = 0; i < 40; i += 1) await api.score(key, `m${i % 3}`, 1);
    }),
  );
  const final = await Promise.all(lives.map((live) => live.find(({ version }) => version === 120)));
  expect(final[0]?.entries.map(({ score }) => score)).toEqual([42, 39, 39]);
  for (const state of final) expect(state).toEqual(final[0]);
});
