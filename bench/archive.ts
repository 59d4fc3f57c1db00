import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { openArchive } from '../src/archive/archive.ts';
import type { Archive, PeriodRecord } from '../src/core/archive.ts';
import type { Cursor } from '../src/core/cursor.ts';
import { limits } from '../src/core/limits.ts';
import type { PageRead, Read } from '../src/core/reading.ts';
import type { Standing } from '../src/core/standing.ts';
import { newBoard, recordOfDay, wholePage } from '../test/support/archived.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { compare, row, say, tableHead } from './measure.ts';

/**
 * What archiving costs against the same rows written barely, into a table of the same columns and keys, and what reading
 * costs after: `npm run bench:archive [entries in PostgreSQL] [entries in PGlite]`. Rows a second, best of some rounds.
 */
const postgresEntries = Number(process.argv[2] ?? 1_000_000);
const embeddedEntries = Number(process.argv[3] ?? 100_000);
const rounds = 2;
const rowsPerInsert = 1_000;

const board = newBoard({ sortOrder: 'HIGH_TO_LOW' });

/** In board order, three to a score, members in no order. */
function makeStandings(count: number): Standing[] {
  return Array.from({ length: count }, (_, index) => {
    const memberId = `u:${(index * 7919) % count}`;
    const place = { index, competitionRank: index - (index % 3) + 1, tieCount: 3, denseRank: null };
    const score = String(count - Math.floor(index / 3));
    return { memberId, ordered: memberId, score, ...place, reachedAt: null, metadata: null };
  });
}

const bareTable = `
  create table bare (
    record_id bigint not null, idx int not null, member_id text collate "C" not null,
    prefix text collate "C" not null, score bigint not null, competition_rank int not null, tie_count int not null,
    dense_rank int, metadata text, primary key (record_id, idx)
  );
  create index on bare (record_id, member_id)`;

const copyText = (standings: readonly Standing[]) =>
  standings
    .map((s) => `1\t${s.index}\t${s.memberId}\t\t${s.score}\t${s.competitionRank}\t${s.tieCount}\t\\N\t\\N\n`)
    .join('');

function insertOf(standings: readonly Standing[]): [text: string, parameters: unknown[]] {
  const values = standings.map((_, i) => {
    const [a, b, c, d, e] = [1, 2, 3, 4, 5].map((nth) => `$${5 * i + nth}`);
    return `(1, ${a}, ${b}, '', ${c}, ${d}, ${e}, null, null)`;
  });
  const parameters = standings.flatMap((s) => [s.index, s.memberId, s.score, s.competitionRank, s.tieCount]);
  return [`insert into bare values ${values.join(', ')}`, parameters];
}

async function insertAll(standings: readonly Standing[], insert: (text: string, parameters: unknown[]) => unknown) {
  for (let at = 0; at < standings.length; at += rowsPerInsert) {
    await insert(...insertOf(standings.slice(at, at + rowsPerInsert)));
  }
}

/** As closing writes it: in batches, counted at the end. */
async function archiveAll(archive: Archive, record: PeriodRecord, standings: readonly Standing[]): Promise<void> {
  for (let next = await archive.begin(record); next < standings.length; next += limits.archiveBatch) {
    await archive.append(record, standings.slice(next, next + limits.archiveBatch));
  }
  await archive.complete(record);
}

type Ways = Record<'archive' | 'copy' | 'insert', (round: number) => Promise<unknown>>;

/** Rows a second of each way, in turns, the best of its rounds. */
async function rates(count: number, before: () => Promise<unknown>, ways: Ways): Promise<Record<keyof Ways, number>> {
  const best = { archive: 0, copy: 0, insert: 0 };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ['archive', 'copy', 'insert'] as const) {
      await before();
      const began = performance.now();
      await ways[name](round);
      best[name] = Math.max(best[name], count / ((performance.now() - began) / 1000));
    }
  }
  return best;
}

