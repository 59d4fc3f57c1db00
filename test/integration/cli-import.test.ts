import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { adminKey } from '../support/app.ts';
import { scoresOf, serviceAndLaurel, startService } from '../support/cli-service.ts';
import { runLaurel } from '../support/command-line.ts';
import { newBoardKey } from '../support/graphql-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const csv = (...rows: string[]) => ['player,points,day', ...rows, ''].join('\n');
const options = ['--member', 'player', '--score', 'points'];
/** A point for each of many members, every one several times. */
const manyRows = (count: number) => Array.from({ length: count }, (_, i) => `m${i % 97},1,`);
const sumOf = (scores: Record<string, number>) => Object.values(scores).reduce((sum, score) => sum + score, 0);

describe('an import into the real service', () => {
  it('applies each row once: the same file again, and grown', async () => {
    const laurel = await serviceAndLaurel();
    const [board, folder] = [newBoardKey(), temporaryFolder()];
    await laurel('create', board, '--policy', 'SUM');
    const importRows = (...rows: string[]) =>
      laurel('import', folder.write('a.csv', csv(...rows)), '--board', board, ...options);
    expect((await importRows(...manyRows(300))).out).toMatch(/ 300 {2}applied/);
    expect((await importRows(...manyRows(300))).out).toMatch(/ 300 {2}imported before\nNothing new/);
    expect((await importRows(...manyRows(777))).out).toMatch(/ 477 {2}applied\n {2}300 {2}imported before/);
    const scores = scoresOf(await laurel('export', '--board', board));
    expect([Object.keys(scores).length, scores.m0, scores.m96, sumOf(scores)]).toEqual([97, 9, 8, 777]);
  });

  it('stops at a file that was changed where it had been imported', async () => {
    const laurel = await serviceAndLaurel();
    const [board, folder] = [newBoardKey(), temporaryFolder()];
    await laurel('create', board, '--policy', 'SUM');
    const importRows = (...rows: string[]) =>
      laurel('import', folder.write('a.csv', csv(...rows)), '--board', board, ...options);
    await importRows(...manyRows(600));
    const { code, err } = await importRows(...manyRows(600).with(400, 'm1,7,'), ...manyRows(100));
    expect(code).toBe(2);
    expect(err).toContain(`Lines 252 to 501 are not what was imported into ${board}`);
    expect(sumOf(scoresOf(await laurel('export', '--board', board)))).toBe(600);
  });

  it('reports rows that the service refuses, the same ones every time, and counts what is not better', async () => {
    const laurel = await serviceAndLaurel();
    const [board, folder] = [newBoardKey(), temporaryFolder()];
    await laurel('create', board);
    const path = folder.write(
      'a.csv',
      csv('Ann,5,', 'Ann,4,', 'Bob,1.5,', `${'x'.repeat(129)},1,`, 'Cid,1e16,', 'Dan,0,'),
    );
    const first = await laurel('import', path, '--board', board, ...options);
    expect(first.code).toBe(1);
    expect(first.out).toMatch(/ 2 {2}applied\n {2}1 {2}changed nothing .*\n {2}3 {2}bad/);
    expect([...first.out.matchAll(/line (\d+): refused: .* \((\w+)\)/g)].map(([, line, code]) => [line, code])).toEqual(
      [
        ['4', 'SCORE_TOO_PRECISE'],
        ['5', 'BAD_MEMBER_ID'],
        ['6', 'SCORE_OUT_OF_RANGE'],
      ],
    );
    const second = await laurel('import', path, '--board', board, ...options);
    expect(second.code).toBe(1);
    expect(second.out).toMatch(/ 0 {2}applied\n {2}3 {2}imported before\n {2}3 {2}bad/);
    expect(scoresOf(await laurel('export', '--board', board))).toEqual({ Ann: 5, Dan: 0 });
  });

  it('brings in past years under a hold only, each row in the year it names in the board’s zone', async () => {
    const laurel = await serviceAndLaurel();
    const [board, folder] = [newBoardKey(), temporaryFolder()];
    await laurel('create', board, '--policy', 'SUM', '--cadence', 'YEARLY', '--time-zone', 'America/New_York');
    const path = folder.write('a.csv', csv('Ann,1,2019-01-01', 'Ann,2,2018-12-31', 'Ann,4,1916-07-02'));
    const command = ['import', path, '--board', board, ...options, '--occurred-at', 'day'];
    const refused = await laurel(...command);
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(
      /^Line 2 is of 2019-01-01T05:00:00\.000Z, and of .* has ended.*--backfill.*--skip-closed/s,
    );
    const { code, out } = await laurel(...command, '--backfill');
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/ 3 {2}applied/) });
    for (const [year, score] of [
      ['2019', 1],
      ['2018', 2],
      ['1916', 4],
    ] as const) {
      expect(scoresOf(await laurel('export', '--board', board, '--period', year))).toEqual({ Ann: score });
    }
    const late = folder.write('b.csv', csv('Bob,1,2019-06-01'));
    expect((await laurel('import', late, ...command.slice(2))).code).toBe(2);
    const skipping = await laurel('import', late, ...command.slice(2), '--skip-closed');
    expect(skipping.code).toBe(0);
    expect(skipping.out).toMatch(/ 1 {2}refused by their periods\n.*\n {2}2019: 1 row \(PERIOD_CLOSED\)/);
  });

  it('waits for a service that restarts, and no row is lost or counted twice', async () => {
    const [board, folder] = [newBoardKey(), temporaryFolder()];
    const first = await startService();
    const url = `${first.url}/graphql`;
    const laurel = (...args: string[]) => runLaurel(args, { url, key: adminKey, patienceMs: 30_000 });
    await laurel('create', board, '--policy', 'SUM');
    const path = folder.write('a.csv', csv(...manyRows(20_000)));
    const importing = laurel('import', path, '--board', board, ...options);
    await until(async () => sumOf(scoresOf(await laurel('export', '--board', board))) > 1000);
    await first.close();
    const second = await startService(Number(new URL(url).port));
    onTestFinished(() => second.close());
    const { code, err } = await importing;
    expect(code).toBe(0);
    expect(err).toContain('The service is away');
    expect(sumOf(scoresOf(await laurel('export', '--board', board)))).toBe(20_000);
  });
});

