import { type RawBuilder, sql } from 'kysely';
import type { PeriodRecord } from '../core/archive.ts';
import type { Standing } from '../core/standing.ts';
import type { Database, RecordRow } from './database.ts';
import { rowOf } from './records.ts';

const nameOf = ({ board, period, revision }: PeriodRecord) => `revision ${revision} of period ${period} of ${board}`;

/** Whether both are of the same frozen entries. */
const sameEntries = (row: RecordRow, { epoch, version, entryCount }: PeriodRecord) =>
  row.epoch === epoch && Number(row.version) === version && row.entry_count === entryCount;

/** The record's row, held until the transaction ends: whoever else works on it waits. */
async function lockRow(db: Database, { incarnation, period, revision }: PeriodRecord): Promise<RecordRow | null> {
  const row = await db
    .selectFrom('period_records')
    .where('incarnation', '=', incarnation)
    .where('period', '=', period)
    .where('revision', '=', revision)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Writes the record if it is new, and says which standing comes next. */
export const begin = (db: Database, record: PeriodRecord): Promise<number> =>
  db.transaction().execute(async (tx) => {
    await tx
      .insertInto('period_records')
      .values(rowOf(record))
      .onConflict((conflict) => conflict.columns(['incarnation', 'period', 'revision']).doNothing())
      .execute();
    const row = await lockRow(tx, record);
    if (!row) throw new Error(`${nameOf(record)} was deleted while it was begun`);
    if (row.complete && sameEntries(row, record)) return row.entry_count;
    if (row.complete) throw new Error(`the archive holds other entries already as ${nameOf(record)}`);
    // Begun before the live store lost its entries: what it held then is not what was frozen now.
    if (!sameEntries(row, record)) await tx.deleteFrom('standings').where('record_id', '=', row.id).execute();
    await tx.updateTable('period_records').set(rowOf(record)).where('id', '=', row.id).execute();
    return firstMissing(tx, row.id);
  });

async function firstMissing(db: Database, recordId: string): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select coalesce(min(n) filter (where n <> idx), count(*))::int as next
    from (
      select idx, row_number() over (order by idx) - 1 as n from laurel.standings where record_id = ${recordId}
    ) as numbered`.execute(db);
  return rows[0]?.next ?? 0;
}

/** A column of a batch; one null where all of it is null, which is less to send. */
const column = <T>(values: readonly (T | null)[]) => (values.some((value) => value !== null) ? values : null);

const isDuplicate = (error: unknown) => error instanceof Error && 'code' in error && error.code === '23505';

/** One statement for the whole batch, harmless to repeat. */
export async function append(db: Database, record: PeriodRecord, standings: readonly Standing[]): Promise<void> {
  const start = standings[0]?.index;
  if (start === undefined) return;
  if (standings.some(({ index }, i) => index !== start + i) || start + standings.length > record.entryCount) {
    throw new Error(`a batch of ${nameOf(record)} has gaps, or leaves its ${record.entryCount} entries`);
  }
  // To look for conflicts first costs a third more than to meet one, and there are none but after a crash.
  const added = await insert(db, record, start, standings, sql``).catch((error: unknown) => {
    if (isDuplicate(error)) return insert(db, record, start, standings, sql`on conflict (record_id, idx) do nothing`);
    throw error;
  });
  if (added === 0) await requireBegun(db, record);
}

/**
 * Returns how many were added. The share lock keeps the record from being deleted under its new standings. The disk is
 * not waited for: the commit of `complete` comes after all of these, and what a crash took is counted as missing. The
 * embedded database never waits for it, and has nobody who would write later what was not written at once.
 */
async function insert(
  db: Database,
  { incarnation, period, revision }: PeriodRecord,
  start: number,
  standings: readonly Standing[],
  conflict: RawBuilder<unknown>,
): Promise<number> {
  const prefixes = standings.map(({ ordered, memberId }) => ordered.slice(0, ordered.length - memberId.length) || null);
  const { numAffectedRows } = await sql`
    with record as (
      select id, set_config('synchronous_commit', case current_setting('fsync') when 'on' then 'off' else 'on' end, true)
      from laurel.period_records
      where incarnation = ${incarnation} and period = ${period} and revision = ${revision}
      for key share
    )
    insert into laurel.standings
      (record_id, idx, member_id, prefix, score, competition_rank, tie_count, dense_rank, metadata)
    select
      id, ${start}::int + n::int - 1, member_id, coalesce(prefix, ''), score, competition_rank, tie_count,
      dense_rank, metadata
    from record cross join unnest(
      ${standings.map(({ memberId }) => memberId)}::text[],
      ${column(prefixes)}::text[],
      ${standings.map(({ score }) => score)}::bigint[],
      ${standings.map(({ competitionRank }) => competitionRank)}::int[],
      ${standings.map(({ tieCount }) => tieCount)}::int[],
      ${column(standings.map(({ denseRank }) => denseRank))}::int[],
      ${column(standings.map(({ metadata }) => metadata))}::text[]
    ) with ordinality as s (member_id, prefix, score, competition_rank, tie_count, dense_rank, metadata, n)
    ${conflict}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Nothing was added: all of it was there, or there is no record. */
async function requireBegun(db: Database, record: PeriodRecord): Promise<void> {
  const row = await db.transaction().execute((tx) => lockRow(tx, record));
  if (!row) throw new Error(`${nameOf(record)} was not begun`);
}

/** From then on it is read. */
export const complete = (db: Database, record: PeriodRecord): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const row = await lockRow(tx, record);
    if (!row) throw new Error(`${nameOf(record)} was not begun`);
    // No index is there twice, and none outside the record's entries: the count is all there is to check.
    const { count } = await tx
      .selectFrom('standings')
      .where('record_id', '=', row.id)
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    if (!sameEntries(row, record) || Number(count) !== record.entryCount) {
      throw new Error(`the archive holds ${count} of the ${record.entryCount} entries of ${nameOf(record)}`);
    }
    await tx.updateTable('period_records').set({ complete: true }).where('id', '=', row.id).execute();
  });
