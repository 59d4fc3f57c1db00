import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { adminKey, startTestApp, type TestApp } from '../support/app.ts';
import { runLaurel } from '../support/command-line.ts';
import { Graphiql } from '../support/graphiql.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { SocketClient } from '../support/websocket-client.ts';

const realFile = fileURLToPath(new URL('../../../shared/data/goalscorers.csv', import.meta.url));

interface Entry {
  readonly memberId: string;
  readonly score: number;
  readonly rank: number;
}

interface Update {
  readonly version: number;
  readonly entries: readonly Entry[];
}

const liveTop = (board: string) =>
  `subscription Top10 {\n  entriesChanged(leaderboard: "${board}", first: 10) {\n    version\n    entries { rank score memberId }\n  }\n}`;

/** Shared ranks, and equal scores in the order of Redis: descending bytes of the ids. */
function topOf(goals: ReadonlyMap<string, number>): Entry[] {
  const sorted = [...goals].sort(([a, x], [b, y]) => y - x || Buffer.compare(Buffer.from(b), Buffer.from(a)));
  return sorted.slice(0, 10).map(([memberId, score]) => {
    return { memberId, score, rank: 1 + sorted.findIndex(([, other]) => other === score) };
  });
}

/** A half state shows: its places are out of order, or its ranks are not those of its scores. */
function expectWhole({ entries }: Update): void {
  const scores = entries.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(entries.map(({ rank }) => rank)).toEqual(scores.map((score) => 1 + scores.indexOf(score)));
}

/** What was seen of a board's top ten, in the order it was seen. */
interface Follower {
  updates(): readonly Update[];
  /** Looks until a version is seen. */
  sees(version: number, timeoutMs?: number): Promise<void>;
}

function followAsClient(url: string, board: string): Follower {
  const { items } = new SocketClient(url).watch<Update>(liveTop(board));
  return {
    updates: () => items,
    sees: async (version, timeoutMs) => {
      await until(() => items.at(-1)?.version === version, timeoutMs);
    },
  };
}

async function followInBrowser(url: string, board: string): Promise<Follower & { graphiql: Graphiql }> {
  const graphiql = await Graphiql.open(url, liveTop(board));
  const updates: Update[] = [];
  await graphiql.press();
  return {
    graphiql,
    updates: () => updates,
    sees: async (version, timeoutMs) => {
      await until(async () => {
        const result = (await graphiql.result()) as { data?: { entriesChanged?: Update } } | undefined;
        const update = result?.data?.entriesChanged;
        if (update && update.version !== updates.at(-1)?.version) updates.push(update);
        return update?.version === version;
      }, timeoutMs);
    },
  };
}

async function readTop({ api }: TestApp, board: string): Promise<Update> {
  const query = `query($board: String!) { leaderboard(key: $board) { current {
    version entries(first: 10) { nodes { memberId score rank } }
  } } }`;
  const { leaderboard } = await api.data<{
    leaderboard: { current: { version: number; entries: { nodes: Entry[] } } };
  }>(query, { board });
  const { version, entries } = leaderboard.current;
  return { version, entries: entries.nodes };
}

async function importGoals({ api }: TestApp, file: string, board: string): Promise<void> {
  const columns = ['--member', 'scorer', '--increment', '1', '--occurred-at', 'date'];
  const conditions = ['--where', 'own_goal=FALSE', '--where', 'scorer!=NA'];
  const { code, err } = await runLaurel(['import', file, '--board', board, ...columns, ...conditions, '--backfill'], {
    url: api.endpoint,
    key: adminKey,
  });
  expect(code, err).toBe(0);
}

/** Imports so many goals while a page and a client watch. Returns the top ten that both ended with. */
async function watchImport(file: string, goals: number): Promise<readonly Entry[]> {
  const app = await startTestApp();
  const board = await app.api.createBoard({ scorePolicy: 'SUM', cadences: ['ALL_TIME', 'YEARLY'] });
  const client = followAsClient(app.url, board);
  const page = await followInBrowser(app.url, board);
  for (const follower of [client, page]) await follower.sees(0);

  // A goal is a change: when all are counted is known beforehand.
  await Promise.all([importGoals(app, file, board), client.sees(goals, 60_000), page.sees(goals, 60_000)]);

  const top = await readTop(app, board);
  expect(top.version).toBe(goals);
  for (const follower of [client, page]) {
    const updates = follower.updates();
    expect(updates.at(-1)).toEqual(top);
    for (const update of updates) expectWhole(update);
    const versions = updates.map(({ version }) => version);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    // It followed: it didn't only see the end.
    expect(versions.length).toBeGreaterThan(5);
  }
  expect([page.graphiql.strayed, page.graphiql.complaints]).toEqual([[], []]);
  await page.graphiql.screenshot(`import-of-${goals}`);
  return top.entries;
}

describe('while a file is imported', () => {
  it('a page and a client follow the top ten, and end with the true one', async () => {
    const goals = Array.from({ length: 20_000 }, (_, i) => ({
      scorer: i % 13 === 0 ? 'NA' : `Scorer ${Math.floor(Math.sqrt((i * 7919) % 10_007))}`,
      own: i % 17 === 0,
      date: `${1950 + Math.floor(i / 400)}-07-0${(i % 9) + 1}`,
    }));
    const rows = goals.map(({ date, scorer, own }) => `${date},${scorer},${own ? 'TRUE' : 'FALSE'}`);
    const file = temporaryFolder().write('goals.csv', ['date,scorer,own_goal', ...rows].join('\n'));
    const counted = goals.filter(({ scorer, own }) => scorer !== 'NA' && !own);
    const totals = new Map<string, number>();
    for (const { scorer } of counted) totals.set(scorer, (totals.get(scorer) ?? 0) + 1);
    expect(await watchImport(file, counted.length)).toEqual(topOf(totals));
  });

  // The real data lies beside a developer's checkout; the project neither has a copy nor needs it.
  if (existsSync(realFile)) {
    it('they end with the best goal scorers of international football', async () => {
      expect((await watchImport(realFile, 46_934)).slice(0, 3)).toEqual([
        { memberId: 'Cristiano Ronaldo', score: 124, rank: 1 },
        { memberId: 'Harry Kane', score: 75, rank: 2 },
        { memberId: 'Lionel Messi', score: 71, rank: 3 },
      ]);
    });
  }
});