describe('the laurel program', () => {
  const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

  function start(args: readonly string[], env: Record<string, string>, cwd?: string) {
    const loader = import.meta.resolve('tsx');
    const inherited = { PATH: process.env.PATH ?? '' };
    const child = spawn(process.execPath, ['--import', loader, program, ...args], {
      env: { ...inherited, ...env },
      cwd,
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk) => (said.out += chunk));
    child.stderr.on('data', (chunk) => (said.err += chunk));
    return { child, said, ended: once(child, 'close').then(([code]) => Number(code)) };
  }

  it('finds service and key in its surroundings, and ends by itself', async () => {
    const { url } = await serviceAndLaurel();
    const [board, folder] = [newBoardKey(), temporaryFolder()];
    folder.write('admin-api-key', `${adminKey}\n`);
    const byFile = start(['create', board], { LAUREL_URL: url, DATA_DIR: folder.path });
    expect([await byFile.ended, byFile.said.err]).toEqual([0, '']);
    const byName = start(['hold', board], { PORT: new URL(url).port, ADMIN_API_KEY: adminKey }, folder.path);
    expect([await byName.ended, byName.said.err]).toEqual([0, '']);
    const without = start(['hold', board], { LAUREL_URL: url }, folder.path);
    expect(await without.ended).toBe(2);
    expect(without.said.err).toContain('No API key was found in data/admin-api-key');
  });

  it('stops on Ctrl-C, keeps the board held, and the same command goes on', async () => {
    const laurel = await serviceAndLaurel();
    const [board, folder] = [newBoardKey(), temporaryFolder()];
    await laurel('create', board, '--policy', 'SUM');
    const path = folder.write('a.csv', csv(...manyRows(60_000)));
    const command = ['import', path, '--board', board, ...options, '--backfill'];
    const { child, said, ended } = start(command, { LAUREL_URL: laurel.url, ADMIN_API_KEY: adminKey });
    await until(async () => sumOf(scoresOf(await laurel('export', '--board', board))) > 1000, 20_000);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(said.err).toContain('STAYS HELD');
    expect(said.err).toContain('The same command goes on from there.');
    const applied = Number(/([\d,]+) {2}applied/.exec(said.out)?.[1]?.replace(',', ''));
    expect(applied).toBeLessThan(60_000);
    expect(sumOf(scoresOf(await laurel('export', '--board', board)))).toBe(applied);
    const rest = await laurel(...command);
    expect(rest.code).toBe(0);
    expect(sumOf(scoresOf(await laurel('export', '--board', board)))).toBe(60_000);
  });
});
