import { describe, expect, it } from 'vitest';
import { keys } from '../../src/redis/keys.ts';
import { startTestApp } from '../support/app.ts';
import { openEventStream } from '../support/event-stream.ts';
import { connectRedis } from '../support/redis-client.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { until } from '../support/until.ts';
import { SocketClient } from '../support/websocket-client.ts';

interface Update {
  period: { key: string };
  state: string;
  gap: boolean;
}

const turns = 'subscription($key: String!) { periodChanged(leaderboard: $key) { period { key } state gap } }';
const top = `subscription($key: String!, $period: String) {
  entriesChanged(leaderboard: $key, period: $period) { version stale entries { memberId } } }`;
const close = `mutation($key: String!, $period: String!) {
  closePeriod(input: { leaderboard: $key, period: $period }) { period { key } } }`;

const nothing = { boards: 0, windows: 0, subscribers: 0, feeds: 0 };

/** An app at an instant that the test moves, and a board of days with an hour of grace. */
async function days(redisUrl?: string) {
  let now = Date.parse('2026-05-15T23:59:50Z');
  const app = await startTestApp(redisUrl === undefined ? {} : { redisUrl }, { clock: () => now });
  const key = await app.api.createBoard({ cadences: ['DAILY'], graceSeconds: 3_600 });
  const at = (instant: string) => {
    now = Date.parse(instant);
  };
  return { ...app, key, at, client: new SocketClient(app.url) };
}

const update = (period: string, state: string): Update => ({ period: { key: period }, state, gap: false });

describe('periodChanged', () => {
  it('tells the current periods, then each that ends, begins or closes, however many look', async () => {
    const { api, url, key, at, client, counts } = await days();
    await api.score(key, 'ann', 1);
    const live = client.watch<Update>(turns, { key });
    const stream = await openEventStream(url, turns, { key });
    expect(await live.next()).toEqual(update('2026-05-15', 'OPEN'));
    at('2026-05-16T00:00:01Z');
    expect(await live.next()).toEqual(update('2026-05-15', 'GRACE'));
    expect(await live.next()).toEqual(update('2026-05-16', 'OPEN'));

    // Who comes later shares what is sent, and is told of what is current first all the same.
    const late = client.watch<Update>(turns, { key });
    expect(await late.next()).toEqual(update('2026-05-16', 'OPEN'));
    expect(counts()).toMatchObject({ subscribers: 3, feeds: 1 });
    await api.data(close, { key, period: '2026-05-15' });
    expect(await live.next()).toEqual(update('2026-05-15', 'CLOSED'));
    expect(await late.next()).toEqual(update('2026-05-15', 'CLOSED'));
    const stateOf = ({ data }: (typeof stream.items)[0]) => (data?.periodChanged as Update | undefined)?.state;
    await stream.find((result) => stateOf(result) === 'CLOSED');
    expect(stream.items.map(stateOf)).toEqual(['OPEN', 'GRACE', 'OPEN', 'CLOSED']);

    for (const { stop } of [live, late]) stop();
    stream.hangUp();
    await until(() => JSON.stringify(counts()) === JSON.stringify(nothing));
  });

  it('a day in which nothing was written is over with its grace, though nobody announces it', async () => {
    const { key, at, client } = await days();
    const live = client.watch<Update>(turns, { key });
    await live.next();
    at('2026-05-16T00:59:59Z');
    expect(await live.next()).toEqual(update('2026-05-15', 'GRACE'));
    expect(await live.next()).toEqual(update('2026-05-16', 'OPEN'));
    at('2026-05-16T01:00:00Z');
    expect(await live.next()).toEqual(update('2026-05-15', 'CLOSED'));
  });

  it('rule L1: a closing that was announced to nobody is found all the same', async () => {
    const proxy = await startRedisProxy();
    const { api, key, at, client } = await days(proxy.path);
    await api.score(key, 'ann', 1);
    const live = client.watch<Update>(turns, { key });
    await live.next();
    at('2026-05-16T01:00:00Z');
    expect(await live.next()).toEqual(update('2026-05-15', 'GRACE'));
    expect(await live.next()).toEqual(update('2026-05-16', 'OPEN'));
    proxy.cutSubscribers();
    // As freeze.lua leaves it, but for the message.
    const record = { closedAt: 0, version: 1, epoch: 'e', entryCount: 1 };
    await (await connectRedis()).hset(keys.closed(key), '2026-05-15', JSON.stringify(record));
    expect(await live.next()).toMatchObject({ period: { key: '2026-05-15' }, state: 'CLOSED' });
  });

  it('ends with its board, and begins with none', async () => {
    const { api, key, client, counts } = await days();
    const live = client.watch<Update>(turns, { key });
    await live.next();
    await api.deleteBoard(key);
    expect(await live.ended()).toBe('complete');
    const none = client.results(turns, { key });
    expect((await none.next()).errors).toMatchObject([{ extensions: { code: 'LEADERBOARD_NOT_FOUND' } }]);
    await until(() => JSON.stringify(counts()) === JSON.stringify(nothing));
  });
});

it('a period that is gone for good ends who looks at it, and keeps nobody from another', async () => {
  const { api, key, client } = await days();
  await api.score(key, 'ann', 1);
  const copy = `mutation($key: String!) {
    createSnapshot(input: { leaderboard: $key, period: "2026-05-15", ttlSeconds: 600 }) { period { key } } }`;
  await api.data(copy, { key });
  const period = '2026-05-15@1';
  const [gone, day] = [period, '2026-05-15'].map((which) =>
    client.watch<{ version: number; stale: boolean }>(top, { key, period: which }),
  );
  expect(await gone?.next()).toMatchObject({ entries: [{ memberId: 'ann' }] });
  await day?.next();
  await (await connectRedis()).unlink(keys.ranking(key, period), keys.meta(key, period));
  expect(await gone?.ended()).toBe('complete');
  await api.score(key, 'bob', 2);
  expect(await day?.next()).toMatchObject({ version: 2, stale: false });
  const again = client.results(top, { key, period });
  expect((await again.next()).errors).toMatchObject([{ extensions: { code: 'PERIOD_EXPIRED' } }]);
});
