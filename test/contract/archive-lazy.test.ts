import { describe, expect, it } from 'vitest';
import { lazyArchive } from '../../src/archive/archive.ts';
import type { Archive } from '../../src/core/archive.ts';
import { newBoard, recordOfDay } from '../support/archived.ts';

const board = newBoard();
const record = recordOfDay(board, 20_000, 0);

/** An archive that notes what is asked of it. */
function recorder() {
  const calls: unknown[][] = [];
  const names = 'begin append complete find records read career correct prune removeBoard close'.split(' ');
  const note =
    (name: string) =>
    async (...given: unknown[]) => {
      calls.push([name, ...given]);
      return `${name} answered`;
    };
  const archive: unknown = Object.fromEntries(names.map((name) => [name, note(name)]));
  return { calls, archive: archive as Archive };
}

describe('a lazy archive', () => {
  it('is never opened where nobody uses it', async () => {
    let opened = 0;
    const lazy = lazyArchive(async () => {
      opened += 1;
      return recorder().archive;
    });
    await lazy.close();
    expect(opened).toBe(0);
    await expect(lazy.find(board, 'all')).rejects.toMatchObject({
      code: 'ARCHIVE_UNAVAILABLE',
      details: { reason: 'The archive is closed.' },
    });
    expect(opened).toBe(0);
  });

  it('is opened once, and passes on all that is asked', async () => {
    const { calls, archive } = recorder();
    let opened = 0;
    const lazy = lazyArchive(async () => {
      opened += 1;
      return archive;
    });
    const uses: [keyof Archive, () => Promise<unknown>, unknown[]][] = [
      ['begin', () => lazy.begin(record), [record]],
      ['append', () => lazy.append(record, []), [record, []]],
      ['complete', () => lazy.complete(record), [record]],
      ['find', () => lazy.find(board, 'all'), [board, 'all']],
      ['records', () => lazy.records(board, 'DAILY'), [board, 'DAILY']],
      ['read', () => lazy.read(board, []), [board, []]],
      ['career', () => lazy.career(board, 'a', 'DAILY', 3), [board, 'a', 'DAILY', 3]],
      ['correct', () => lazy.correct(board, 'all', 'a', '1', 2), [board, 'all', 'a', '1', 2]],
      ['prune', () => lazy.prune(board, 1), [board, 1]],
      ['removeBoard', () => lazy.removeBoard('life'), ['life']],
    ];
    const answers = await Promise.all(uses.map(([, use]) => use()));
    expect(answers).toEqual(uses.map(([name]) => `${name} answered`));
    await lazy.close();
    expect(calls).toEqual([...uses.map(([name, , given]) => [name, ...given]), ['close']]);
    expect(opened).toBe(1);
  });

  it('is tried again after it could not be opened, and closes without having been', async () => {
    const { archive } = recorder();
    let tries = 0;
    const lazy = lazyArchive(async () => {
      tries += 1;
      if (tries < 3) throw new Error('no database');
      return archive;
    });
    const both = await Promise.allSettled([lazy.find(board, 'all'), lazy.find(board, 'all')]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(tries).toBe(1);
    await expect(lazy.find(board, 'all')).rejects.toMatchObject({ details: { reason: 'no database' } });
    expect(await lazy.find(board, 'all')).toBe('find answered');
    const never = lazyArchive(async () => {
      throw new Error('no database');
    });
    await Promise.allSettled([never.find(board, 'all'), never.close()]);
  });
});
