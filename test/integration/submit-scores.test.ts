import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import type { Api } from '../support/graphql-client.ts';

interface Outcome {
  error: { code: string; message: string } | null;
  payload: {
    applied: boolean;
    duplicate: boolean;
    changes: { entry: { memberId: string; score: number } | null }[];
    skipped: { period: string; code: string }[];
  } | null;
}

const query = `mutation($input: SubmitScoresInput!) { submitScores(input: $input) { duplicate outcomes {
  error { code message }
  payload { applied duplicate changes { entry { memberId score } } skipped { period code } } } } }`;

type Score = Record<string, unknown>;

async function submit(api: Api, leaderboard: string, scores: readonly Score[], block?: { from: string; to: string }) {
  const data = await api.data<{ submitScores: { duplicate: boolean; outcomes: Outcome[] } }>(query, {
    input: { leaderboard, scores, ...(block && { block }) },
  });
  return data.submitScores;
}

const many = (count: number): Score[] => Array.from({ length: count }, (_, i) => ({ memberId: `m${i}`, score: i }));

async function total(api: Api, key: string) {
  const { leaderboard } = await api.data<{ leaderboard: { current: { version: number; entryCount: number } } }>(
    'query($key: String!) { leaderboard(key: $key) { current { version entryCount } } }',
    { key },
  );
  return leaderboard.current;
}

describe('submitScores', () => {
  it('takes 1,000, each with its own outcome in the order of the input', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard();
    const { outcomes, duplicate } = await submit(api, key, many(1_000));
    expect(duplicate).toBe(false);
    expect(outcomes.map(({ payload }) => payload?.changes[0]?.entry)).toEqual(many(1_000));
    expect(await total(api, key)).toEqual({ version: 1_000, entryCount: 1_000 });
  });

  it('locates bad ones in the middle, which do not spoil the others', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard({ scoreScale: 1, maxScore: 5_000, cadences: ['ALL_TIME', 'YEARLY'] });
    const bad: Record<number, [Score, string]> = {
      0: [{ memberId: '', score: 1 }, 'BAD_MEMBER_ID'],
      49: [{ memberId: 'x', score: 0.25 }, 'SCORE_TOO_PRECISE'],
      50: [{ memberId: 'x', score: 5_001 }, 'SCORE_OUT_OF_RANGE'],
      333: [{ memberId: 'x', score: 1, occurredAt: '2999-01-01T00:00:00Z' }, 'OCCURRED_IN_FUTURE'],
      500: [{ memberId: 'x', score: 1, idempotencyKey: 'x'.repeat(129) }, 'BAD_INPUT'],
      501: [{ memberId: 'x', score: 1e300 }, 'SCORE_OUT_OF_RANGE'],
      999: [{ memberId: 'x'.repeat(129), score: 1 }, 'BAD_MEMBER_ID'],
    };
    const scores = many(1_000).map((score, i) => bad[i]?.[0] ?? score);
    const { outcomes } = await submit(api, key, scores);
    for (const [i, { payload, error }] of outcomes.entries()) {
      if (bad[i]) {
        expect([payload, error?.code], `outcome ${i}`).toEqual([null, bad[i][1]]);
        expect(error?.message).toMatch(/\S/);
      } else {
        expect([payload?.applied, error], `outcome ${i}`).toEqual([true, null]);
        expect(payload?.changes.map(({ entry }) => entry)).toEqual([scores[i], scores[i]]);
      }
    }
    expect((await total(api, key)).entryCount).toBe(993);
  });

  it('says of each score which periods took it', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard({ cadences: ['ALL_TIME', 'YEARLY'] });
    const { outcomes } = await submit(api, key, [{ memberId: 'ann', score: 1, occurredAt: '2001-01-01T00:00:00Z' }]);
    expect(outcomes[0]?.payload).toMatchObject({ applied: true, skipped: [{ period: '2001', code: 'PERIOD_CLOSED' }] });
    expect(outcomes[0]?.payload?.changes).toHaveLength(1);
  });

  it('applies scores of one member in their order', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard({ scorePolicy: 'SUM' });
    const { outcomes } = await submit(
      api,
      key,
      Array.from({ length: 120 }, () => ({ memberId: 'ann', score: 1 })),
    );
    expect(outcomes.map(({ payload }) => payload?.changes[0]?.entry?.score)).toEqual(
      Array.from({ length: 120 }, (_, i) => i + 1),
    );
  });

  it('refuses 1,001 as a whole, takes none, and does nothing for an unknown board', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard();
    expect(await api.code(query, { input: { leaderboard: key, scores: many(1_001) } })).toBe('BATCH_TOO_LARGE');
    expect(await total(api, key)).toEqual({ version: 0, entryCount: 0 });
    expect((await submit(api, key, [])).outcomes).toEqual([]);
    expect(await api.code(query, { input: { leaderboard: `${key}x`, scores: many(1) } })).toBe('LEADERBOARD_NOT_FOUND');
  });

  it('rule S5: a score sent again with its key returns the first result', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard({ scorePolicy: 'SUM' });
    const scores = many(60).map((score, i) => ({ ...score, idempotencyKey: `k${i}` }));
    const first = await submit(api, key, scores);
    const second = await submit(api, key, scores);
    expect(second.duplicate).toBe(true);
    expect(second.outcomes.map(({ payload }) => ({ ...payload, duplicate: false }))).toEqual(
      first.outcomes.map(({ payload }) => payload),
    );
    expect(await total(api, key)).toEqual({ version: 60, entryCount: 60 });
  });
});

