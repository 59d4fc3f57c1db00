import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../src/archive/archive.ts';
import { newBoard, put, recordOfDay, someEntries, standingsOf } from '../support/archived.ts';
import { type ArchiveContext, describeArchive } from './archive-describe.ts';

describeArchive(
  'the embedded archive',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'laurel-archive-'));
    // As a process leaves it that was killed while it made the database.
    mkdirSync(join(dataDir, 'archive', 'draft'), { recursive: true });
    writeFileSync(join(dataDir, 'archive', 'draft', 'PG_VERSION'), '18');
    return {
      place: { url: null, dataDir },
      async stop() {
        rmSync(dataDir, { recursive: true });
      },
    };
  },
  describeEmbedded,
);

function describeEmbedded(context: ArchiveContext): void {
  describe('its database', () => {
    it('was made anew after that was interrupted', () => {
      const folder = join(context.place.dataDir, 'archive');
      expect([existsSync(join(folder, 'draft')), existsSync(join(folder, 'database'))]).toEqual([false, true]);
    });

    it('is for one process at a time, and says so to another', async () => {
      const message = `it is in use by process ${process.pid}. Stop that one, give this one a DATA_DIR of its own`;
      await expect(openArchive(context.place)).rejects.toThrow(`The archive cannot be used: ${message}`);
      await context.reopen();
    });

    it('computes beside everything else: nothing stands still meanwhile', async () => {
      const board = newBoard();
      const standings = standingsOf(board, someEntries(1000));
      const records = Array.from({ length: 20 }, (_, i) => recordOfDay(board, 20_000 + i, 1000));
      let longestMs = 0;
      let last = performance.now();
      const timer = setInterval(() => {
        longestMs = Math.max(longestMs, performance.now() - last);
        last = performance.now();
      }, 5);
      const began = performance.now();
      for (const record of records) await put(context.archive, record, standings);
      clearInterval(timer);
      expect(longestMs).toBeLessThan((performance.now() - began) / 2);
    });
  });
}
