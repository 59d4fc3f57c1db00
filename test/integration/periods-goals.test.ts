import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { keys, periodKeys } from '../../src/redis/keys.ts';
import { adminKey, startTestApp } from '../support/app.ts';
import { runLaurel } from '../support/command-line.ts';
import { naiveRanks } from '../support/naive-ranks.ts';
import { startOwnRedis } from '../support/own-redis.ts';
import { readBoard, readPage, readPeriod, walkPages } from '../support/period-reader.ts';
import { connectRedis } from '../support/redis-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const header = 'date,home_team,away_team,team,scorer,minute,own_goal,penalty';
const realFile = fileURLToPath(new URL('../../../shared/data/goalscorers.csv', import.meta.url));
const key = 'goals';
const fields = 'memberId score rank competitionRank index tieCount topPercent';

interface Goal {
  readonly date: string;
  readonly scorer: string;
  readonly own_goal: string;
}

/** Goals by scorer in each year, counted from the file. */
function countGoals(file: string): Map<string, Record<string, number>> {
  const years = new Map<string, Record<string, number>>();
  for (const { date, scorer, own_goal } of parse<Goal>(readFileSync(file), { columns: true })) {
    if (own_goal !== 'FALSE' || scorer === 'NA') continue;
    const year = date.slice(0, 4);
    const goals = years.get(year) ?? {};
    goals[scorer] = (goals[scorer] ?? 0) + 1;
    years.set(year, goals);
  }
  return years;
}

/** Imports a file into a service with a Redis and an archive of its own, and waits until the past has closed. */
async function importedGoals(file: string) {
  const redis = await startOwnRedis();
  const { path: dataDir } = temporaryFolder();
  const { api } = await startTestApp({ redisUrl: redis.path, dataDir }, { background: true });
  const laurel = async (...command: string[]) => {
    const { code, err } = await runLaurel(command, { url: api.endpoint, key: adminKey });
    expect([code, err]).toEqual([0, expect.anything()]);
  };
  await laurel('create', key, '--policy', 'SUM', '--cadence', 'ALL_TIME', 'YEARLY');
  const mapping = ['--member', 'scorer', '--increment', '1', '--occurred-at', 'date'];
  const conditions = ['--where', 'own_goal=FALSE', '--where', 'scorer!=NA'];
  await laurel('import', file, '--board', key, ...mapping, ...conditions, '--backfill');
  const years = countGoals(file);
  const past = [...years.keys()].filter((year) => Number(year) < new Date().getUTCFullYear());
  const closed = async () => {
    const selection = 'periods(cadence: YEARLY, state: [CLOSED, ARCHIVED]) { totalCount }';
    return (await readBoard<{ periods: { totalCount: number } }>(api, key, selection)).periods.totalCount;
  };
  await expect.poll(closed, { timeout: 90_000, interval: 250 }).toBe(past.length);
  // Closed is the first step, archived the last: when Redis knows until when it keeps them.
  const connection = await connectRedis(redis.path);
  await expect.poll(() => connection.zcard(keys.kept(key)), { timeout: 90_000, interval: 250 }).toBe(past.length);
  return { api, years, past, connection };
}

type Imported = Awaited<ReturnType<typeof importedGoals>>;

/** Takes a year out of Redis, and reads all of it: entries, pages either way, ties. */
async function expectFromArchive({ api, years, connection }: Imported, year: string): Promise<void> {
  const before = await readPeriod<{ version: number; entryCount: number }>(api, key, 'version entryCount', year);
  await connection.unlink(...periodKeys(key, year));
  expect(await connection.keys(`${keys.ranking(key, year)}*`)).toEqual([]);
  const read = (page: Record<string, unknown>) => readPage<object>(api, key, page, fields, year);
  const expected = naiveRanks(years.get(year) ?? {}).map(({ denseRank: _, ...entry }) => ({
    ...entry,
    rank: entry.competitionRank,
  }));
  const forth = await walkPages(read, 20);
  expect(forth.map(({ node }) => node)).toEqual(expected);
  expect(await walkPages(read, 13, true)).toEqual(forth);
  expect(await readPeriod(api, key, 'version entryCount', year)).toEqual(before);
  expect(before.entryCount).toBe(expected.length);
  const last = expected.at(-1);
  const { entriesRanked } = await readPeriod<{ entriesRanked: object }>(
    api,
    key,
    `entriesRanked(rank: ${last?.rank}) { totalCount }`,
    year,
  );
  expect(entriesRanked).toEqual({ totalCount: last?.tieCount });
}

describe('rule T3: past years close by themselves after their import', () => {
  it('each as a file has it, and read from the archive alone', async () => {
    const rows = Array.from({ length: 2_000 }, (_, i) => {
      const date = `${1990 + (i % 20)}-0${1 + (i % 9)}-11`;
      return `${date},A,B,A,Scorer ${(i * i) % 83},1,${i % 11 === 0 ? 'TRUE' : 'FALSE'},FALSE`;
    });
    const imported = await importedGoals(temporaryFolder().write('goals.csv', [header, ...rows].join('\n')));
    expect(imported.past).toHaveLength(20);
    for (const year of ['1990', '2001', '2009']) await expectFromArchive(imported, year);
  });

  // The real data lies beside a developer's checkout; the project neither has a copy nor needs it.
  if (existsSync(realFile)) {
    it('1974 of every goal of international football', { timeout: 240_000 }, async () => {
      const imported = await importedGoals(realFile);
      expect(imported.past.length).toBeGreaterThan(100);
      for (const year of ['1974', '1916', '2025']) await expectFromArchive(imported, year);
      const top = await readPeriod(
        imported.api,
        key,
        'state entryCount entries(first: 2) { nodes { memberId score rank } } third: entryAt(index: 2) { rank }',
        '1974',
      );
      expect(top).toEqual({
        state: 'CLOSED',
        entryCount: 129,
        entries: {
          nodes: [
            { memberId: 'Ndaye Mulamba', score: 9, rank: 1 },
            { memberId: 'Grzegorz Lato', score: 9, rank: 1 },
          ],
        },
        third: { rank: 3 },
      });
    });
  }
});
