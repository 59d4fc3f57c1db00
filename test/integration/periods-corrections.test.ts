import { describe, expect, it } from 'vitest';
import { clockedApp } from '../support/clocked-app.ts';
import {
  closePeriod,
  correctEntry,
  mutationCode,
  readingCode,
  readPage,
  readPeriod,
  walkPages,
} from '../support/period-reader.ts';

interface Node {
  readonly memberId: string;
}

const noon = '2026-05-10T12:00:00.000Z';
const day = '2026-05-10';

const app = clockedApp(noon);

const close = (leaderboard: string, period = day) => closePeriod(app.api, leaderboard, period);
const correct = (leaderboard: string, memberId: string, score: number | null, period = day) =>
  correctEntry(app.api, leaderboard, memberId, score, period);

const read = (key: string, page: Record<string, unknown>, period = day) =>
  readPage<Node>(app.api, key, page, 'memberId', period);

describe('rule T2: corrections', () => {
  const short = 'entries { nodes { memberId score rank } }';
  const nodes = (...all: [string, number, number][]) => ({
    nodes: all.map(([memberId, score, rank]) => ({ memberId, score, rank })),
  });

  async function closedBoard(): Promise<string> {
    app.at(noon);
    const key = await app.api.createBoard({ cadences: ['DAILY'], tieBreak: 'EARLIEST' });
    for (const [memberId, score] of [
      ['a', 9],
      ['b', 7],
      ['c', 7],
      ['d', 5],
    ] as const)
      await app.api.score(key, memberId, score);
    app.at('2026-05-11T00:00:00.000Z');
    await close(key);
    return key;
  }

  it('make a new revision, which all that is read shows; older ones stay readable', async () => {
    const key = await closedBoard();
    const { endCursor } = (await read(key, { first: 2 })).pageInfo;
    const second = {
      revision: 2,
      version: 5,
      entryCount: 4,
      entries: nodes(['d', 10, 1], ['a', 9, 2], ['b', 7, 3], ['c', 7, 3]),
    };
    expect(await correct(key, 'd', 10)).toEqual({ period: { key: day, state: 'ARCHIVED', ...second } });
    const third = { revision: 3, version: 6, entryCount: 3, entries: nodes(['d', 10, 1], ['b', 7, 2], ['c', 7, 2]) };
    expect(await correct(key, 'a', null)).toEqual({ period: { key: day, state: 'ARCHIVED', ...third } });
    const fourth = { revision: 4, version: 7, entryCount: 4 };
    expect(await correct(key, 'e', 7)).toMatchObject({ period: fourth });
    // A new entry reached its score now, after the others that have it.
    expect(await readPeriod(app.api, key, `revision ${short}`, day)).toEqual({
      revision: 4,
      entries: nodes(['d', 10, 1], ['b', 7, 2], ['c', 7, 2], ['e', 7, 2]),
    });
    const first = {
      revision: 1,
      version: 4,
      entryCount: 4,
      entries: nodes(['a', 9, 1], ['b', 7, 2], ['c', 7, 2], ['d', 5, 4]),
    };
    for (const revision of [first, second, third]) {
      const selection = `key revision version entryCount closedAt ${short}`;
      const name = `${day}~${revision.revision}`;
      const shown = { key: name, closedAt: '2026-05-11T00:00:00.000Z', ...revision };
      expect(await readPeriod(app.api, key, selection, name)).toEqual(shown);
    }
    // A cursor from before still finds its place, and says that something changed.
    const page = await read(key, { first: 9, after: endCursor });
    expect(page).toMatchObject({ changed: true, drift: 0 });
    expect(page.edges.map(({ node }) => node.memberId)).toEqual(['c', 'e']);
  });

  it('pages of a revision are pages of that revision', async () => {
    const key = await closedBoard();
    await correct(key, 'a', null);
    const walk = await walkPages((page) => read(key, page, `${day}~1`), 1);
    expect(walk.map(({ node }) => node.memberId)).toEqual(['a', 'b', 'c', 'd']);
    expect(await readingCode(app.api, key, `entries(after: "${walk[1]?.cursor}") { totalCount }`, day)).toBe(
      'CURSOR_OF_OTHER_PERIOD',
    );
    expect(await readingCode(app.api, key, 'entries { totalCount }', `${day}~9`)).toBe('PERIOD_EXPIRED');
  });

  it('need a period in the archive, a member in it to take out, and a score the board could hold', async () => {
    const key = await closedBoard();
    const code = (input: object) =>
      mutationCode(app.api, 'correctEntry', { leaderboard: key, period: day, memberId: 'a', score: 1, ...input });
    expect(await code({ period: '2026-05-11' })).toBe('PERIOD_NOT_ENDED');
    expect(await code({ period: '2026-W19' })).toBe('PERIOD_NOT_FOUND');
    expect(await code({ memberId: 'x', score: null })).toBe('NOT_RANKED');
    expect(await code({ score: 1.5 })).toBe('SCORE_TOO_PRECISE');
    expect(await code({ memberId: '' })).toBe('BAD_MEMBER_ID');
    expect(await readPeriod(app.api, key, 'revision version', day)).toEqual({ revision: 1, version: 4 });
  });
});
