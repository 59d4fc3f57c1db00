import { sql } from 'kysely';
import { batch } from './batch.ts';
import { type Database, type StandingRow, sqlText } from './database.ts';

/** A place in a record's board order: <score, ordered member>, or the first entry of a dense rank. */
interface PlaceQuestion {
  readonly recordId: string;
  /** Entries of the record. */
  readonly total: number;
  readonly place: { readonly score: bigint; readonly ordered: string } | { readonly denseRank: number };
}

/** How many entries stand before a place, and the entry that stands there or follows. */
export interface Found {
  readonly index: number;
  readonly row: StandingRow | null;
}

interface RowsQuestion {
  readonly recordId: string;
  /** Low included, high not. */
  readonly start: number;
  readonly stop: number;
}

interface MemberQuestion {
  readonly recordId: string;
  readonly memberId: string;
}

/** What is asked of standings, each kind in one statement for all that ask at the same time. */
export interface Lookups {
  /** O(log² N). */
  readonly find: (question: PlaceQuestion) => Promise<Found>;
  readonly rows: (question: RowsQuestion) => Promise<StandingRow[]>;
  readonly member: (question: MemberQuestion) => Promise<StandingRow | null>;
}

/** For boards of one sort order. */
export const lookupsIn = (db: Database, descending: boolean): Lookups => ({
  find: batch((questions) => findPlaces(db, descending, questions)),
  rows: batch((questions) => findRows(db, questions)),
  member: batch((questions) => findMembers(db, questions)),
});

const columns = sql.raw('idx, member_id, prefix, score, competition_rank, tie_count, dense_rank, metadata');

/** An outer join that found nothing answers with nulls. */
const isStanding = (row: Partial<StandingRow>): row is StandingRow => typeof row.idx === 'number';

/** Bisects all of them side by side: a step of the recursion is a row of each. LIMIT keeps a plan from scanning. */
async function findPlaces(db: Database, descending: boolean, questions: readonly PlaceQuestion[]): Promise<Found[]> {
  const before = sql.raw(descending ? '>' : '<');
  const { rows } = await sql<Partial<StandingRow> & { index: number }>`
    with recursive search as (
      select record_id, score, ordered collate "C" as ordered, dense_rank, n, 0 as low, total as high
      from unnest(
        ${questions.map(({ recordId }) => recordId)}::bigint[],
        ${questions.map(({ place }) => ('score' in place ? String(place.score) : null))}::bigint[],
        ${questions.map(({ place }) => ('score' in place ? sqlText(place.ordered) : null))}::text[],
        ${questions.map(({ place }) => ('score' in place ? null : place.denseRank))}::int[],
        ${questions.map(({ total }) => total)}::int[]
      ) with ordinality as asked (record_id, score, ordered, dense_rank, total, n)
      union all
      select record_id, score, ordered, dense_rank, n,
        case when passed then middle + 1 else low end, case when passed then high else middle end
      from search
      cross join lateral (select low + (high - low) / 2 as middle) as halves
      cross join lateral (
        select case when search.dense_rank is null
          then (s.score, s.prefix || s.member_id) ${before} (search.score, search.ordered)
          else s.dense_rank < search.dense_rank end as passed
        from laurel.standings as s
        where s.record_id = search.record_id and s.idx = middle
        limit 1
      ) as there
      where low < high
    )
    select low as index, s.*
    from search
    left join lateral (
      select ${columns} from laurel.standings as s where s.record_id = search.record_id and s.idx = low limit 1
    ) as s on true
    where low = high
    order by n`.execute(db);
  return rows.map(({ index, ...row }) => ({ index, row: isStanding(row) ? row : null }));
}

async function findRows(db: Database, questions: readonly RowsQuestion[]): Promise<StandingRow[][]> {
  const { rows } = await sql<StandingRow & { n: number }>`
    select n::int, s.*
    from unnest(
      ${questions.map(({ recordId }) => recordId)}::bigint[],
      ${questions.map(({ start }) => start)}::int[],
      ${questions.map(({ stop }) => stop)}::int[]
    ) with ordinality as asked (record_id, start, stop, n)
    cross join lateral (
      select ${columns} from laurel.standings as s
      where s.record_id = asked.record_id and s.idx >= asked.start and s.idx < asked.stop
      order by s.idx
      limit asked.stop - asked.start
    ) as s
    order by n, s.idx`.execute(db);
  const answers: StandingRow[][] = questions.map(() => []);
  for (const { n, ...row } of rows) answers[n - 1]?.push(row);
  return answers;
}

async function findMembers(db: Database, questions: readonly MemberQuestion[]): Promise<(StandingRow | null)[]> {
  const { rows } = await sql<Partial<StandingRow>>`
    select s.*
    from unnest(
      ${questions.map(({ recordId }) => recordId)}::bigint[],
      ${questions.map(({ memberId }) => sqlText(memberId))}::text[]
    ) with ordinality as asked (record_id, member_id, n)
    left join lateral (
      select ${columns} from laurel.standings as s
      where s.record_id = asked.record_id and s.member_id = asked.member_id
      limit 1
    ) as s on true
    order by n`.execute(db);
  return rows.map((row) => (isStanding(row) ? row : null));
}
