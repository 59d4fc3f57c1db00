import { join } from 'node:path';
import type { Archive } from '../core/archive.ts';
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

/** An archive that is opened when it is first used, and again if that failed. Who never uses it has no database. */
export function lazyArchive(open: () => Promise<Archive>): Archive {
  let opened: Promise<Archive> | null = null;
  let closed = false;
  const use = async (): Promise<Archive> => {
    if (closed) throw new Error('The archive is closed.');
    opened ??= open().catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
  return {
    begin: async (...given) => (await use()).begin(...given),
    append: async (...given) => (await use()).append(...given),
    complete: async (...given) => (await use()).complete(...given),
    find: async (...given) => (await use()).find(...given),
    records: async (...given) => (await use()).records(...given),
    read: async (...given) => (await use()).read(...given),
    career: async (...given) => (await use()).career(...given),
    correct: async (...given) => (await use()).correct(...given),
    prune: async (...given) => (await use()).prune(...given),
    removeBoard: async (...given) => (await use()).removeBoard(...given),
    async close() {
      closed = true;
      // One that could not be opened needs no closing.
      await (await opened?.catch(() => null))?.close();
    },
  };
}
