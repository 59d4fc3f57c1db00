import { type ColumnType, type Generated, type Insertable, Kysely, PostgresDialect, type Selectable } from 'kysely';
import { Pool } from 'pg';
import type { LeaderboardRules } from '../core/leaderboard.ts';
import type { Cadence } from '../core/period.ts';

/** Both drivers give 64-bit integers as text: a score may be longer than a double's digits would show. */
type BigIntText<T = never> = ColumnType<string | T, number | T, number | T>;

interface RecordTable {
  id: Generated<string>;
  board: string;
  incarnation: string;
  period: string;
  revision: number;
  cadence: Cadence;
  starts_at: BigIntText<null>;
  ends_at: BigIntText<null>;
  closed_at: BigIntText;
  epoch: string;
  version: BigIntText;
  entry_count: number;
  rules: ColumnType<LeaderboardRules, string, string>;
  complete: Generated<boolean>;
}

interface StandingTable {
  record_id: string;
  idx: number;
  member_id: string;
  /** What stands before the id in the live store's ordered member; empty on MEMBER_ID boards. */
  prefix: string;
  score: string;
  competition_rank: number;
  tie_count: number;
  dense_rank: number | null;
  metadata: string | null;
}

export interface Tables {
  period_records: RecordTable;
  /** Of each period the latest revision that is complete. */
  latest_records: RecordTable;
  standings: StandingTable;
}

export type RecordRow = Selectable<RecordTable>;
export type NewRecord = Insertable<RecordTable>;
export type StandingRow = Omit<Selectable<StandingTable>, 'record_id'>;

/** All tables are in a schema of their own, so that a database may be shared. */
export const schema = 'laurel';

export type Database = Kysely<Tables>;

/** SQL's text holds no NUL, and no member a control character: another one compares the same and equals none either. */
export const sqlText = (text: string): string => text.replaceAll('\0', '\x01');

const connections = 8;
const connectTimeoutMs = 5_000;

/** Nothing is asked of the server yet. */
export function connectPostgres(url: string): Database {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'laurel',
    keepAlive: true,
  });
  // A connection that is cut between two statements has nobody to tell but its listeners, and without one it would end
  // the process. Whoever asks next gets a new connection, or the error.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }).withSchema(schema);
}
