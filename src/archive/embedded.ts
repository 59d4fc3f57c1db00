import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import { type Database, schema, type Tables } from './database.ts';
import { lockFile } from './directory-lock.ts';
import { type EmbeddedProcess, startEmbedded } from './embedded-worker.ts';

/**
 * A PostgreSQL inside this process, with its files in `directory`. One process may have it at a time. Making a new one
 * takes some seconds, opening it about one.
 */
export async function openEmbedded(directory: string): Promise<{ db: Database; reclaim: () => Promise<void> }> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unlock = await lockFile(join(directory, 'lock')).catch((error: Error) => {
    throw new Error(
      `The archive cannot be used: ${error.message}. Stop that one, give this one a DATA_DIR of its own, or have both share a PostgreSQL by DATABASE_URL.`,
    );
  });
  try {
    const files = join(directory, 'database');
    if (!existsSync(files)) await create(files, join(directory, 'draft'));
    const process = await startEmbedded(files);
    const dialect = new PostgresDialect({ pool: poolOf(process, unlock) });
    const db = new Kysely<Tables>({ dialect }).withSchema(schema);
    // What PostgreSQL does by itself now and then.
    const reclaim = async () => void (await sql`vacuum analyze laurel.standings`.execute(db));
    return { db, reclaim };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Made aside and moved into place: one that was interrupted could never be opened. */
async function create(files: string, draft: string): Promise<void> {
  rmSync(draft, { recursive: true, force: true });
  const process = await startEmbedded(draft);
  await process.stop();
  renameSync(draft, files);
}

/** There is one connection: whoever wants it waits for the others. */
function poolOf({ query, stop }: EmbeddedProcess, closed: () => Promise<void>): PostgresPool {
  let last: Promise<void> = Promise.resolve();
  return {
    async connect() {
      const free = last;
      let release = () => {};
      last = new Promise((done) => {
        release = done;
      });
      await free;
      const client = {
        async query(text: string, parameters: readonly unknown[]) {
          const { rows, affectedRows } = await query(text, parameters);
          // The command is needed to know whether rows were affected, and for nothing that can happen here.
          return { command: 'UPDATE', rowCount: affectedRows, rows };
        },
        release,
      };
      return client as PostgresPoolClient;
    },
    async end() {
      await last;
      await stop();
      await closed();
    },
  };
}
