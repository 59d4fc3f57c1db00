import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import type { Collector } from '../support/collector.ts';
import { openEventStream } from '../support/event-stream.ts';
import { type Api, descending } from '../support/graphql-client.ts';
import { SocketClient } from '../support/websocket-client.ts';

interface State {
  position: string;
  version: number;
  resync: boolean;
  stale: boolean;
  period: { key: string; version: number };
  entries: { memberId: string; rank: number; score: number; version: number; member: { displayName: string | null } }[];
}

interface RankState extends Omit<State, 'entries'> {
  entry: { rank: number; score: number } | null;
  previousRank: number | null;
  previousScore: number | null;
}

const head = 'position version resync stale period { key version }';
const entries = `subscription($key: String!, $first: Int! = 3, $since: String, $throttleMs: Int! = 0, $period: String, $cadence: Cadence) {
  entriesChanged(leaderboard: $key, first: $first, since: $since, throttleMs: $throttleMs, period: $period, cadence: $cadence) {
    ${head} entries { memberId rank score version member { displayName } } } }`;
const rank = `subscription($key: String!, $member: String!) { rankChanged(leaderboard: $key, memberId: $member) {
    ${head} entry { rank score } previousRank previousScore } }`;

const scoresOf = ({ entries: list }: State) => list.map(({ memberId, score }) => `${memberId}:${score}`).join(' ');
const remove = (api: Api, key: string, memberId: string) =>
  api.data(
    'mutation($key: String!, $m: String!) { removeEntry(input: { leaderboard: $key, memberId: $m }) { removed { version } } }',
    { key, m: memberId },
  );

/** Both transports, in one form. */
const transports: [
  string,
  (url: string, query: string, variables: Record<string, unknown>) => Promise<Collector<unknown>>,
][] = [
  ['a websocket', async (url, query, variables) => new SocketClient(url).results(query, variables)],
  ['an event stream', openEventStream],
];

describe.each(transports)('over %s', (_, open) => {
  it('rule L1: the current state comes first, then the changes of the top entries', async () => {
    const { api, url } = await startTestApp();
    const key = await api.createBoard();
    await api.scores(key, descending(5));
    const live = await open(url, entries, { key });
    const next = async () => ((await live.next()) as { data: { entriesChanged: State } }).data.entriesChanged;
    const first = await next();
    expect(scoresOf(first)).toBe('m0:50 m1:40 m2:30');
    expect(first).toMatchObject({ version: 5, resync: false, stale: false, period: { key: 'all', version: 5 } });
    await api.score(key, 'm4', 45);
    const second = await next();
    expect(scoresOf(second)).toBe('m0:50 m4:45 m1:40');
    expect(second).toMatchObject({ version: 6, resync: false, stale: false });
    expect(second.entries.map((entry) => entry.version)).toEqual([6, 6, 6]);
    expect(second.position).not.toBe(first.position);
  });

  it('a member’s rank comes first, then whenever it changes, with the one before', async () => {
    const { api, url } = await startTestApp();
    const key = await api.createBoard();
    await api.scores(key, descending(3));
    const live = await open(url, rank, { key, member: 'm1' });
    const next = async () => ((await live.next()) as { data: { rankChanged: RankState } }).data.rankChanged;
    expect(await next()).toMatchObject({ entry: { rank: 2, score: 20 }, previousRank: null, previousScore: null });
    await api.score(key, 'm2', 25);
    expect(await next()).toMatchObject({ entry: { rank: 3, score: 20 }, previousRank: 2, previousScore: 20 });
    await api.score(key, 'm1', 100);
    expect(await next()).toMatchObject({ entry: { rank: 1, score: 100 }, previousRank: 3, previousScore: 20 });
    await remove(api, key, 'm1');
    expect(await next()).toMatchObject({ entry: null, previousRank: 1, previousScore: 100 });
    await api.score(key, 'm1', 7);
    expect(await next()).toMatchObject({ entry: { rank: 3, score: 7 }, previousRank: null, previousScore: null });
  });

  it('what cannot be watched is an error with its code, and holds nothing', async () => {
    const { api, url, counts } = await startTestApp();
    const key = await api.createBoard();
    const wrong: [string, Record<string, unknown>, string][] = [
      [entries, { key: `${key}x` }, 'LEADERBOARD_NOT_FOUND'],
      [entries, { key, period: '2026' }, 'PERIOD_NOT_FOUND'],
      [entries, { key, cadence: 'DAILY' }, 'PERIOD_NOT_FOUND'],
      [entries, { key, first: 0 }, 'PAGE_TOO_LARGE'],
      [entries, { key, first: 101 }, 'PAGE_TOO_LARGE'],
      [entries, { key, throttleMs: -1 }, 'BAD_INPUT'],
      [entries, { key, throttleMs: 60_001 }, 'BAD_INPUT'],
      [rank, { key, member: '' }, 'BAD_MEMBER_ID'],
      [
        'subscription($key: String!) { scoreApplied(leaderboard: $key, cadence: DAILY) { version } }',
        { key },
        'PERIOD_NOT_FOUND',
      ],
    ];
    for (const [query, variables, code] of wrong) {
      const live = await open(url, query, variables);
      expect(await live.next()).toMatchObject({ errors: [{ extensions: { code } }] });
    }
    expect(counts()).toEqual({ boards: 0, windows: 0, subscribers: 0, feeds: 0 });
  });
});

