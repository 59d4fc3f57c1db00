import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { csv, importing, lines } from '../support/importing.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const context = importing();

describe('bad rows', () => {
  it('are reported with their lines, spoil nothing, and give exit code 1', async () => {
    const path = temporaryFolder().write('a.csv', csv('Ann,1', ',1', 'NA,1', 'Bob,x', 'refused,9', 'Cid', 'Dan,2'));
    const { code, out, err } = await context.importFile(path);
    expect(code).toBe(1);
    expect(context.service.totals()).toEqual(
      new Map([
        ['Ann', 1],
        ['Dan', 2],
      ]),
    );
    expect(out).toMatch(/ 2 {2}applied\n {2}5 {2}bad\n/);
    const reported = [...out.matchAll(/^ {2}line (\d+): (.*)$/gm)].map(([, line, problem]) => [Number(line), problem]);
    expect(reported.sort(([a], [b]) => Number(a) - Number(b))).toEqual([
      [3, '"player" is empty'],
      [4, '"player" is NA, which stands for a missing value'],
      [5, '"x" is not a number (digits, with a point for decimals)'],
      [6, 'refused: Too much. (SCORE_OUT_OF_RANGE)'],
      [7, 'has 1 cells where the header has 2'],
    ]);
    expect(err).toContain('5 rows of a.csv could not be used.');
  });

  it('are bad again the next time, and the others in already', async () => {
    const path = temporaryFolder().write('a.csv', csv('Ann,1', ',1', 'refused,9'));
    await context.importFile(path);
    const { code, out } = await context.importFile(path);
    expect(code).toBe(1);
    expect(out).toMatch(/ 0 {2}applied\n {2}1 {2}imported before\n {2}2 {2}bad\n/);
  });

  it('are shown up to twenty, and written all into a file that can be mended and imported', async () => {
    const folder = temporaryFolder();
    const bad = `${folder.path}/bad.csv`;
    const path = folder.write('a.csv', csv('Ann,1', ...Array(30).fill('"Bob, ""B""",one')));
    const { code, out, err } = await context.importFile(path, '--bad-rows', bad);
    expect(code).toBe(1);
    expect(out).toContain('line 22: ');
    expect(out).not.toContain('line 23: ');
    expect(out).toContain('and 10 more');
    expect(err).toContain(bad);
    const content = readFileSync(bad, 'utf8');
    expect(content.split('\n').slice(0, 2)).toEqual([
      'player,points,laurel_line,laurel_problem',
      '"Bob, ""B""",one,3,"""one"" is not a number (digits, with a point for decimals)"',
    ]);
    const mended = await context.importFile(folder.write('mended.csv', content.replaceAll(',one,', ',1,')));
    expect(mended.code).toBe(0);
    expect(context.service.totals()).toEqual(
      new Map([
        ['Ann', 1],
        ['Bob, "B"', 30],
      ]),
    );
  });

  it.each([
    ['a.csv', /--bad-rows must name another file/],
    ['gone/bad.csv', /gone\/bad\.csv cannot be written: ENOENT/],
  ])('cannot be written to %s, which is said before anything is imported', async (name, message) => {
    const folder = temporaryFolder();
    const path = folder.write('a.csv', csv('Ann,1'));
    const { code, err } = await context.importFile(path, '--bad-rows', `${folder.path}/${name}`);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(context.service.blocks).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe(csv('Ann,1'));
  });

  it('of a JSON Lines file are written as JSON', async () => {
    const folder = temporaryFolder();
    const path = folder.write('a.jsonl', '{"player":"Ann","points":1}\n{"player":"Bob"}\nBob\n');
    await context.importFile(path, '--bad-rows', `${folder.path}/bad.jsonl`);
    const rows = readFileSync(`${folder.path}/bad.jsonl`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows).toEqual([
      { player: 'Bob', laurel_line: 2, laurel_problem: '"points" is empty' },
      { laurel_text: 'Bob', laurel_line: 3, laurel_problem: 'is not a JSON object' },
    ]);
  });

  it('may be removed, spoilt otherwise, or left out by a filter: the file stays the same', async () => {
    const folder = temporaryFolder();
    const rows = lines(300);
    await context.importFile(folder.write('a.csv', csv(...rows.toSpliced(100, 0, ',1', 'NA,1'))));
    for (const [code, path, ...more] of [
      [0, folder.write('b.csv', csv(...rows))],
      [1, folder.write('c.csv', csv(...rows.toSpliced(7, 0, 'Ann,x')))],
      [0, folder.write('a.csv', csv(...rows.toSpliced(100, 0, ',1', 'NA,1'))), '-w', 'player!=', '-w', 'player!=NA'],
    ] as const) {
      expect(await context.importFile(path, ...more)).toMatchObject({
        code,
        out: expect.stringMatching(/ 300 {2}imported before/),
      });
    }
    expect(context.service.applied).toHaveLength(300);
  });

  it('mended in their place make another file of it', async () => {
    const folder = temporaryFolder();
    await context.importFile(folder.write('a.csv', csv(...lines(300).toSpliced(100, 0, ',1'))));
    const { code, err } = await context.importFile(
      folder.write('a.csv', csv(...lines(300).toSpliced(100, 0, 'Ann,1'))),
    );
    expect(code).toBe(2);
    expect(err).toContain('Lines 2 to 251 are not what was imported');
    expect(context.service.applied).toHaveLength(300);
  });

  it('at the end do not hinder the file from growing, nor from being mended there', async () => {
    const folder = temporaryFolder();
    await context.importFile(folder.write('a.csv', csv('Ann,1', ',1')));
    const { code, out } = await context.importFile(folder.write('a.csv', csv('Ann,1', 'Bob,1', 'Cid,1')));
    expect(code).toBe(0);
    expect(out).toMatch(/ 2 {2}applied\n {2}1 {2}imported before/);
  });

  it('in the first place stop the import: the file is known by that row', async () => {
    const path = temporaryFolder().write('a.csv', csv(',1', 'Ann,1'));
    const { code, err } = await context.importFile(path);
    expect(code).toBe(2);
    expect(err).toContain('Line 2, the first row: "player" is empty.');
    expect(context.service.blocks).toEqual([]);
    expect((await context.importFile(path, '--source', 'x')).code).toBe(1);
    expect(context.service.totals()).toEqual(new Map([['Ann', 1]]));
  });
});
