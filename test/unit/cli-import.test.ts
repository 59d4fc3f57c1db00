import { describe, expect, it } from 'vitest';
import { runLaurel } from '../support/command-line.ts';
import { csv, importing, lines } from '../support/importing.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const context = importing();

describe('a file', () => {
  it('is imported in blocks, in order', async () => {
    const path = temporaryFolder().write('a.csv', csv(...lines(600)));
    const { code, out, err } = await context.importFile(path);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^a\.csv into goals: 600 rows read in [\d.]+ s, [\d,]+ rows\/s\n {2}600 {2}applied\n$/);
    expect(context.service.blocks.map(({ scores }) => scores.length)).toEqual([250, 250, 100]);
    expect(context.service.applied.map(({ memberId }) => memberId)).toEqual(
      lines(600).map((line) => line.split(',')[0]),
    );
    expect(context.service.holds).toEqual([]);
  });

  it('changes nothing the second time, and says so', async () => {
    const path = temporaryFolder().write('a.csv', csv(...lines(300), 'm1,1', 'm1,1'));
    await context.importFile(path);
    const { code, out } = await context.importFile(path);
    expect(code).toBe(0);
    expect(out).toMatch(/ 0 {2}applied\n {2}302 {2}imported before\n/);
    expect(out).toContain('Nothing new: goals has all of this file.');
    expect(context.service.totals().get('m1')).toBe(3);
  });

  it('is the same file with other line ends, quotes and blank lines', async () => {
    const folder = temporaryFolder();
    await context.importFile(folder.write('a.csv', csv('Ann,1', 'Bob,2')));
    const { out } = await context.importFile(folder.write('b.csv', '\ufeffplayer,points\r\n"Ann","1"\r\n\r\nBob,2'));
    expect(out).toMatch(/ 2 {2}imported before/);
  });

  it('that has grown brings in its new rows only, however often it grows', async () => {
    const folder = temporaryFolder();
    const sizes = [1, 100, 250, 251, 260, 499, 500, 1100];
    for (const [i, size] of sizes.entries()) {
      const { code, out } = await context.importFile(folder.write('a.csv', csv(...lines(size))));
      expect(code).toBe(0);
      expect(out).toMatch(new RegExp(` ${size - (sizes[i - 1] ?? 0)} {2}applied\n`));
      expect(context.service.applied).toHaveLength(size);
    }
    await context.importFile(folder.write('a.csv', csv(...lines(1100))));
    expect(context.service.applied).toHaveLength(1100);
  });

  it('goes on where a failure ended it', async () => {
    const path = temporaryFolder().write('a.csv', csv(...lines(600)));
    context.service.fates = ['answered', 'unavailable'];
    const surroundings = { url: context.service.url, patienceMs: 0 };
    const command = ['import', path, '-b', 'goals', '-m', 'player', '-s', 'points'];
    const first = await runLaurel(command, surroundings);
    expect(first).toMatchObject({ code: 2, err: 'Redis is away. (STORE_UNAVAILABLE)\n' });
    expect(first.out).toMatch(/ 250 {2}applied\n/);
    const second = await runLaurel(command, surroundings);
    expect(second.out).toMatch(/ 350 {2}applied\n {2}250 {2}imported before\n/);
    expect(context.service.applied).toHaveLength(600);
  });

  it('is tried again while the service is away, and a block whose answer was lost counts once', async () => {
    const path = temporaryFolder().write('a.csv', csv(...lines(300)));
    context.service.fates = ['unavailable', 'lost', 'answered', 'badGateway'];
    const { code, err } = await context.importFile(path);
    expect(code).toBe(0);
    expect(err.match(/The service is away \(.*\); trying again in [\d.]+ s\./g)).toHaveLength(3);
    expect(context.service.applied).toHaveLength(300);
  });

  it.each([
    ['a row changed', (rows: string[]) => rows.with(300, 'm301,2'), 252, 501],
    ['a row added', (rows: string[]) => rows.toSpliced(300, 0, 'new,1'), 252, 501],
    ['a row removed', (rows: string[]) => rows.toSpliced(300, 1), 252, 500],
    ['a row spoilt', (rows: string[]) => rows.with(300, 'm301,x'), 252, 501],
    ['two rows swapped', (rows: string[]) => rows.with(1, 'm3,1').with(2, 'm2,1'), 2, 251],
    ['its end cut off', (rows: string[]) => rows.slice(0, 300), 252, 301],
  ])('with %s since is not taken for grown', async (_, change, from, to) => {
    const folder = temporaryFolder();
    await context.importFile(folder.write('a.csv', csv(...lines(500))));
    const { code, err } = await context.importFile(folder.write('a.csv', csv(...change(lines(500)))));
    expect(code).toBe(2);
    expect(err).toContain(`Lines ${from} to ${to} are not what was imported into goals from here before`);
    expect(err).toContain('--source NAME');
    expect(context.service.applied).toHaveLength(500);
  });

  it('that is read otherwise is not taken for the same', async () => {
    const path = temporaryFolder().write('a.csv', 'player,points,other\nAnn,1,1\nBob,1,1\n');
    await context.importFile(path);
    const { code, err } = await runLaurel(['import', path, '-b', 'goals', '-m', 'player', '-s', 'other'], {
      url: context.service.url,
    });
    expect(code).toBe(2);
    expect(err).toContain('or the file is read with other options');
    const filtered = await context.importFile(path, '--where', 'player!=Bob');
    expect(filtered.code).toBe(2);
    expect(context.service.applied).toHaveLength(2);
  });

  it('counts again under a name of its own, once', async () => {
    const path = temporaryFolder().write('a.csv', csv('Ann,1'));
    await context.importFile(path);
    await context.importFile(path, '--source', 'monday');
    await context.importFile(path, '--source', 'monday');
    await context.importFile(path, '--source', 'tuesday');
    expect(context.service.totals()).toEqual(new Map([['Ann', 3]]));
  });

  it('known by a name may change in its first row only as in any other', async () => {
    const folder = temporaryFolder();
    await context.importFile(folder.write('a.csv', csv('Ann,1', 'Bob,1')), '--source', 'x');
    const { code } = await context.importFile(folder.write('a.csv', csv('Ann,2', 'Bob,1')), '--source', 'x');
    expect(code).toBe(2);
    expect(context.service.totals()).toEqual(
      new Map([
        ['Ann', 1],
        ['Bob', 1],
      ]),
    );
  });

  it.each([
    ['is empty', '', 'a.csv is empty'],
    ['lacks a column', 'player,x\nAnn,1\n', 'a.csv has no column "points"'],
  ])('that %s is a failure', async (_, content, message) => {
    const { code, err } = await context.importFile(temporaryFolder().write('a.csv', content));
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('with a header alone is imported: it has no rows', async () => {
    const { code, out } = await context.importFile(temporaryFolder().write('a.csv', 'player,points\n'));
    expect(code).toBe(0);
    expect(out).toContain('0 rows read');
    expect(context.service.blocks).toEqual([]);
  });

  it('that breaks further down is imported up to there', async () => {
    const path = temporaryFolder().write('a.csv', csv(...lines(300), 'm"301,1', ...lines(300)));
    const { code, out, err } = await context.importFile(path);
    expect(code).toBe(2);
    expect(out).toMatch(/ 250 {2}applied/);
    expect(err).toContain('a.csv, line 302 or after: a quote');
  });
});
