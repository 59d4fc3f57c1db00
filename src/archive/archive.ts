import { join } from 'node:path';
import type { Archive } from '../core/archive.ts';
import { LaurelError } from '../core/errors.ts';
import { connectPostgres } from './database.ts';
import { migrate } from './migrations.ts';
import { SqlArchive } from './sql-archive.ts';

/**
 * Opens the archive in PostgreSQL, or where there is no `url` in a database of its own under `dataDir`, and brings its
 * tables up to date. Rejects, leaving nothing open, where that is impossible.
 */
export async function openArchive({ url, dataDir }: { url: string | null; dataDir: string }): Promise<Archive> {
  // The embedded database is large: only who uses it loads it.
  const { db, reclaim } =
    url === null
      ? await (await import('./embedded.ts')).openEmbedded(join(dataDir, 'archive'))
      : { db: connectPostgres(url), reclaim: undefined };
  try {
    await migrate(db);
    return new SqlArchive(db, reclaim);
  } catch (error) {
    await db.destroy();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The archive cannot be used: ${reason}`, { cause: error });
  }
}

/** Only a Laurel error is expected of an archive: anything else is its database's trouble. */
function unavailable(error: unknown): LaurelError {
  if (error instanceof LaurelError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new LaurelError('ARCHIVE_UNAVAILABLE', 'The archive cannot be reached just now; try again.', { reason });
}

/** An archive that is opened when it is first used, and again if that failed. Who never uses it has no database. */
export function lazyArchive(openIt: () => Promise<Archive>): Archive & { open(): Promise<void> } {
  let opened: Promise<Archive> | null = null;
  let closed = false;
  const use = async <T>(call: (archive: Archive) => Promise<T>): Promise<T> => {
    try {
      if (closed) throw new Error('The archive is closed.');
      opened ??= openIt().catch((error: unknown) => {
        opened = null;
        throw error;
      });
      return await call(await opened);
    } catch (error) {
      throw unavailable(error);
    }
  };
  return {
    open: () => use(async () => {}),
    begin: (...given) => use((archive) => archive.begin(...given)),
    append: (...given) => use((archive) => archive.append(...given)),
    complete: (...given) => use((archive) => archive.complete(...given)),
    find: (...given) => use((archive) => archive.find(...given)),
    records: (...given) => use((archive) => archive.records(...given)),
    read: (...given) => use((archive) => archive.read(...given)),
    career: (...given) => use((archive) => archive.career(...given)),
    correct: (...given) => use((archive) => archive.correct(...given)),
    prune: (...given) => use((archive) => archive.prune(...given)),
    removeBoard: (...given) => use((archive) => archive.removeBoard(...given)),
    async close() {
      closed = true;
      // One that could not be opened needs no closing.
      await (await opened?.catch(() => null))?.close();
    },
  };
}
