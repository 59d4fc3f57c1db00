import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { clockedApp } from '../support/clocked-app.ts';
import { newBoardKey } from '../support/graphql-client.ts';
import { mutate, mutationCode, readPeriod } from '../support/period-reader.ts';
import { SocketClient } from '../support/websocket-client.ts';

interface Result {
  readonly applied: boolean;
  readonly changes: readonly object[];
}

const orders = ['HIGH_TO_LOW', 'LOW_TO_HIGH'] as const;

const app = clockedApp();

const submit = (leaderboard: string, memberId: string, score: number, more: object = {}) =>
  mutate<Result>(
    app.api,
    'submitScore',
    { leaderboard, memberId, score, ...more },
    'applied changes { outcome applied previousScore previousRank version entry { rank score metadata } }',
  );

async function standings(key: string): Promise<string> {
  const { entries } = await readPeriod<{ entries: { nodes: { memberId: string; score: number }[] } }>(
    app.api,
    key,
    'entries { nodes { memberId score } }',
  );
  return entries.nodes.map(({ memberId, score }) => `${memberId} ${score}`).join(', ');
}

describe.each(orders)('boards that keep their best: %s', (sortOrder) => {
  /** Scores that are better on either board with a higher number. */
  const worth = (points: number) => (sortOrder === 'HIGH_TO_LOW' ? points : -points);
  const board = (rules: object = {}) => app.api.createBoard({ sortOrder, maxEntries: 3, ...rules });

  it('the last falls out when a better one comes, and is told so; what fell out is forgotten', async () => {
    const key = await board({ rankMethod: 'DENSE' });
    for (const [memberId, points] of Object.entries({ a: 1, b: 2, c: 2 })) await submit(key, memberId, worth(points));
    const events = new SocketClient(app.url).watch<object>(
      `subscription($key: String!) { scoreApplied(leaderboard: $key) {
        kind memberId version score previousScore rank previousRank } }`,
      { key },
    );
    // Feeds begin with what comes after them: one known event shows that this one is there.
    await expect
      .poll(async () => {
        await mutate(app.api, 'removeEntry', { leaderboard: key, memberId: 'a' }, 'removed { version }');
        await submit(key, 'a', worth(1));
        return events.items.length;
      })
      .toBeGreaterThan(0);
    const { version } = await readPeriod<{ version: number }>(app.api, key, 'version');
    expect(await submit(key, 'd', worth(3))).toEqual({
      applied: true,
      changes: [
        {
          outcome: 'APPLIED',
          applied: true,
          previousScore: null,
          previousRank: null,
          version: version + 1,
          entry: { rank: 1, score: worth(3), metadata: null },
        },
      ],
    });
    const evicted = await events.find((event) => 'kind' in event && event.kind === 'EVICTED');
    expect(evicted).toEqual({
      kind: 'EVICTED',
      memberId: 'a',
      version: version + 2,
      score: null,
      previousScore: worth(1),
      rank: null,
      // Behind d, and b with c, whom it stood after when it fell out.
      previousRank: 3,
    });
    const order = sortOrder === 'HIGH_TO_LOW' ? 'c 2, b 2' : 'b -2, c -2';
    expect(await standings(key)).toBe(`d ${worth(3)}, ${order}`);
    const selection =
      'version entryCount entry(memberId: "a") { rank } scoreFor(rank: 3) rankOf(score: 0) { denseRank }';
    expect(await readPeriod(app.api, key, selection)).toEqual({
      version: version + 2,
      entryCount: 3,
      entry: null,
      scoreFor: worth(2),
      rankOf: { denseRank: 3 },
    });
    // A score better than the worst lets it in again, as a new one.
    expect((await submit(key, 'a', worth(4))).changes).toMatchObject([{ outcome: 'APPLIED', previousScore: null }]);
  });

  it('a score below the cut says BELOW_CUT and leaves the board as it is', async () => {
    const key = await board({ tieBreak: 'EARLIEST' });
    for (const [memberId, points] of Object.entries({ a: 1, b: 2, c: 3 })) await submit(key, memberId, worth(points));
    const below = {
      outcome: 'BELOW_CUT',
      applied: false,
      previousScore: null,
      previousRank: null,
      version: 3,
      entry: null,
    };
    // Worse, and equal to the last but reached later.
    for (const points of [0, 1]) {
      expect(await submit(key, 'd', worth(points), { metadata: { n: 1 } })).toEqual({
        applied: false,
        changes: [below],
      });
    }
    expect(await standings(key)).toBe(`c ${worth(3)}, b ${worth(2)}, a ${worth(1)}`);
    expect(await readPeriod(app.api, key, 'version entryCount')).toEqual({ version: 3, entryCount: 3 });
  });

  it('takes part of a batch, in its order', async () => {
    const key = await board({ maxEntries: 2 });
    await app.api.scores(key, Object.fromEntries([1, 5, 2, 4, 3].map((points) => [`m${points}`, worth(points)])));
    expect(await standings(key)).toBe(`m5 ${worth(5)}, m4 ${worth(4)}`);
  });

  it('makes room again when an entry is removed', async () => {
    const key = await board({ maxEntries: 1 });
    await submit(key, 'a', worth(9));
    expect((await submit(key, 'b', worth(1))).changes).toMatchObject([{ outcome: 'BELOW_CUT' }]);
    await mutate(app.api, 'removeEntry', { leaderboard: key, memberId: 'a' }, 'removed { version }');
    expect((await submit(key, 'b', worth(1))).changes).toMatchObject([{ outcome: 'APPLIED', entry: { rank: 1 } }]);
  });
});

