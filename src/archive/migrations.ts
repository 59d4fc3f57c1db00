import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { type Database, schema } from './database.ts';

/**
 * Applied in the order of their names, each once, in a transaction: never change one that was released, add another.
 *
 * Board order is by bytes, whatever the database collates by: hence "C". Places are sought by bisecting `idx`, which
 * board order made, so that neither scores nor ordered members need an index; each index costs a third of the writing.
 */
const migrations: Record<string, Migration> = {
  '0001-standings': {
    async up(db: Kysely<unknown>) {
      await sql`
        create table laurel.period_records (
          id bigint generated always as identity primary key,
          board text not null,
          incarnation text not null,
          period text not null,
          revision int not null,
          cadence text not null,
          starts_at bigint,
          ends_at bigint,
          closed_at bigint not null,
          epoch text not null,
          version bigint not null,
          entry_count int not null,
          rules jsonb not null,
          complete boolean not null default false,
          written_at timestamptz not null default now(),
          unique (incarnation, period, revision)
        )`.execute(db);
      await sql`
        create view laurel.latest_records as
          select distinct on (incarnation, period) *
          from laurel.period_records
          where complete
          order by incarnation, period, revision desc`.execute(db);
      // No foreign key: checked row by row, it would take as long as the rows themselves.
      await sql`
        create table laurel.standings (
          record_id bigint not null,
          idx int not null,
          member_id text collate "C" not null,
          prefix text collate "C" not null,
          score bigint not null,
          competition_rank int not null,
          tie_count int not null,
          dense_rank int,
          metadata text,
          primary key (record_id, idx)
        )`.execute(db);
      await sql`create index standings_member on laurel.standings (record_id, member_id)`.execute(db);
    },
  },
};

/** Brings the tables up to date. Of several processes that start at once, one does it and the others wait. */
export async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableSchema: schema,
    migrationTableName: 'migrations',
    migrationLockTableName: 'migration_lock',
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