function sayRates(where: string, { archive, copy, insert }: Record<keyof Ways, number>, goals: [number, number]): void {
  say(`| ${where}: archived, rows a second | ${Math.round(archive)} | | |`);
  say(row(`${where}: archived / bare COPY`, archive / copy, goals[0], 'at least'));
  say(row(`${where}: archived / bare multi-row INSERT`, archive / insert, goals[1], 'at least'));
}

async function reading(where: string, archive: Archive, record: PeriodRecord, standings: readonly Standing[]) {
  const at = (index: number, suffix = ''): Cursor => {
    const { score, ordered } = standings[index] as Standing;
    const { board: key, incarnation, period, epoch, version } = record;
    return { board: key, incarnation, period, epoch, version, index, score, member: ordered + suffix };
  };
  const page = (over: Partial<PageRead>): PageRead => ({ ...wholePage, first: 20, ...over });
  const half = Math.floor(standings.length / 2);
  const reads: Record<string, Read> = {
    'top page': page({}),
    'page in the middle': page({ after: at(half) }),
    "page in the middle, its cursor's member gone": page({ after: at(half, '!') }),
    'around a member': { kind: 'around', centre: { memberId: 'u:1' }, above: 5, below: 5, fill: true },
    'one entry': { kind: 'entry', memberId: 'u:1' },
    'a position': { kind: 'position', score: String(half) },
    'a histogram of 100': { kind: 'histogram', buckets: 100 },
  };
  const calls = Object.entries(reads).map(
    ([name, read]) => [name, () => archive.read(board, [{ period: record.period, read }])] as const,
  );
  const p50 = await compare(Object.fromEntries(calls), 200);
  for (const [name, ms] of Object.entries(p50)) say(row(`${where}: ${name}, p50`, ms, 20, 'at most', ' ms'));
  const began = performance.now();
  await archive.correct(board, record.period, 'u:1', '0', 0);
  say(row(`${where}: a correction`, (performance.now() - began) / 1000, 60, 'at most', ' s'));
}

async function postgres(): Promise<void> {
  const standings = makeStandings(postgresEntries);
  const text = copyText(standings);
  const server = await startPostgres({ fsync: 'on', max_wal_size: '8GB' });
  try {
    const url = server.newDatabase();
    const archive = await openArchive({ url, dataDir: '' });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const record = (round: number) => recordOfDay(board, 20_000 + round, postgresEntries);
    const best = await rates(
      postgresEntries,
      () => client.query(`drop table if exists bare; ${bareTable}; checkpoint`),
      {
        archive: async (round) => {
          await archiveAll(archive, record(round), standings);
        },
        copy: async () => server.psql(url, 'copy bare from stdin', text),
        insert: () => insertAll(standings, (sql, parameters) => client.query(sql, parameters)),
      },
    );
    sayRates('PostgreSQL', best, [0.5, 1]);
    await reading('PostgreSQL', archive, record(rounds - 1), standings);
    await client.end();
    await archive.close();
  } finally {
    await server.stop();
  }
}

async function embedded(): Promise<void> {
  const standings = makeStandings(embeddedEntries);
  const text = new Blob([copyText(standings)]);
  const dataDir = mkdtempSync(join(tmpdir(), 'laurel-bench-'));
  const archive = await openArchive({ url: null, dataDir });
  const bare = await PGlite.create(join(dataDir, 'bare'));
  const record = (round: number) => recordOfDay(board, 20_000 + round, embeddedEntries);
  const best = await rates(embeddedEntries, () => bare.exec(`drop table if exists bare; ${bareTable}`), {
    archive: (round) => archiveAll(archive, record(round), standings),
    copy: () => bare.query("copy bare from '/dev/blob'", [], { blob: text }),
    insert: () => insertAll(standings, (sql, parameters) => bare.query(sql, parameters)),
  });
  sayRates('PGlite', best, [0.5, 1]);
  await reading('PGlite', archive, record(rounds - 1), standings);
  await bare.close();
  await archive.close();
  rmSync(dataDir, { recursive: true });
}

say(tableHead);
await postgres();
await embedded();
