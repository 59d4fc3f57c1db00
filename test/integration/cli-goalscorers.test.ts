import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Laurel, serviceAndLaurel } from '../support/cli-service.ts';
import { newBoardKey } from '../support/graphql-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const realFile = fileURLToPath(new URL('../../../shared/data/goalscorers.csv', import.meta.url));
const header = 'date,home_team,away_team,team,scorer,minute,own_goal,penalty';

interface Place {
  readonly competitionRank: number;
  readonly memberId: string;
  readonly score: number;
}

const mapping = ['--member', 'scorer', '--increment', '1', '--occurred-at', 'date'];
const conditions = ['--where', 'own_goal=FALSE', '--where', 'scorer!=NA'];
const importGoals = (laurel: Laurel, file: string, board: string) =>
  laurel('import', file, '--board', board, ...mapping, ...conditions, '--backfill');

async function places(laurel: Laurel, board: string, period: string): Promise<Place[]> {
  const { out } = await laurel('export', '--board', board, '--period', period, '--format', 'jsonl');
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function goalBoard(laurel: Laurel): Promise<string> {
  const board = newBoardKey();
  await laurel('create', board, '--policy', 'SUM', '--cadence', 'ALL_TIME', 'YEARLY');
  return board;
}

const sum = (all: readonly Place[]) => all.reduce((total, { score }) => total + score, 0);

/** Whether each competition rank is one more than the number of entries with more goals. */
function expectRightRanks(all: readonly Place[]): void {
  const right = all.map(({ score }) => 1 + all.findIndex((other) => other.score === score));
  expect(all.map(({ competitionRank }) => competitionRank)).toEqual(right);
}

describe('goals of many years', () => {
  it('add up by scorer, for ever and for each year, own goals and unknown scorers left out', async () => {
    const goals = Array.from({ length: 3000 }, (_, i) => {
      const year = 1950 + Math.floor(i / 50);
      const scorer = i % 13 === 0 ? 'NA' : `Scorer ${(i * i) % 101}`;
      return { year, scorer, own: i % 17 === 0, row: `${year}-07-0${(i % 9) + 1},A,B,A,${scorer},${i % 90}` };
    });
    const counted = goals.filter(({ scorer, own }) => scorer !== 'NA' && !own);
    const rows = goals.map(({ row, own }) => `${row},${own ? 'TRUE' : 'FALSE'},FALSE`);
    const laurel = await serviceAndLaurel();
    const board = await goalBoard(laurel);
    const file = temporaryFolder().write('goals.csv', [header, ...rows].join('\n'));
    for (const [applied, before] of [
      [counted.length, 0],
      [0, counted.length],
    ]) {
      const { code, out } = await importGoals(laurel, file, board);
      const number = (count = 0) => count.toLocaleString('en-US');
      expect([code, out]).toEqual([0, expect.stringMatching(new RegExp(` ${number(applied)} {2}applied`))]);
      if (before) expect(out).toMatch(new RegExp(` ${number(before)} {2}imported before`));
      for (const [period, those] of [
        ['all', counted],
        ['1977', counted.filter(({ year }) => year === 1977)],
      ] as const) {
        const all = await places(laurel, board, period);
        const totals = new Map<string, number>();
        for (const { scorer } of those) totals.set(scorer, (totals.get(scorer) ?? 0) + 1);
        expect(new Map(all.map(({ memberId, score }) => [memberId, score]))).toEqual(totals);
        expectRightRanks(all);
      }
    }
  });

  // The real data lies beside a developer's checkout; the project neither has a copy nor needs it.
  if (existsSync(realFile)) {
    it('are right for every goal of international football since 1916', async () => {
      const laurel = await serviceAndLaurel();
      const board = await goalBoard(laurel);
      expect((await importGoals(laurel, realFile, board)).out).toMatch(/ 46,934 {2}applied\n {2} +980 {2}left out/);
      const all = await places(laurel, board, 'all');
      expect([all.length, sum(all)]).toEqual([14_853, 46_934]);
      expect(all.slice(0, 3).map(({ memberId, score }) => [memberId, score])).toEqual([
        ['Cristiano Ronaldo', 124],
        ['Harry Kane', 75],
        ['Lionel Messi', 71],
      ]);
      expect(all.filter(({ competitionRank }) => competitionRank === 14).map(({ memberId }) => memberId)).toEqual([
        'Zlatan Ibrahimović',
        'Robbie Keane',
        'Memphis Depay',
      ]);
      expect(all[16]?.competitionRank).toBe(17);
      expect(all.filter(({ score }) => score === 1)).toHaveLength(6899);
      expect(all.filter(({ score }) => score === 2)).toHaveLength(2803);
      expectRightRanks(all);
      const year = await places(laurel, board, '2026');
      expect(year.slice(0, 2).map(({ memberId, score }) => [memberId, score])).toEqual([
        ['Kylian Mbappé', 10],
        ['Lionel Messi', 8],
      ]);
      expectRightRanks(year);
      expect((await importGoals(laurel, realFile, board)).out).toMatch(/ 46,934 {2}imported before\n/);
      expect(await places(laurel, board, 'all')).toEqual(all);
    });
  }
});