describe('states', () => {
  it('rule L2: have versions that only grow, and end on the last write', async () => {
    const { api, url } = await startTestApp();
    const key = await api.createBoard();
    const lives = [1, 3, 50].map((first) => new SocketClient(url).watch<State>(entries, { key, first }));
    await Promise.all(lives.map((live) => live.next()));
    for (let i = 1; i <= 150; i += 1) await api.score(key, `m${i % 7}`, i);
    for (const live of lives) {
      await live.find(({ entries: [best] }) => best?.score === 150);
      const versions = live.items.map(({ version }) => version);
      expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
      for (const { entries: list, version, period } of live.items) {
        expect(list.every((entry) => entry.version === version)).toBe(true);
        expect(period.version).toBeGreaterThanOrEqual(version);
      }
    }
  });

  it('load names anew for each one', async () => {
    const { api, url } = await startTestApp();
    const key = await api.createBoard();
    const member = `named-${key}`;
    await api.names({ [member]: 'Before' });
    await api.score(key, member, 1);
    const live = new SocketClient(url).watch<State>(entries, { key });
    expect((await live.next()).entries[0]?.member.displayName).toBe('Before');
    await api.names({ [member]: 'After' });
    await api.score(key, member, 2);
    expect((await live.next()).entries[0]?.member.displayName).toBe('After');
  });

  it('are not sent where nothing that is watched changed', async () => {
    const { api, url } = await startTestApp();
    const key = await api.createBoard();
    await api.scores(key, descending(5));
    const [top, all] = [1, 10].map((first) => new SocketClient(url).watch<State>(entries, { key, first }));
    await Promise.all([top?.next(), all?.next()]);
    await api.score(key, 'm4', 11);
    await all?.next();
    await api.score(key, 'm0', 60);
    expect(await top?.next()).toMatchObject({ version: 7 });
    expect(top?.items).toHaveLength(2);
  });

  it('with `since` leave out the first where it is the one that was had', async () => {
    const { api, url } = await startTestApp();
    const key = await api.createBoard();
    await api.scores(key, descending(3));
    const client = new SocketClient(url);
    const before = client.watch<State>(entries, { key });
    const { position } = await before.next();
    before.stop();
    const same = client.watch<State>(entries, { key, since: position });
    // One that began later has its state: so had the other, if it were to have one.
    await client.watch<State>(entries, { key }).next();
    await api.score(key, 'm2', 100);
    expect(await same.next()).toMatchObject({ version: 4, resync: false });
    const late = client.watch<State>(entries, { key, since: position });
    expect(await late.next()).toMatchObject({ version: 4, resync: true });
    expect(same.items).toHaveLength(1);
  });

  it('with `throttleMs` come as far apart, the latest each time', async () => {
    const { api, url } = await startTestApp();
    const key = await api.createBoard();
    await api.score(key, 'ann', 0);
    const client = new SocketClient(url);
    const [fast, slow] = [0, 60_000].map((throttleMs) => client.watch<State>(entries, { key, throttleMs }));
    await Promise.all([fast?.next(), slow?.next()]);
    for (let i = 1; i <= 10; i += 1) {
      await api.score(key, 'ann', i);
      await fast?.find(({ entries: [best] }) => best?.score === i);
    }
    expect(slow?.items).toHaveLength(1);
    const paced = client.watch<State>(entries, { key, throttleMs: 400 });
    await paced.next();
    const began = performance.now();
    for (let i = 11; i <= 13; i += 1) {
      await api.score(key, 'ann', i);
      await fast?.find(({ entries: [best] }) => best?.score === i);
    }
    expect(await paced.find(({ entries: [best] }) => best?.score === 13)).toMatchObject({ version: 14 });
    expect(paced.items.length - 1).toBeLessThanOrEqual(1 + Math.floor((performance.now() - began) / 400));
  });
});

describe('the connection', () => {
  it('with a wrong key is closed with 4403, which clients may try again', async () => {
    const { url } = await startTestApp();
    for (const authorization of ['Bearer wrong', 'nonsense']) {
      const client = new SocketClient(url, { authorization });
      await client.results('{ __typename }').ended();
      expect(client.closed?.code).toBe(4403);
    }
  });

  it('with the right key may write, without one only watch', async () => {
    const { api, url } = await startTestApp();
    const key = await api.createBoard();
    const write =
      'mutation($key: String!) { submitScore(input: { leaderboard: $key, memberId: "a", score: 1 }) { applied } }';
    const refused = await new SocketClient(url).results(write, { key }).next();
    expect(refused).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    for (const name of ['authorization', 'Authorization']) {
      const client = new SocketClient(url, { [name]: 'Bearer integration-0123456789' });
      expect(await client.results(write, { key }).next()).toMatchObject({ data: { submitScore: {} } });
    }
  });
});
