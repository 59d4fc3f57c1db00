import { existsSync, readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/program.ts';
import { adminKey } from '../support/app.ts';
import { type Laurel, scoresOf, serviceAndLaurel } from '../support/cli-service.ts';
import { runLaurel } from '../support/command-line.ts';
import { newBoardKey } from '../support/graphql-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A board of so many members, two to each score. */
async function filledBoard(laurel: Laurel, count: number): Promise<string> {
  const board = newBoardKey();
  const rows = Array.from({ length: count }, (_, i) => JSON.stringify({ id: `m${i}`, points: count - (i >> 1) }));
  const path = temporaryFolder().write('a.jsonl', rows.join('\n'));
  await laurel('create', board);
  await laurel('import', path, '--board', board, '--member', 'id', '--score', 'points');
  return board;
}

describe('laurel export', () => {
  it('finds the API of a service that is named without a path', async () => {
    const laurel = await serviceAndLaurel();
    const board = await filledBoard(laurel, 3);
    const { code, err } = await laurel('export', '--board', board, '--url', new URL(laurel.url).origin);
    expect([code, err]).toEqual([0, `${board}, period all (OPEN) at version 3\n3 entries written.\n`]);
  });

  it('writes every entry once, in board order, over as many pages as it takes', async () => {
    const laurel = await serviceAndLaurel();
    const board = await filledBoard(laurel, 250);
    const { code, out, err } = await laurel('export', '--board', board);
    expect(code).toBe(0);
    expect(err).toBe(`${board}, period all (OPEN) at version 250\n250 entries written.\n`);
    const [header, ...rows] = out.trim().split('\n');
    expect(header).toBe('rank,competitionRank,index,memberId,displayName,score');
    expect(rows.map((row) => row.split(',')[2])).toEqual(Array.from({ length: 250 }, (_, i) => String(i)));
    expect(rows.slice(100, 102)).toEqual(['101,101,100,m101,,200', '101,101,101,m100,,200']);
    expect(new Set(rows.map((row) => row.split(',')[3])).size).toBe(250);
  });

  it('can be imported into another board, with the same result', async () => {
    const laurel = await serviceAndLaurel();
    const [board, copy, folder] = [await filledBoard(laurel, 150), newBoardKey(), temporaryFolder()];
    await laurel('create', copy);
    const file = `${folder.path}/out.csv`;
    await laurel('export', '--board', board, '--output', file);
    await laurel('import', file, '--board', copy, '--member', 'memberId', '--score', 'score');
    expect((await laurel('export', '--board', copy)).out).toBe(readFileSync(file, 'utf8'));
  });

  it('writes JSON Lines', async () => {
    const laurel = await serviceAndLaurel();
    const { out } = await laurel('export', '--board', await filledBoard(laurel, 3), '--format', 'jsonl');
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))[2],
    ).toEqual({
      rank: 3,
      competitionRank: 3,
      index: 2,
      memberId: 'm2',
      displayName: null,
      score: 2,
    });
  });

  it('warns when the board changed while it was read', async () => {
    const laurel = await serviceAndLaurel();
    const board = await filledBoard(laurel, 150);
    const path = temporaryFolder().write('b.jsonl', '{"id":"new","points":1000}');
    let changed = false;
    let notes = '';
    // Between two pages: the first one's entries are being written.
    const results = new Writable({
      write: (_chunk, _encoding, done) => {
        if (changed) return done();
        changed = true;
        laurel('import', path, '--board', board, '--member', 'id', '--score', 'points').then(() => done(), done);
      },
      highWaterMark: 1,
    });
    const noteStream = new Writable({
      write: (chunk, _encoding, done) => {
        notes += chunk;
        done();
      },
    });
    const code = await runCommandLine(['export', '--board', board], {
      terminal: { results, notes: noteStream, interactive: false },
      signal: new AbortController().signal,
      url: laurel.url,
      key: null,
      keyOrigin: '',
    });
    expect(code).toBe(0);
    expect(notes).toContain('Warning: the board changed while it was read (version 150 to 151)');
  });

  it('leaves no file behind when it fails', async () => {
    const laurel = await serviceAndLaurel();
    const folder = temporaryFolder();
    const file = `${folder.path}/out.csv`;
    const { code, err } = await laurel('export', '--board', 'nowhere', '--output', file);
    expect([code, err]).toEqual([2, 'There is no board "nowhere". `laurel boards` lists those there are.\n']);
    const lost = await laurel('export', '--board', await filledBoard(laurel, 1), '--output', `${folder.path}/gone/x`);
    expect([lost.code, lost.err]).toEqual([2, expect.stringContaining('gone/x.part cannot be written')]);
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false]);
  });
});

