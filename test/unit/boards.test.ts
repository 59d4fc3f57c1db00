import { beforeEach, describe, expect, it } from 'vitest';
import { Boards } from '../../src/core/boards.ts';
import { StaleBoard } from '../../src/core/ports.ts';
import { MemoryDefinitions } from '../support/memory-store.ts';
import { refusalOf } from '../support/refusal.ts';

let definitions: MemoryDefinitions;
let boards: Boards;

beforeEach(() => {
  definitions = new MemoryDefinitions();
  boards = new Boards(definitions);
});

describe('finding a board', () => {
  it('asks the store for keys only', async () => {
    expect(await boards.find('Not A Key')).toBeNull();
    expect(definitions.asked).toEqual([]);
    expect(await boards.find('goals')).toBeNull();
    expect(definitions.asked).toEqual(['goals']);
  });

  it('that must exist says why not', async () => {
    expect(await refusalOf(() => boards.get('goals'))).toBe('LEADERBOARD_NOT_FOUND');
    expect(await refusalOf(() => boards.get('Not A Key'))).toBe('BAD_KEY');
    expect(await refusalOf(() => boards.create('Not A Key', {}))).toBe('BAD_KEY');
  });
});

describe('using a board', () => {
  it('begins again with a fresh one where it was stale', async () => {
    await boards.create('goals', {});
    let uses = 0;
    const version = await boards.with('goals', async (board) => {
      uses += 1;
      if (uses === 1) {
        await boards.update('goals', { title: 'Goals' });
        throw new StaleBoard();
      }
      return board.version;
    });
    expect([uses, version, definitions.forgotten]).toEqual([2, 2, ['goals']]);
  });

  it('gives up on one that keeps changing', async () => {
    await boards.create('goals', {});
    let uses = 0;
    const use = async () => {
      uses += 1;
      throw new StaleBoard();
    };
    expect(await refusalOf(() => boards.with('goals', use))).toBe('LEADERBOARD_CHANGED');
    expect(uses).toBe(4);
  });

  it('ends where it was deleted meanwhile', async () => {
    await boards.create('goals', {});
    const use = async () => {
      definitions.boards.delete('goals');
      throw new StaleBoard();
    };
    expect(await refusalOf(() => boards.with('goals', use))).toBe('LEADERBOARD_NOT_FOUND');
  });

  it('does not repeat what failed otherwise', async () => {
    await boards.create('goals', {});
    let uses = 0;
    const use = async () => {
      uses += 1;
      throw new Error('broken');
    };
    await expect(boards.with('goals', use)).rejects.toThrow('broken');
    expect(uses).toBe(1);
  });
});

describe('changing a board', () => {
  it.each([
    { sortOrder: 'LOW_TO_HIGH' },
    { scoreScale: 2 },
    { timeZone: 'Europe/Zurich' },
    { cadences: ['ALL_TIME', 'DAILY'] },
    // The first one is what callers get who name none.
    { cadences: ['WEEKLY', 'ALL_TIME'] },
  ] as const)('refuses what is fixed: %o', async (change) => {
    const before = await boards.create('goals', { cadences: ['ALL_TIME', 'WEEKLY'] });
    expect(await refusalOf(() => boards.update('goals', change))).toBe('BAD_INPUT');
    expect(definitions.boards.get('goals')).toEqual(before);
  });

  it('takes what is fixed as it is', async () => {
    await boards.create('goals', { timeZone: 'Asia/Kolkata', cadences: ['ALL_TIME', 'WEEKLY'] });
    const same = { timeZone: 'asia/kolkata', cadences: ['ALL_TIME', 'WEEKLY'] as const, scoreScale: 0 };
    expect(await boards.update('goals', { ...same, scorePolicy: 'SUM' })).toMatchObject({
      version: 2,
      scorePolicy: 'SUM',
      timeZone: 'Asia/Kolkata',
    });
  });

  it('removes it', async () => {
    await boards.create('goals', {});
    expect(await boards.remove('goals')).toMatchObject({ key: 'goals' });
    expect(await refusalOf(() => boards.remove('goals'))).toBe('LEADERBOARD_NOT_FOUND');
  });
});

describe('listing boards', () => {
  const start = { after: null, before: null, count: 3, fromEnd: false };
  const shown = async (page: Partial<Parameters<Boards['list']>[0]>) => {
    const { boards: found, more } = await boards.list({ ...start, ...page });
    return [...found.map(({ key }) => key), more];
  };

  beforeEach(async () => {
    for (const key of ['a', 'b', 'c', 'd', 'e']) await boards.create(key, {});
  });

  it('goes forward and backward, and says whether there is more', async () => {
    expect(await shown({})).toEqual(['a', 'b', 'c', true]);
    expect(await shown({ after: 'c' })).toEqual(['d', 'e', false]);
    expect(await shown({ fromEnd: true })).toEqual(['c', 'd', 'e', true]);
    expect(await shown({ fromEnd: true, before: 'c' })).toEqual(['a', 'b', false]);
    expect(await shown({ after: 'a', before: 'e' })).toEqual(['b', 'c', 'd', false]);
    expect(await shown({ count: 5 })).toEqual(['a', 'b', 'c', 'd', 'e', false]);
    expect(await shown({ count: 0 })).toEqual([true]);
  });

  it('leaves out what is listed and gone', async () => {
    definitions.ghosts.push('bb');
    expect(await shown({})).toEqual(['a', 'b', true]);
    expect(await boards.count()).toBe(5);
  });

  it('gives every one, over as many pages as it takes', async () => {
    for (let i = 0; i < 250; i += 1) await boards.create(`many-${String(i).padStart(3, '0')}`, {});
    const keys: string[] = [];
    for await (const { key } of boards.all()) keys.push(key);
    expect(keys).toEqual([...definitions.boards.keys()].sort());
  });
});
