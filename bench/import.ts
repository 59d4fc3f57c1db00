import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startApp } from '../src/app.ts';
import { row, say, tableHead } from './measure.ts';
import { openStore } from './store.ts';

/**
 * What `laurel import` makes of a file of goals, against the same batches sent straight to `submitScores`, in one run:
 * `npm run bench import [rows]`.
 */
const rows = Number(process.argv[2] ?? 47_000);
const perBatch = 250;
const key = 'bench-0123456789abcdef';

/** Scorers as real ones are: few with many goals, many with one. */
const scorer = (i: number) => `player ${Math.floor(((i * 7_919) % rows) ** 1.5 / Math.sqrt(rows) / 3)}`;
const dateOf = (i: number) => new Date(Date.UTC(1916, 0, 1) + Math.floor((i / rows) * 110 * 365) * 86_400_000);

const folder = mkdtempSync(join(tmpdir(), 'laurel-bench-import-'));
const store = await openStore();
const app = await startApp({
  host: '127.0.0.1',
  port: 0,
  redisUrl: store.socketPath,
  dataDir: folder,
  adminApiKey: key,
  logLevel: 'silent',
  databaseUrl: null,
  profileUrl: null,
  profileTimeoutMs: 1_000,
});

async function send(query: string, variables: object): Promise<void> {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, variables }),
  });
  const { errors } = (await response.json()) as { errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors));
}

const create = (board: string) => {
  const input = { key: board, scorePolicy: 'SUM', cadences: ['ALL_TIME', 'YEARLY'] };
  return send('mutation($input: CreateLeaderboardInput!) { createLeaderboard(input: $input) { leaderboard { id } } }', {
    input,
  });
};

const hold = (board: string, backfill: boolean) =>
  send('mutation($input: UpdateLeaderboardInput!) { updateLeaderboard(input: $input) { leaderboard { id } } }', {
    input: { key: board, backfill },
  });

async function sendBare(): Promise<number> {
  const began = performance.now();
  for (let i = 0; i < rows; i += perBatch) {
    const scores = Array.from({ length: Math.min(perBatch, rows - i) }, (_, j) => ({
      memberId: scorer(i + j),
      score: 1,
      occurredAt: dateOf(i + j).toISOString(),
    }));
    const query = `mutation($input: SubmitScoresInput!) { submitScores(input: $input) {
      duplicate outcomes { payload { applied duplicate skipped { period code } } error { code message } } } }`;
    await send(query, { input: { leaderboard: 'bare', scores } });
  }
  return rows / ((performance.now() - began) / 1000);
}

async function runImport(file: string): Promise<number> {
  const began = performance.now();
  const options = [
    '--board',
    'imported',
    '--member',
    'scorer',
    '--increment',
    '1',
    '--occurred-at',
    'date',
    '--backfill',
  ];
  await promisify(execFile)(process.execPath, ['dist/cli/main.js', 'import', file, ...options], {
    env: { ...process.env, LAUREL_URL: `${app.url}/graphql`, ADMIN_API_KEY: key },
  });
  return rows / ((performance.now() - began) / 1000);
}

try {
  const file = join(folder, 'goals.csv');
  const lines = Array.from({ length: rows }, (_, i) => `${dateOf(i).toISOString().slice(0, 10)},${scorer(i)}`);
  writeFileSync(file, `date,scorer\n${lines.join('\n')}\n`);
  await create('bare');
  await hold('bare', true);
  await create('imported');
  const bare = await sendBare();
  const imported = await runImport(file);
  const again = await runImport(file);
  say(`${rows} rows, ALL_TIME and YEARLY, Node ${process.version}\n\n${tableHead}`);
  say(row('import: rows/s / the same batches sent bare', imported / bare, 0.5, 'at least'));
  say(`\nRows a second: ${bare.toFixed(0)} bare, ${imported.toFixed(0)} imported, ${again.toFixed(0)} imported again.`);
} finally {
  await app.close();
  await store.stop();
  rmSync(folder, { recursive: true });
}
