import { expect, it } from 'vitest';
import { RequestScope } from '../../src/graphql/scope.ts';
import { clockedApp, dailyBoardAt, release } from '../support/clocked-app.ts';
import { openLive } from '../support/live-operations.ts';
import { closePeriod, mutate, readBoard, readPeriod } from '../support/period-reader.ts';
import { until } from '../support/until.ts';
import { SocketClient } from '../support/websocket-client.ts';

const noon = '2026-05-10T12:00:00.000Z';
const day = '2026-05-10';

const app = clockedApp(noon);

const update = (key: string, rules: object) =>
  mutate(app.api, 'updateLeaderboard', { key, ...rules }, 'leaderboard { rankMethod }');

async function rankByDense(key: string): Promise<void> {
  await update(key, { denseRanks: true });
  await until(
    async () => (await readBoard<{ denseProgress: number }>(app.api, key, 'denseProgress')).denseProgress === 1,
  );
  await update(key, { rankMethod: 'DENSE' });
}

it('S5: a retry after a board began to rank by DENSE gets the first result, with the ranks it had', async () => {
  const key = await app.api.createBoard({ scorePolicy: 'LATEST' });
  await app.api.scores(key, { ann: 5, bob: 5 });
  const submit = () =>
    mutate(
      app.api,
      'submitScore',
      { leaderboard: key, memberId: 'cleo', score: 3, idempotencyKey: 'once' },
      'changes { previousRank entry { rank competitionRank denseRank } }',
    );
  const first = await submit();
  expect(first).toEqual({ changes: [{ previousRank: null, entry: { rank: 3, competitionRank: 3, denseRank: null } }] });
  await rankByDense(key);
  expect(await submit()).toEqual(first);
  expect(await readPeriod(app.api, key, 'entry(memberId: "cleo") { rank }')).toEqual({ entry: { rank: 2 } });
});

it('L3: a feed replays what was told before without a rank, and what came after with it', async () => {
  const key = await app.api.createBoard({ scorePolicy: 'LATEST' });
  await app.api.score(key, 'ann', 5);
  const client = new SocketClient(app.url);
  const states = 'subscription($key: String!) { entriesChanged(leaderboard: $key) { position } }';
  const { position } = await client.watch<{ position: string }>(states, { key }).next();
  await app.api.score(key, 'bob', 4);
  await rankByDense(key);
  await app.api.score(key, 'cleo', 4);
  const feed = `subscription($key: String!, $since: String) {
    scoreApplied(leaderboard: $key, since: $since) { memberId rank } }`;
  const replay = client.watch(feed, { key, since: position });
  expect(await replay.next()).toMatchObject({ memberId: 'bob', rank: null });
  expect(await replay.next()).toMatchObject({ memberId: 'cleo', rank: 2 });
});

it('T4: a closed period is ranked as it was when it closed, in Redis, in the archive and in a career', async () => {
  const key = await dailyBoardAt(app, noon);
  app.at('2026-05-11T00:00:00.000Z');
  await closePeriod(app.api, key, day);
  await update(key, { rankMethod: 'ORDINAL' });
  const ranks = async () => [
    await readPeriod(app.api, key, 'entries { nodes { memberId rank } } entriesRanked(rank: 1) { totalCount }', day),
    await readBoard(app.api, key, 'career(memberId: "ann", cadence: DAILY) { entries { rank } }'),
  ];
  const inRedis = await ranks();
  expect(inRedis).toEqual([
    {
      entries: {
        nodes: [
          { memberId: 'bob', rank: 1 },
          { memberId: 'ann', rank: 1 },
          { memberId: 'cleo', rank: 3 },
        ],
      },
      entriesRanked: { totalCount: 2 },
    },
    { career: { entries: [{ rank: 1 }] } },
  ]);
  await release(key, day);
  expect(await ranks()).toEqual(inRedis);
});

it('what a request found out of a board before does not serve for one made anew: that counts in other units', async () => {
  const { services, boards, scoring } = await openLive();
  const scope = new RequestScope(boards, services.entries, services.profiles);
  const { key } = await boards.create(`again-${crypto.randomUUID()}`, {});
  expect((await scope.board(key))?.scoreScale).toBe(0);
  await boards.remove(key);
  await boards.create(key, { scoreScale: 2 });
  await scoring.submit(key, { memberId: 'ann', score: 56.78 });
  const read = (one: RequestScope) => one.read(key, 'all', { kind: 'entry', memberId: 'ann' });
  await expect(read(scope)).rejects.toMatchObject({ code: 'LEADERBOARD_CHANGED' });
  const fresh = new RequestScope(boards, services.entries, services.profiles);
  expect((await fresh.board(key))?.scoreScale).toBe(2);
  expect((await read(fresh)).standing?.score).toBe('5678');
});

it('a period that cannot be read any more keeps no other from being read', async () => {
  const key = await dailyBoardAt(app, noon);
  const query = `query($key: String!) { leaderboard(key: $key) {
    good: period(key: "${day}") { entryCount entries { nodes { memberId } } } gone: period(key: "${day}@1") { entryCount } } }`;
  const { data, errors } = await app.api.send(query, { key });
  expect(data).toMatchObject({
    leaderboard: { good: { entryCount: 3, entries: { nodes: { length: 3 } } }, gone: null },
  });
  expect(errors).toMatchObject([
    { path: ['leaderboard', 'gone', 'entryCount'], extensions: { code: 'PERIOD_EXPIRED' } },
  ]);
});
