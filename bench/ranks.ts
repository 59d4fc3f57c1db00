import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Leaderboard as Peer } from 'redis-rank';
import type { Cursor } from '../src/core/cursor.ts';
import type { Leaderboard } from '../src/core/leaderboard.ts';
import type { PageRead } from '../src/core/reading.ts';
import { periodKeys } from '../src/redis/keys.ts';
import { compare, row, say, tableHead, throughput } from './measure.ts';
import { memberId, openStore, type Store } from './store.ts';

/**
 * What ranks and pages cost on a large board, against the bare sorted set and against redis-rank on the same Redis, all
 * in one run: `npm run bench:ranks [entries]`.
 */
const entries = Number(process.argv[2] ?? 1_000_000);

/** An index in the middle of the tie group, which is the worse half of its board. */
const inTie = Math.floor((entries * 3) / 4);

/** Each score once, in no order: scores do not come in order of rank, with neighbours side by side in memory. */
const shuffled = (i: number) => (i * 7_919) % entries;

const page = (over: Partial<PageRead>): PageRead => ({
  kind: 'page',
  window: { kind: 'all' },
  after: null,
  before: null,
  offset: 0,
  first: 20,
  last: null,
  ...over,
});

const readPage = (store: Store, board: Leaderboard, read: PageRead) =>
  store.entries.read(board, [{ period: 'all', read }]);

async function cursorAt(store: Store, board: Leaderboard, index: number): Promise<Cursor> {
  const [{ head, standings }] = await readPage(store, board, page({ offset: index, first: 1 }));
  const standing = standings[0];
  if (!standing) throw new Error(`no entry at ${index}`);
  const { key, incarnation } = board;
  const { epoch, version } = head;
  const { score, ordered: member } = standing;
  return { board: key, incarnation, period: 'all', epoch, version, index, score, member };
}

/** The place just behind a cursor's, held by nobody. */
const gone = (cursor: Cursor): Cursor => ({ ...cursor, member: `${cursor.member}~` });

/** Keeps Redis from rewriting its append-only file, which the filling set off, beside what is measured. */
async function settle(redis: Redis): Promise<void> {
  await redis.config('SET', 'auto-aof-rewrite-percentage', '0');
  while (!(await redis.info('persistence')).includes('aof_rewrite_in_progress:0')) await pause(200);
}

/** Microseconds of Redis CPU per script call, while `run` makes `calls` of them. */
async function cpuPerCall(redis: Redis, calls: number, run: (i: number) => Promise<unknown>): Promise<number> {
  await redis.config('RESETSTAT');
  for (let i = 0; i < calls; i += 1) await run(i);
  const stats = await redis.info('commandstats');
  const usec = /cmdstat_fcall[^\r\n]*?:calls=(\d+),usec=(\d+)/.exec(stats);
  return Number(usec?.[2]) / Number(usec?.[1]);
}

async function pages(store: Store, redis: Redis, board: Leaderboard, tied: Leaderboard): Promise<void> {
  const at = async (on: Leaderboard, index: number) => page({ after: await cursorAt(store, on, index) });
  const half = Math.floor(entries / 2);
  const reads = {
    top: page({}),
    middle: await at(board, half),
    end: await at(board, entries - 1_000),
    tie: await at(tied, inTie),
    gone: page({ after: gone(await cursorAt(store, board, half)) }),
    goneInTie: page({ after: gone(await cursorAt(store, tied, inTie)) }),
  };
  const on = (name: keyof typeof reads) => (name === 'tie' || name === 'goneInTie' ? tied : board);
  const [ranking = ''] = periodKeys(board.key, 'all');
  const [tiedRanking = ''] = periodKeys(tied.key, 'all');
  const bare = (key: string, start: number) => () => redis.call('ZRANGE', key, start, start + 19, 'REV', 'WITHSCORES');
  const names = Object.keys(reads) as (keyof typeof reads)[];
  const ours = Object.fromEntries(names.map((name) => [name, () => readPage(store, on(name), reads[name])]));
  const p50 = await compare({
    ...(ours as Record<keyof typeof reads, () => Promise<unknown>>),
    bareTop: bare(ranking, 0),
    bareMiddle: bare(ranking, half + 1),
    bareTie: bare(tiedRanking, inTie + 1),
  });
  say(row('cursor page in the middle / top page, p50', p50.middle / p50.top, 1.3, 'at most'));
  say(row('cursor page near the end / top page', p50.end / p50.top, 1.3, 'at most'));
  say(row('cursor page in a tie group of half the board / top page', p50.tie / p50.top, 1.3, 'at most'));
  say(row("cursor's member gone / top page", p50.gone / p50.top, 2, 'at most'));
  say(row("cursor's member gone, in the tie group / top page", p50.goneInTie / p50.top, 2, 'at most'));
  say(row('top page with ranks / bare ZRANGE', p50.top / p50.bareTop, 1.35, 'at most'));
  say(row('middle page with ranks / bare ZRANGE', p50.middle / p50.bareMiddle, 1.35, 'at most'));
  say(row('page in the tie group / bare ZRANGE', p50.tie / p50.bareTie, 1.6, 'at most'));
  for (const name of names) {
    const most = name.startsWith('gone') ? 150 : 60;
    const cpu = await cpuPerCall(redis, 2_000, () => readPage(store, on(name), reads[name]));
    say(row(`Redis CPU per read: ${name}`, cpu, most, 'at most', ' µs'));
  }
}