describe('boards', () => {
  it('are made, listed and shown', async () => {
    const laurel = await serviceAndLaurel();
    const board = newBoardKey();
    const rules = ['--title', 'Best laps', '--order', 'LOW_TO_HIGH', '--scale', '3', '--cadence', 'ALL_TIME', 'DAILY'];
    expect((await laurel('create', board, ...rules)).code).toBe(0);
    expect(await laurel('create', board)).toMatchObject({
      code: 2,
      err: expect.stringContaining('LEADERBOARD_EXISTS'),
    });
    const path = temporaryFolder().write('a.csv', 'who,time\nAnn,61.25\nBob,59.125\nCid,61.25\n');
    await laurel('import', path, '--board', board, '--member', 'who', '--score', 'time');
    expect((await laurel('boards')).out).toMatch(
      new RegExp(`^${board} +Best laps +BEST +LOW_TO_HIGH +ALL_TIME DAILY +all +3$`, 'm'),
    );
    const { out } = await laurel('top', board, '--count', '2');
    expect(out.split('\n').map((line) => line.trim())).toEqual([
      'Best laps, period all (OPEN), 3 entries',
      'RANK   SCORE  NAME  MEMBER',
      '1  59.125  Bob',
      '2   61.25  Ann',
      '',
    ]);
    const day = new Date().toISOString().slice(0, 10);
    expect((await laurel('top', board, '--cadence', 'DAILY')).out).toContain(`period ${day}`);
    expect((await laurel('top', board, '--period', '2026-W01')).err).toBe(`Board ${board} has no period 2026-W01.\n`);
    expect((await laurel('top', board, '--period', 'all', '--cadence', 'DAILY')).code).toBe(2);
  });

  it('are held and released by hand', async () => {
    const laurel = await serviceAndLaurel();
    const [board, folder] = [newBoardKey(), temporaryFolder()];
    await laurel('create', board, '--cadence', 'YEARLY');
    const importRow = (member: string) => {
      const path = folder.write('a.csv', `who,day\n${member},2001-02-03\n`);
      return laurel(
        'import',
        path,
        '--board',
        board,
        '--member',
        'who',
        '--increment',
        '1',
        '--occurred-at',
        'day',
        '--skip-closed',
      );
    };
    expect((await laurel('hold', board)).code).toBe(0);
    expect((await importRow('Ann')).out).toMatch(/ 1 {2}applied/);
    expect((await laurel('release', board)).code).toBe(0);
    expect((await importRow('Bob')).out).toMatch(/ 1 {2}refused by their periods/);
    expect(scoresOf(await laurel('export', '--board', board, '--period', '2001'))).toEqual({ Ann: 1 });
  });

  it('are shown again and again until Ctrl-C', async () => {
    const laurel = await serviceAndLaurel();
    const interrupt = new AbortController();
    const board = await filledBoard(laurel, 1);
    const watching = runLaurel(['top', board, '--watch'], { url: laurel.url, signal: interrupt.signal });
    // Aborted before its first second is over: it ends at once, having shown one screen.
    interrupt.abort();
    const { code, out } = await watching;
    expect([code, out.includes('m0')]).toEqual([0, true]);
  });
});

describe('laurel demo', () => {
  it('makes a board that moves, once, and goes on with it', async () => {
    const laurel = await serviceAndLaurel();
    const board = newBoardKey();
    const first = await laurel('demo', '--board', board, '--count', '30', '--rate', '1000');
    expect(first.code).toBe(0);
    expect(first.out).toContain(`Board ${board} is made, with 300 members.`);
    expect(first.out).toContain(`open ${laurel.url} and run`);
    expect(first.out.match(/^.+ \+\d+ +\d+ +rank \d+/gm)).toHaveLength(30);
    expect(first.out).toMatch(/rank \d+, up \d+/);
    const total = async () =>
      Object.values(scoresOf(await laurel('export', '--board', board))).reduce((sum, score) => sum + score, 0);
    const before = await total();
    const again = await laurel('demo', '--board', board, '--count', '1', '--rate', '1000');
    expect(again.out).toContain('was there already; it goes on');
    const points = Number(/^.+ \+(\d+)/m.exec(again.out.split('\n\n').at(-1) ?? '')?.[1]);
    expect(await total()).toBe(before + points);
    expect((await laurel('top', board, '--count', '100')).out).toMatch(/\d {2}[\p{L} ]+ +demo:\d{3}$/mu);
  });

  it('needs the key', async () => {
    const { url } = await serviceAndLaurel();
    const { code, err } = await runLaurel(['demo', '--board', newBoardKey()], { url });
    expect([code, err]).toEqual([2, expect.stringContaining('No API key was found')]);
    expect(err).not.toContain(adminKey);
  });
});
