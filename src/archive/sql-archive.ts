import { sql } from 'kysely';
import type { Archive, CareerEntry, PeriodRecord } from '../core/archive.ts';
import { LaurelError } from '../core/errors.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import type { Cadence } from '../core/period.ts';
import type { ReadAnswers } from '../core/ports.ts';
import type { PeriodRead } from '../core/reading.ts';
import type { ScoreText } from '../core/score.ts';
import type { Standing } from '../core/standing.ts';
import { correct } from './correction.ts';
import { type Database, type RecordRow, type StandingRow, sqlText } from './database.ts';
import { lookupsIn } from './lookups.ts';
import { ArchivedPeriod } from './reading.ts';
import { findRecords, recordOf, standingOf } from './records.ts';
import { append, begin, complete } from './writing.ts';

/** The archive on a database that speaks PostgreSQL's SQL. */
export class SqlArchive implements Archive {
  readonly #db: Database;
  /** Called after much was deleted. */
  readonly #reclaim: () => Promise<void>;

  constructor(db: Database, reclaim: () => Promise<void> = async () => {}) {
    this.#db = db;
    this.#reclaim = reclaim;
  }

  begin(record: PeriodRecord): Promise<number> {
    return begin(this.#db, record);
  }

  append(record: PeriodRecord, standings: readonly Standing[]): Promise<void> {
    return append(this.#db, record, standings);
  }

  complete(record: PeriodRecord): Promise<void> {
    return complete(this.#db, record);
  }

  async find(board: Leaderboard, period: string): Promise<PeriodRecord | null> {
    const [held] = await findRecords(this.#db, board.incarnation, [period]);
    return held?.record ?? null;
  }

  async records(board: Leaderboard, cadence: Cadence | null): Promise<PeriodRecord[]> {
    let query = this.#db.selectFrom('latest_records').where('incarnation', '=', board.incarnation);
    if (cadence !== null) query = query.where('cadence', '=', cadence);
    const rows = await query
      .orderBy('ends_at', (end) => end.desc().nullsFirst())
      .orderBy('closed_at', 'desc')
      .orderBy('period', 'desc')
      .selectAll()
      .execute();
    return rows.map(recordOf);
  }

  /** Four round trips at most, whatever is read: a record, places, entries; and all of one moment. */
  async read<const R extends readonly PeriodRead[]>(board: Leaderboard, reads: R): Promise<ReadAnswers<R>> {
    const answers = await this.#db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => readAll(tx, board, reads));
    return answers as ReadAnswers<R>;
  }

  async career(board: Leaderboard, memberId: string, cadence: Cadence, count: number): Promise<CareerEntry[]> {
    const { rows } = await sql<RecordRow & StandingRow>`
      select r.*, s.*
      from laurel.latest_records as r
      cross join lateral (
        select idx, member_id, prefix, score, competition_rank, tie_count, dense_rank, metadata
        from laurel.standings
        where record_id = r.id and member_id = ${sqlText(memberId)}
        limit 1
      ) as s
      where r.incarnation = ${board.incarnation} and r.cadence = ${cadence}
      order by r.ends_at desc nulls first, r.closed_at desc, r.period desc
      limit ${count}`.execute(this.#db);
    return rows.map((row) => {
      const record = recordOf(row);
      return { record, standing: standingOf(record, row) };
    });
  }

  correct(
    board: Leaderboard,
    period: string,
    memberId: string,
    score: ScoreText | null,
    now: number,
  ): Promise<PeriodRecord> {
    return correct(this.#db, board, period, memberId, score, now);
  }

  /** All revisions of a period go at once: a correction changes nothing about when it closed. */
  prune(board: Leaderboard, before: number): Promise<number> {
    return this.#remove(board.incarnation, before);
  }

  async removeBoard(incarnation: string): Promise<void> {
    await this.#remove(incarnation, null);
  }

  async close(): Promise<void> {
    await this.#db.destroy();
  }

  /** Records and their standings in one step, so that nobody reads half a period. */
  async #remove(incarnation: string, before: number | null): Promise<number> {
    const removed = await this.#db.transaction().execute(async (tx) => {
      let gone = tx.deleteFrom('period_records').where('incarnation', '=', incarnation);
      if (before !== null) gone = gone.where('closed_at', '<', String(before));
      const ids = (await gone.returning('id').execute()).map(({ id }) => id);
      if (ids.length > 0) await sql`delete from laurel.standings where record_id = any(${ids}::bigint[])`.execute(tx);
      return ids.length;
    });
    if (removed > 0) await this.#reclaim();
    return removed;
  }
}

async function readAll(tx: Database, board: Leaderboard, reads: readonly PeriodRead[]): Promise<unknown[]> {
  const periods = await findPeriods(tx, board, reads);
  return Promise.all(
    reads.map(({ period, read }) => {
      // What the live store alone knows.
      if (read.kind === 'periods') return [];
      if (read.kind === 'closed' || read.kind === 'indexing') return new Map();
      return periods.get(period)?.read(read);
    }),
  );
}

/** Every period that is read, before any of them is. Throws PERIOD_EXPIRED. */
async function findPeriods(tx: Database, board: Leaderboard, reads: readonly PeriodRead[]) {
  const ofBoard = ['periods', 'closed', 'indexing'];
  const names = [...new Set(reads.flatMap(({ period, read }) => (ofBoard.includes(read.kind) ? [] : [period])))];
  const found = names.length === 0 ? [] : await findRecords(tx, board.incarnation, names);
  const lookups = lookupsIn(tx, board.sortOrder === 'HIGH_TO_LOW');
  const periods = new Map<string, ArchivedPeriod>();
  for (const [i, name] of names.entries()) {
    const held = found[i];
    if (!held) throw new LaurelError('PERIOD_EXPIRED', `The archive does not hold period ${name.slice(0, 80)}.`);
    periods.set(name, new ArchivedPeriod(held, lookups));
  }
  return periods;
}