describe('a block', () => {
  it('is applied once: sent again it changes nothing and says so, with the refusals of the first time', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard({ scorePolicy: 'SUM', maxScore: 10 });
    const scores = [
      { memberId: 'ann', score: 3 },
      { memberId: 'bob', score: 11 },
      { memberId: 'ann', score: 3 },
    ];
    const first = await submit(api, key, scores, { from: 'start', to: 'a' });
    expect(first.duplicate).toBe(false);
    expect(first.outcomes.map(({ payload, error }) => error?.code ?? payload?.changes[0]?.entry?.score)).toEqual([
      3,
      'SCORE_OUT_OF_RANGE',
      6,
    ]);
    const again = await submit(api, key, scores, { from: 'start', to: 'a' });
    expect(again.duplicate).toBe(true);
    expect(again.outcomes.map(({ payload, error }) => error?.code ?? payload?.applied)).toEqual([
      false,
      'SCORE_OUT_OF_RANGE',
      false,
    ]);
    expect((await total(api, key)).version).toBe(2);
    await submit(api, key, [{ memberId: 'ann', score: 1 }], { from: 'a', to: 'b' });
    expect((await total(api, key)).version).toBe(3);
  });

  it('with other rows at its place is refused, and told what was applied there', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard();
    await submit(api, key, many(3), { from: 'start', to: 'a' });
    const input = { leaderboard: key, scores: many(4), block: { from: 'start', to: 'b' } };
    const { errors } = await api.send(query, { input });
    expect(errors).toMatchObject([{ extensions: { code: 'BLOCK_CONFLICT', appliedTo: 'a', appliedRows: 3 } }]);
    expect((await total(api, key)).version).toBe(3);
  });

  it('holds 250 rows at the most', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard();
    const block = { from: 'start', to: 'a' };
    expect(await api.code(query, { input: { leaderboard: key, scores: many(251), block } })).toBe('BATCH_TOO_LARGE');
    expect((await total(api, key)).version).toBe(0);
    expect((await submit(api, key, many(250), block)).outcomes).toHaveLength(250);
    expect((await total(api, key)).version).toBe(250);
  });

  it('is remembered also without rows, and needs a name for both ends', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard();
    await submit(api, key, [], { from: 'start', to: 'a' });
    const other = { leaderboard: key, scores: many(1), block: { from: 'start', to: 'b' } };
    expect(await api.code(query, { input: other })).toBe('BLOCK_CONFLICT');
    const nameless = { leaderboard: key, scores: many(1), block: { from: '', to: 'b' } };
    expect(await api.code(query, { input: nameless })).toBe('BAD_INPUT');
  });

  it('sent by several at once is applied by one of them', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard({ scorePolicy: 'SUM' });
    const sent = Array.from({ length: 8 }, () => submit(api, key, many(50), { from: 'start', to: 'a' }));
    const answers = await Promise.all(sent);
    expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect((await total(api, key)).version).toBe(50);
  });
});