describe('maxEntries', () => {
  it('and sums exclude each other, on the board and for one score', async () => {
    const create = (rules: object) => mutationCode(app.api, 'createLeaderboard', { key: newBoardKey(), ...rules });
    expect(await create({ maxEntries: 10, scorePolicy: 'SUM' })).toBe('BAD_INPUT');
    for (const maxEntries of [0, -1]) expect(await create({ maxEntries })).toBe('BAD_INPUT');
    const key = await app.api.createBoard({ maxEntries: 10 });
    const input = { leaderboard: key, memberId: 'a', score: 1 };
    expect(await mutationCode(app.api, 'submitScore', { ...input, scorePolicy: 'SUM' })).toBe('BAD_INPUT');
    expect(await mutationCode(app.api, 'updateLeaderboard', { key, scorePolicy: 'SUM' })).toBe('BAD_INPUT');
    expect(await mutationCode(app.api, 'submitScore', { ...input, scorePolicy: 'LATEST' })).toBeNull();
  });
});

describe('metadata', () => {
  const shown = async (key: string) => {
    const { entry } = await readPeriod<{ entry: { score: number; metadata: unknown } }>(
      app.api,
      key,
      'entry(memberId: "a") { score metadata }',
    );
    return [entry.score, entry.metadata];
  };

  it('is that of the score that is shown, and replaced with it', async () => {
    const key = await app.api.createBoard();
    const run = (metadata?: object) => ({ metadata });
    const first = { text: 'é "quoted" \n 😀', list: [1, 2.5, null], nested: { deep: true } };
    expect((await submit(key, 'a', 5, run(first))).changes).toMatchObject([{ entry: { metadata: first } }]);
    expect(await shown(key)).toEqual([5, first]);
    expect((await submit(key, 'a', 4, run({ n: 2 }))).changes).toMatchObject([
      { outcome: 'UNCHANGED', entry: { metadata: first } },
    ]);
    expect(await shown(key)).toEqual([5, first]);
    await submit(key, 'a', 6, run({ n: 3 }));
    expect(await shown(key)).toEqual([6, { n: 3 }]);
    await submit(key, 'a', 7);
    expect(await shown(key)).toEqual([7, null]);
    await submit(key, 'a', 8, run({}));
    expect(await shown(key)).toEqual([8, {}]);
  });

  it('goes with an entry that falls out or is removed', async () => {
    const key = await app.api.createBoard({ maxEntries: 1 });
    await submit(key, 'a', 5, { metadata: { n: 1 } });
    await submit(key, 'b', 6, { metadata: { n: 2 } });
    await submit(key, 'a', 7);
    expect(await shown(key)).toEqual([7, null]);
    await submit(key, 'a', 8, { metadata: { n: 3 } });
    await mutate(app.api, 'removeEntry', { leaderboard: key, memberId: 'a' }, 'removed { version }');
    await submit(key, 'a', 1);
    expect(await shown(key)).toEqual([1, null]);
  });

  it('is an object of a limited size', async () => {
    const key = await app.api.createBoard();
    const overhead = JSON.stringify({ t: '' }).length;
    const most = limits.metadataBytes - overhead;
    const input = (metadata: unknown) => ({ leaderboard: key, memberId: 'a', score: 1, metadata });
    expect(await mutationCode(app.api, 'submitScore', input({ t: 'x'.repeat(most + 1) }))).toBe('BAD_INPUT');
    expect(await mutationCode(app.api, 'submitScore', input({ t: 'é'.repeat(most / 2 + 1) }))).toBe('BAD_INPUT');
    expect(await mutationCode(app.api, 'submitScore', input([1]))).not.toBeNull();
    expect(await readPeriod(app.api, key, 'version')).toEqual({ version: 0 });
    await submit(key, 'a', 1, { metadata: { t: 'x'.repeat(most) } });
    expect(await shown(key)).toEqual([1, { t: 'x'.repeat(most) }]);
  });
});
