import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { newBoard, put, readStandings, recordOfDay, someEntries, standingsOf } from '../support/archived.ts';
import type { ArchiveContext } from './archive-describe.ts';

const writerScript = join(import.meta.dirname, '../support/archive-writer.ts');

function make(count: number, input: Parameters<typeof newBoard>[0] = {}) {
  const board = newBoard(input);
  const standings = standingsOf(board, someEntries(count));
  return { board, standings, record: recordOfDay(board, 20_000, count) };
}

export function describeArchiving(context: ArchiveContext): void {
  describe('archiving', () => {
    it('T3: begin, append, complete: then all of it is read, ranks and all', async () => {
      const { board, standings, record } = make(50, { rankMethod: 'DENSE' });
      expect(await context.archive.begin(record)).toBe(0);
      await context.archive.append(record, standings.slice(0, 20));
      await context.archive.append(record, standings.slice(20));
      await context.archive.complete(record);
      expect(await readStandings(context.archive, board, record.period)).toEqual(standings);
      expect(await context.archive.find(board, record.period)).toEqual(record);
    });

    it('keeps texts as they are: ids in any script, quotes, braces, backslashes, NULL, metadata', async () => {
      const ids = [
        'NULL',
        'null',
        '"',
        "'",
        '\\',
        '{a,b}',
        '{}',
        ',',
        '%s',
        '$1',
        ' a ',
        'é',
        '中文',
        '😀',
        '\u{FFFD}',
      ];
      const board = newBoard();
      const metadata = '{"a": "\\"x\\"\\\\", "b":  1.0}';
      const standings = standingsOf(board, [
        ...ids.map((ordered) => ({ ordered, score: 1 })),
        { ordered: 'with', score: 2, metadata },
      ]);
      const record = { ...recordOfDay(board, 20_000, standings.length), epoch: 'it\'s "one"' };
      await put(context.archive, record, standings);
      expect(await readStandings(context.archive, board, record.period)).toEqual(standings);
      expect(await context.archive.find(board, record.period)).toEqual(record);
    });

    it('S1: the widest scores and a period without entries', async () => {
      const widest = newBoard();
      const [most, least] = [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER];
      const standings = standingsOf(widest, [
        { ordered: 'a', score: most },
        { ordered: 'b', score: most - 1 },
        { ordered: 'c', score: 0 },
        { ordered: 'd', score: least },
      ]);
      const record = recordOfDay(widest, 20_000, 4);
      await put(context.archive, record, standings);
      expect(await readStandings(context.archive, widest, record.period)).toEqual(standings);
      const empty = make(0);
      await put(context.archive, empty.record, []);
      expect(await readStandings(context.archive, empty.board, empty.record.period)).toEqual([]);
    });

    it('T3: goes on after a crash at any batch', async () => {
      const size = 4;
      const crashes = [0, 4, 8, 12].map((done) => ({ done, ...make(10) }));
      for (const { done, standings, record } of crashes) {
        await context.archive.begin(record);
        for (let at = 0; at < done; at += size) await context.archive.append(record, standings.slice(at, at + size));
      }
      await context.reopen();
      for (const { done, board, standings, record } of crashes) {
        expect(await context.archive.begin(record)).toBe(Math.min(done, 10));
        await put(context.archive, record, standings, size);
        expect(await readStandings(context.archive, board, record.period)).toEqual(standings);
        expect(await context.archive.begin(record)).toBe(10);
      }
    });

    it('T3: goes on after its process was killed in the middle', async () => {
      const { board, standings, record } = make(700);
      let reached = 0;
      await context.reopen(async () => {
        const given = [JSON.stringify(context.place), JSON.stringify({ record, standings })];
        const writer = spawn(process.execPath, ['--import', 'tsx', writerScript, ...given], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        for await (const line of createInterface({ input: writer.stdout })) {
          reached = Number(line);
          if (reached >= 140) break;
        }
        writer.kill('SIGKILL');
        await once(writer, 'exit');
      });
      const next = await context.archive.begin(record);
      expect(next).toBeGreaterThanOrEqual(reached);
      expect(next % 7).toBe(0);
      await put(context.archive, record, standings);
      expect(await readStandings(context.archive, board, record.period)).toEqual(standings);
    });

    it('T3: the same batches again, at once, or some before others, leave what one run would have left', async () => {
      const { board, standings, record } = make(60);
      await Promise.all([put(context.archive, record, standings, 7), put(context.archive, record, standings, 11)]);
      await put(context.archive, record, standings, 13);
      await context.archive.append(record, standings);
      await context.archive.append(record, []);
      expect(await readStandings(context.archive, board, record.period)).toEqual(standings);
      const gaps = make(30);
      await context.archive.begin(gaps.record);
      await context.archive.append(gaps.record, gaps.standings.slice(0, 5));
      await context.archive.append(gaps.record, gaps.standings.slice(10, 20));
      expect(await context.archive.begin(gaps.record)).toBe(5);
      await context.archive.append(gaps.record, gaps.standings.slice(5, 12));
      expect(await context.archive.begin(gaps.record)).toBe(20);
    });

    it('T3: a count that is not the record’s is refused, and nothing of it is read', async () => {
      const { board, standings, record } = make(10);
      await expect(context.archive.complete(record)).rejects.toThrow('was not begun');
      await context.archive.begin(record);
      await context.archive.append(record, standings.slice(0, 9));
      await expect(context.archive.complete(record)).rejects.toThrow('holds 9 of the 10 entries');
      await context.archive.append(record, standings.slice(9));
      const other = { ...record, entryCount: 9 };
      await expect(context.archive.complete(other)).rejects.toThrow('holds 10 of the 9 entries');
      expect(await context.archive.find(board, record.period)).toBeNull();
      expect(await context.archive.records(board, null)).toEqual([]);
      await expect(readStandings(context.archive, board, record.period)).rejects.toThrow('does not hold');
      await context.archive.complete(record);
      await context.archive.complete(record);
      expect(await readStandings(context.archive, board, record.period)).toEqual(standings);
    });

    it('refuses standings out of order, beyond the record, or of one that was not begun', async () => {
      const { standings, record } = make(10);
      await expect(context.archive.append(record, standings)).rejects.toThrow('was not begun');
      await context.archive.begin(record);
      await expect(context.archive.append(record, standings.toReversed())).rejects.toThrow('has gaps');
      await expect(context.archive.append({ ...record, entryCount: 9 }, standings)).rejects.toThrow('leaves its 9');
      expect(await context.archive.begin(record)).toBe(0);
    });

    it('T5: what was begun of entries that Redis lost is begun anew; what is complete stays', async () => {
      const { board, standings, record } = make(10);
      await context.archive.begin(record);
      await context.archive.append(record, standings.slice(0, 6));
      const other = make(8, { sortOrder: 'LOW_TO_HIGH' });
      const again = { ...record, epoch: 'epoch-2', entryCount: 8, closedAt: record.closedAt + 1 };
      expect(await context.archive.begin(again)).toBe(0);
      await put(context.archive, again, other.standings);
      expect(await context.archive.find(board, record.period)).toEqual(again);
      await expect(context.archive.begin(record)).rejects.toThrow('holds other entries already');
      expect(await readStandings(context.archive, board, record.period)).toHaveLength(8);
    });
  });
}
