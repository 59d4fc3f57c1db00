import { sql } from 'kysely';
import type { PeriodRecord } from '../core/archive.ts';
import { LaurelError } from '../core/errors.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import { emptyPrefix, timePrefix } from '../core/order.ts';
import type { ScoreText } from '../core/score.ts';
import type { Database, StandingRow } from './database.ts';
import { findRecords, type Held, rowOf } from './records.ts';

/** What a correction makes of a member's entry. */
interface Corrected {
  readonly memberId: string;
  readonly prefix: string;
  readonly score: ScoreText;
  readonly metadata: string | null;
}

/**
 * Writes the next revision of an archived period: all entries anew, since those behind the corrected one move. A member
 * who was ranked keeps the tie-break and the metadata; a new one reached the score now.
 */
export const correct = (
  db: Database,
  board: Leaderboard,
  period: string,
  memberId: string,
  score: ScoreText | null,
  now: number,
): Promise<PeriodRecord> =>
  db.transaction().execute(async (tx) => {
    const held = await lockLatest(tx, board, period);
    const { record } = held;
    const old = await tx
      .selectFrom('standings')
      .where('record_id', '=', held.id)
      .where('member_id', '=', memberId)
      .selectAll()
      .executeTakeFirst();
    if (score === null && !old) {
      throw new LaurelError('NOT_RANKED', `The member has no entry in period ${period}; there is nothing to take out.`);
    }
    if (old?.score === score) return record;
    const version = record.version + 1;
    const corrected = score === null ? null : correctedEntry(record, old, memberId, score, now, version);
    const next = { ...record, version, revision: record.revision + 1 };
    const { id } = await tx
      .insertInto('period_records')
      .values({ ...rowOf(next), complete: true })
      .returning('id')
      .executeTakeFirstOrThrow();
    const entryCount = await copyStandings(tx, held, id, memberId, corrected);
    await tx.updateTable('period_records').set({ entry_count: entryCount }).where('id', '=', id).execute();
    return { ...next, entryCount };
  });

/** The latest complete revision, held so that corrections of a period come one after another. */
async function lockLatest(tx: Database, board: Leaderboard, period: string): Promise<Held> {
  // The same row for all of them: the latest may be another one by the time it is theirs.
  await tx
    .selectFrom('period_records')
    .where('incarnation', '=', board.incarnation)
    .where('period', '=', period)
    .orderBy('revision')
    .limit(1)
    .select('id')
    .forUpdate()
    .execute();
  const [held] = await findRecords(tx, board.incarnation, [period]);
  if (held?.record.period === period) return held;
  throw new LaurelError('PERIOD_NOT_FOUND', `The archive holds no period ${period.slice(0, 80)} of ${board.key}.`);
}

function correctedEntry(
  { rules }: PeriodRecord,
  old: StandingRow | undefined,
  memberId: string,
  score: ScoreText,
  now: number,
  version: number,
): Corrected {
  if (old) return { memberId, prefix: old.prefix, score, metadata: old.metadata };
  const timed = rules.tieBreak === 'EARLIEST' || rules.tieBreak === 'LATEST';
  return { memberId, prefix: timed ? timePrefix(rules, now, version) : emptyPrefix(rules), score, metadata: null };
}

/** Ranks all anew; a capped board keeps its best. Returns how many entries the new revision has. */
async function copyStandings(
  tx: Database,
  { id: oldId, record: { rules } }: Held,
  newId: string,
  memberId: string,
  corrected: Corrected | null,
): Promise<number> {
  const direction = sql.raw(rules.sortOrder === 'HIGH_TO_LOW' ? 'desc' : 'asc');
  const { numAffectedRows } = await sql`
    insert into laurel.standings
      (record_id, idx, member_id, prefix, score, competition_rank, tie_count, dense_rank, metadata)
    select
      ${newId}::bigint, idx, member_id, prefix, score, competition_rank, count(*) over (partition by score),
      case when ${rules.denseReady}::boolean then dense_rank end, metadata
    from (
      select
        member_id, prefix, score, metadata,
        row_number() over (order by score ${direction}, prefix || member_id ${direction}) - 1 as idx,
        rank() over (order by score ${direction}) as competition_rank,
        dense_rank() over (order by score ${direction}) as dense_rank
      from (
        select member_id, prefix, score, metadata from laurel.standings
        where record_id = ${oldId} and member_id <> ${memberId}
        union all
        select ${corrected?.memberId ?? ''}::text collate "C", ${corrected?.prefix ?? ''}::text collate "C",
          ${corrected?.score ?? null}::bigint, ${corrected?.metadata ?? null}::text
        where ${corrected !== null}::boolean
      ) as kept
    ) as ranked
    where idx < ${rules.maxEntries ?? Number.MAX_SAFE_INTEGER}::bigint`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