async function memory(store: Store, redis: Redis): Promise<void> {
  const sizeOf = async (keys: readonly string[]) => {
    let bytes = 0;
    for (const key of keys) bytes += Number((await redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0')) ?? 0);
    return bytes / entries;
  };
  const plain = await sizeOf(['bare']);
  say(`\nBare sorted set: ${plain.toFixed(0)} bytes an entry.\n\n${tableHead}`);
  for (const [key, input, most] of [
    ['m-id', {}, 1.05],
    ['m-earliest', { tieBreak: 'EARLIEST' }, 1.85],
    ['m-dense', { denseRanks: true }, 2.1],
  ] as const) {
    await store.create(key, input);
    await store.fill(key, entries, (i) => i);
    say(row(`memory per entry / bare: ${key}`, (await sizeOf(periodKeys(key, 'all'))) / plain, most, 'at most'));
    await store.boards.remove(key);
  }
}

async function peer(store: Store, redis: Redis, board: Leaderboard): Promise<void> {
  const policies = { sortPolicy: 'high-to-low', updatePolicy: 'replace' } as const;
  // Both read the very same sorted set: how another one lies in memory weighs as much as what is compared.
  const other = new Peer(redis, periodKeys(board.key, 'all')[0] ?? '', policies);
  const writer = new Peer(redis, 'bare', policies);
  const any = (i: number) => memberId((i * 7_919) % entries);
  const entry = (i: number) =>
    store.entries.read(board, [{ period: 'all', read: { kind: 'entry', memberId: any(i) } }]);
  const around = (i: number) =>
    store.entries.read(board, [
      { period: 'all', read: { kind: 'around', centre: { memberId: any(i) }, above: 10, below: 10, fill: true } },
    ]);
  const calls = {
    rank: [entry, (i: number) => other.find(any(i))],
    'top 20': [() => readPage(store, board, page({})), () => other.top(20)],
    '21 around a member': [around, (i: number) => other.around(any(i), 10, true)],
  } as const;
  for (const [what, [ours, theirs]] of Object.entries(calls)) {
    const p50 = await compare({ ours, theirs });
    say(row(`${what}, one client: speed / redis-rank`, p50.theirs / p50.ours, 1, 'at least'));
  }
  for (const [what, [ours, theirs]] of Object.entries(calls)) sayRates(what, 1, await rates(ours, theirs));
  // Scores that no call before it gave.
  let score = entries;
  const update = (i: number) =>
    store.scoring.submit(board.key, { memberId: any(i), score: ++score, scorePolicy: 'LATEST' });
  sayRates('update', 0.65, await rates(update, (i) => writer.updateOne(any(i), ++score)));
}

const clients = 50;

/** Median calls a second with many clients, measured in turns. */
async function rates(ours: (i: number) => Promise<unknown>, theirs: (i: number) => Promise<unknown>) {
  const rounds = { ours: [] as number[], theirs: [] as number[] };
  for (let round = 0; round < 7; round += 1) {
    rounds.theirs.push(await throughput(clients, 20_000, theirs));
    rounds.ours.push(await throughput(clients, 20_000, ours));
  }
  const median = (list: number[]) => list.sort((a, b) => a - b)[3] ?? 0;
  return { ours: median(rounds.ours), theirs: median(rounds.theirs) };
}

function sayRates(what: string, goal: number, { ours, theirs }: { ours: number; theirs: number }): void {
  const perSecond = `${ours.toFixed(0)} and ${theirs.toFixed(0)}/s`;
  say(row(`${what}, ${clients} clients: rate / redis-rank (${perSecond})`, ours / theirs, goal, 'at least'));
}

const store = await openStore();
const redis = new Redis(store.socketPath);
try {
  say(
    `${entries} entries, Redis ${/redis_version:(\S+)/.exec(await redis.info('server'))?.[1]}, Node ${process.version}\n`,
  );
  const board = await store.create('wide');
  const tied = await store.create('tied');
  await store.fill('wide', entries, shuffled);
  await store.fill('tied', entries, (i) => (shuffled(i) < entries / 2 ? 7 : shuffled(i)));
  const batch = 1_000;
  for (let i = 0; i < entries; i += batch) {
    await redis.zadd('bare', ...Array.from({ length: batch }, (_, j) => [shuffled(i + j), memberId(i + j)]).flat());
  }
  await settle(redis);
  say(tableHead);
  await pages(store, redis, board, tied);
  await peer(store, redis, board);
  await store.boards.remove('wide');
  await store.boards.remove('tied');
  await memory(store, redis);
} finally {
  redis.disconnect();
  await store.stop();
}
