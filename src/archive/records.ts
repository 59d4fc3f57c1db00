import { sql } from 'kysely';
import type { PeriodRecord } from '../core/archive.ts';
import { decodeOrdered } from '../core/order.ts';
import type { Standing } from '../core/standing.ts';
import type { Database, NewRecord, RecordRow, StandingRow } from './database.ts';

/** A record and the key of its standings. */
export interface Held {
  readonly id: string;
  readonly record: PeriodRecord;
}

const instant = (text: string | null) => (text === null ? null : Number(text));

export const recordOf = (row: RecordRow): PeriodRecord => ({
  board: row.board,
  incarnation: row.incarnation,
  period: row.period,
  cadence: row.cadence,
  startsAt: instant(row.starts_at),
  endsAt: instant(row.ends_at),
  closedAt: Number(row.closed_at),
  epoch: row.epoch,
  version: Number(row.version),
  entryCount: row.entry_count,
  revision: row.revision,
  rules: row.rules,
});

export const rowOf = (record: PeriodRecord): NewRecord => ({
  board: record.board,
  incarnation: record.incarnation,
  period: record.period,
  revision: record.revision,
  cadence: record.cadence,
  starts_at: record.startsAt,
  ends_at: record.endsAt,
  closed_at: record.closedAt,
  epoch: record.epoch,
  version: record.version,
  entry_count: record.entryCount,
  rules: JSON.stringify(record.rules),
});

export function standingOf({ rules }: PeriodRecord, row: StandingRow): Standing {
  const ordered = row.prefix + row.member_id;
  return {
    ...decodeOrdered(rules, ordered),
    ordered,
    score: row.score,
    index: row.idx,
    competitionRank: row.competition_rank,
    tieCount: row.tie_count,
    denseRank: row.dense_rank,
    metadata: row.metadata,
  };
}

/** What a period's name asks for: its latest revision (null), or `key~revision`. */
function nameParts(name: string): { period: string; revision: number | null } {
  const [, period, revision] = /^(.+)~(\d{1,9})$/.exec(name) ?? [];
  return period === undefined ? { period: name, revision: null } : { period, revision: Number(revision) };
}

/** The complete records of these names; null for each that has none. */
export async function findRecords(
  db: Database,
  incarnation: string,
  names: readonly string[],
): Promise<(Held | null)[]> {
  const parts = names.map(nameParts);
  const { rows } = await sql<RecordRow & { n: number }>`
    select n::int, r.*
    from unnest(
      ${parts.map(({ period }) => period)}::text[], ${parts.map(({ revision }) => revision)}::int[]
    ) with ordinality as asked (period, revision, n)
    cross join lateral (
      select * from laurel.period_records as r
      where r.incarnation = ${incarnation} and r.period = asked.period and r.complete
        and (asked.revision is null or r.revision = asked.revision)
      order by r.revision desc
      limit 1
    ) as r`.execute(db);
  const found: (Held | null)[] = names.map(() => null);
  for (const { n, ...row } of rows) found[n - 1] = { id: row.id, record: recordOf(row) };
  return found;
}
