import { describe, expect, it } from 'vitest';
import { runLaurel } from '../support/command-line.ts';
import { csv, importing, lines } from '../support/importing.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const context = importing();

describe('an import', () => {
  it('leaves out what a filter does not keep, and counts it', async () => {
    const path = temporaryFolder().write('a.csv', csv('Ann,1', 'NA,1', 'Bob,0'));
    const { code, out } = await context.importFile(path, '--where', 'player!=NA', '-w', 'points=1');
    expect(code).toBe(0);
    expect(out).toMatch(/ 1 {2}applied\n {2}2 {2}left out by --where\n/);
  });

  it('says what changed nothing and what periods refused', async () => {
    const path = temporaryFolder().write('a.csv', csv('Ann,1', 'Bob,0', 'late,1', 'late,1'));
    const { code, out } = await context.importFile(path);
    expect(code).toBe(0);
    expect(out).toMatch(/ 1 {2}applied\n {2}1 {2}changed nothing .*\n {2}2 {2}refused by their periods\n/);
    expect(out).toContain('Rows that periods did not accept:\n  2019: 2 rows (PERIOD_CLOSED)');
  });

  it('holds the board for a backfill and releases it when all is in, not after a failure', async () => {
    const path = temporaryFolder().write('a.csv', csv(...lines(300)));
    const during: boolean[] = [];
    context.service.onBlock = () => during.push(context.service.backfill);
    const { err } = await context.importFile(path, '--backfill');
    expect(during).toEqual([true, true]);
    expect(err).toContain('goals is held for this backfill');
    expect(err).toContain('goals is released');
    const changed = temporaryFolder().write('a.csv', csv(...lines(300).with(1, 'x,1')));
    const failed = await context.importFile(changed, '--backfill');
    expect(failed.err).toContain('goals STAYS HELD');
    expect(context.service.holds).toEqual([true, false, true]);
  });

  it('stops when somebody releases the board that it holds', async () => {
    const path = temporaryFolder().write('a.csv', csv(...lines(249), 'late,1', ...lines(300)));
    const { code, err } = await context.importFile(path, '--backfill');
    expect(code).toBe(2);
    expect(err).toContain('Somebody released goals while this import held it');
    expect(err).toContain('lines 2 to 251.');
    expect(context.service.blocks).toHaveLength(1);
  });

  it('leaves a hold that somebody else put on', async () => {
    context.service.backfill = true;
    const { err } = await context.importFile(temporaryFolder().write('a.csv', csv('Ann,1')), '--backfill');
    expect(context.service.holds).toEqual([]);
    expect(err).toContain('`laurel release goals` ends it');
  });

  it('stops after the block at hand on Ctrl-C, keeps the board held, and goes on the next time', async () => {
    const path = temporaryFolder().write('a.csv', csv(...lines(900)));
    const interrupt = new AbortController();
    context.service.onBlock = () => context.service.applied.length === 250 && interrupt.abort();
    const command = ['import', path, '-b', 'goals', '-m', 'player', '-s', 'points', '--backfill'];
    const { code, out, err } = await runLaurel(command, { url: context.service.url, signal: interrupt.signal });
    expect(code).toBe(130);
    expect(out).toMatch(/ 500 {2}applied/);
    expect(err).toContain('The same command goes on from there.');
    expect(err).toContain('goals STAYS HELD');
    expect(context.service.holds).toEqual([true]);
    await context.importFile(path);
    expect(context.service.applied).toHaveLength(900);
  });

  it('gives up waiting on Ctrl-C', async () => {
    const interrupt = new AbortController();
    context.service.fates = Array(20).fill('unavailable');
    context.service.onBlock = () => interrupt.abort();
    const path = temporaryFolder().write('a.csv', csv('Ann,1'));
    const command = ['import', path, '-b', 'goals', '-m', 'player', '-s', 'points'];
    const { code } = await runLaurel(command, { url: context.service.url, signal: interrupt.signal });
    expect(code).toBe(2);
    expect(context.service.fates.length).toBeGreaterThanOrEqual(18);
  });

  it('sends nothing when it is a dry run, and reports all the same', async () => {
    const path = temporaryFolder().write('a.csv', csv('Ann,1', 'Bob,x'));
    const { code, out } = await context.importFile(path, '--dry-run', '--backfill');
    expect(code).toBe(1);
    expect(out).toMatch(/ 1 {2}could be imported \(dry run: nothing was sent\)\n {2}1 {2}bad/);
    expect([context.service.blocks, context.service.holds]).toEqual([[], []]);
  });

  it.each([
    ['a board that is not there', ['-b', 'golas', '-s', 'points'], 'There is no board "golas".'],
    ['no source of scores', ['-b', 'goals'], 'either --score COLUMN or --increment NUMBER'],
    ['an increment that is no number', ['-b', 'goals', '-i', 'one'], '--increment "one" must be a number'],
    ['a condition that is none', ['-b', 'goals', '-s', 'points', '-w', 'x'], 'must be column=value'],
    ['no board', ['-s', 'points'], "required option '-b, --board <key>' not specified"],
  ])('of %s says what is wrong', async (_, options, message) => {
    const path = temporaryFolder().write('a.csv', csv('Ann,1'));
    const { code, err } = await runLaurel(['import', path, '-m', 'player', ...options], { url: context.service.url });
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('of a file that is not there says so before it asks for anything', async () => {
    const { code, err } = await runLaurel(['import', 'gone.csv', '-b', 'goals', '-m', 'a', '-s', 'b']);
    expect(code).toBe(2);
    expect(err).toBe('gone.csv is not there.\n');
  });
});
