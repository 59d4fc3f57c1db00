import { beforeEach, describe, expect, it } from 'vitest';
import { Boards } from '../../src/core/boards.ts';
import { findPeriod, getPeriod } from '../../src/core/calendar.ts';
import { LaurelError } from '../../src/core/errors.ts';
import { limits } from '../../src/core/limits.ts';
import { earliestInstant } from '../../src/core/period.ts';
import { Scoring } from '../../src/core/scoring.ts';
import type { ScoreInput } from '../../src/core/submission.ts';
import { MemoryDefinitions, RecordingEntries } from '../support/memory-store.ts';
import { refusalOf } from '../support/refusal.ts';

const now = Date.UTC(2026, 10, 30, 12);
let entries: RecordingEntries;
let boards: Boards;
let scoring: Scoring;

beforeEach(async () => {
  entries = new RecordingEntries();
  boards = new Boards(new MemoryDefinitions());
  scoring = new Scoring(boards, entries, () => now);
  await boards.create('goals', {
    scoreScale: 1,
    cadences: ['ALL_TIME', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'],
    timeZone: 'Asia/Kolkata',
  });
});

const sent = () => entries.steps.flatMap((step) => step.submissions);
const codes = (outcomes: readonly unknown[]) => outcomes.map((one) => (one instanceof LaurelError ? one.code : 'ok'));

describe('what a score becomes', () => {
  it('is exact, and names the periods that contain its time', async () => {
    await scoring.submit('goals', { memberId: 'u:1', score: 0.3, occurredAt: Date.UTC(2026, 10, 29, 18, 30) });
    expect(sent()).toMatchObject([
      {
        memberId: 'u:1',
        score: '3',
        scorePolicy: null,
        occurredAt: Date.UTC(2026, 10, 29, 18, 30),
        idempotencyKey: null,
      },
    ]);
    const [submission] = sent();
    expect(submission?.periods.map(({ key }) => key)).toEqual(['all', '2026-11-30', '2026-W49', '2026-11', '2026']);
    expect(submission?.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('happens now unless it says when', async () => {
    await scoring.submit('goals', { memberId: 'u:1', score: 1 });
    expect([sent()[0]?.occurredAt, entries.steps[0]?.now]).toEqual([now, now]);
  });

  it.each([
    [{ memberId: '', score: 1 }, 'BAD_MEMBER_ID'],
    [{ memberId: 'u\n', score: 1 }, 'BAD_MEMBER_ID'],
    [{ memberId: 'u', score: 1.25 }, 'SCORE_TOO_PRECISE'],
    [{ memberId: 'u', score: Number.NaN }, 'SCORE_OUT_OF_RANGE'],
    [{ memberId: 'u', score: 1e300 }, 'SCORE_OUT_OF_RANGE'],
    [{ memberId: 'u', score: 1, idempotencyKey: '' }, 'BAD_INPUT'],
    [{ memberId: 'u', score: 1, idempotencyKey: 'k'.repeat(limits.idempotencyKeyBytes + 1) }, 'BAD_INPUT'],
    [{ memberId: 'u', score: 1, idempotencyKey: 'k\0' }, 'BAD_INPUT'],
    [{ memberId: 'u', score: 1, occurredAt: now + limits.clockSkewMs + 1 }, 'OCCURRED_IN_FUTURE'],
    [{ memberId: 'u', score: 1, occurredAt: earliestInstant - 1 }, 'BAD_INPUT'],
    [{ memberId: 'u', score: 1, occurredAt: Number.NaN }, 'BAD_INPUT'],
    [{ memberId: 'u', score: 1, metadata: { text: 'x'.repeat(limits.metadataBytes) } }, 'BAD_INPUT'],
    [{ memberId: 'u', score: 1, sortKey: 'k' }, 'BAD_SORT_KEY'],
    [{ memberId: 'u', score: 1, sortName: 'Zoë' }, 'BAD_SORT_KEY'],
  ] satisfies [ScoreInput, string][])('is refused: %o', async (input, code) => {
    expect(await refusalOf(() => scoring.submit('goals', input))).toBe(code);
    expect(entries.steps).toEqual([]);
  });

  it('may come from a clock that is a little ahead, and from the first day there is', async () => {
    await scoring.submit('goals', { memberId: 'u', score: 1, occurredAt: now + limits.clockSkewMs });
    await scoring.submit('goals', { memberId: 'u', score: 1, occurredAt: earliestInstant });
    expect(sent()).toHaveLength(2);
  });

  it('S5: is the same submission again only if everything sent is the same', async () => {
    const base: ScoreInput = { memberId: 'u', score: 1, idempotencyKey: 'k' };
    const others: ScoreInput[] = [
      { ...base, memberId: 'v' },
      { ...base, score: 2 },
      { ...base, score: -1 },
      { ...base, scorePolicy: 'BEST' },
      { ...base, scorePolicy: 'SUM' },
      { ...base, occurredAt: now },
      { ...base, occurredAt: now - 1 },
      { ...base, metadata: {} },
      { ...base, metadata: { a: 1 } },
    ];
    await scoring.submitAll('goals', [base, { ...base, occurredAt: undefined, scorePolicy: undefined }, ...others]);
    const prints = sent().map(({ fingerprint }) => fingerprint);
    expect(prints[1]).toBe(prints[0]);
    expect(new Set(prints).size).toBe(others.length + 1);
  });

  it('S5: is the same submission again at a later time', async () => {
    const input: ScoreInput = { memberId: 'u', score: 1, idempotencyKey: 'k' };
    await scoring.submit('goals', input);
    await new Scoring(boards, entries, () => now + 3000).submit('goals', input);
    expect(sent()[1]?.fingerprint).toBe(sent()[0]?.fingerprint);
  });
});

describe('sort keys and caps', () => {
  beforeEach(async () => {
    await boards.create('names', { tieBreak: 'SORT_KEY', maxEntries: 10 });
  });

  it('S5: another sort key or name is another submission', async () => {
    const base: ScoreInput = { memberId: 'u', score: 1, idempotencyKey: 'k' };
    await scoring.submitAll('names', [
      base,
      { ...base, sortKey: 'a' },
      { ...base, sortKey: 'b' },
      { ...base, sortName: 'a' },
    ]);
    expect(new Set(sent().map(({ fingerprint }) => fingerprint)).size).toBe(4);
    expect(sent().map(({ sortPrefix }) => sortPrefix === null)).toEqual([true, false, false, false]);
  });

  it('a sort key alone is a submission without a score', async () => {
    await scoring.setSortKey('names', { memberId: 'u', sortName: 'Zoë' });
    expect(sent()).toMatchObject([
      { memberId: 'u', score: null, metadata: null, idempotencyKey: null, occurredAt: now },
    ]);
    expect(sent()[0]?.periods.map(({ key }) => key)).toEqual(['all']);
    expect(await refusalOf(() => scoring.setSortKey('names', { memberId: 'u' }))).toBe('BAD_INPUT');
    expect(await refusalOf(() => scoring.setSortKey('names', { memberId: '', sortKey: 'a' }))).toBe('BAD_MEMBER_ID');
    expect(await refusalOf(() => scoring.setSortKey('goals', { memberId: 'u', sortKey: 'a' }))).toBe('BAD_SORT_KEY');
  });

  it('a capped board takes no sums, not even for one score', async () => {
    const sum: ScoreInput = { memberId: 'u', score: 1, scorePolicy: 'SUM' };
    expect(await refusalOf(() => scoring.submit('names', sum))).toBe('BAD_INPUT');
    expect(entries.steps).toEqual([]);
  });
});

describe('batches', () => {
  const many = (count: number): ScoreInput[] =>
    Array.from({ length: count }, (_, i) => ({ memberId: `u${i}`, score: i }));

  it('locate each bad score, and do not spoil the others', async () => {
    const inputs = many(5);
    inputs[1] = { memberId: '', score: 1 };
    inputs[4] = { memberId: 'u', score: 0.25 };
    const outcomes = await scoring.submitAll('goals', inputs);
    expect(codes(outcomes)).toEqual(['ok', 'BAD_MEMBER_ID', 'ok', 'ok', 'SCORE_TOO_PRECISE']);
    expect(sent().map(({ memberId }) => memberId)).toEqual(['u0', 'u2', 'u3']);
    expect(outcomes[2]).toMatchObject({ id: sent()[1]?.id });
  });

  it('put what the store refuses where it belongs', async () => {
    const refuse = ['SCORE_OUT_OF_RANGE', 'IDEMPOTENCY_CONFLICT'] as const;
    entries.answer = ({ id, score }) => {
      const refused = refuse[Number(score) / 10 - 1];
      return refused ? { refused } : { id, applied: false, duplicate: false, changes: [], skipped: [] };
    };
    expect(codes(await scoring.submitAll('goals', many(4)))).toEqual(['ok', ...refuse, 'ok']);
    expect(await refusalOf(() => scoring.submit('goals', { memberId: 'u', score: 1 }))).toBe('SCORE_OUT_OF_RANGE');
  });

  it('are applied in steps, in order', async () => {
    const outcomes = await scoring.submitAll('goals', many(limits.stepSize * 2 + 1));
    expect(entries.steps.map((step) => step.submissions.length)).toEqual([limits.stepSize, limits.stepSize, 1]);
    expect(sent().map(({ memberId }) => memberId)).toEqual(many(limits.stepSize * 2 + 1).map((one) => one.memberId));
    expect(codes(outcomes)).toEqual(outcomes.map(() => 'ok'));
  });

  it('need no step where there is nothing to apply', async () => {
    expect(await scoring.submitAll('goals', [])).toEqual([]);
    expect(codes(await scoring.submitAll('goals', [{ memberId: '', score: 1 }]))).toEqual(['BAD_MEMBER_ID']);
    expect(entries.steps).toEqual([]);
  });

  it('have a limit', async () => {
    expect(await scoring.submitAll('goals', many(limits.batchSize))).toHaveLength(limits.batchSize);
    expect(await refusalOf(() => scoring.submitAll('goals', many(limits.batchSize + 1)))).toBe('BATCH_TOO_LARGE');
    expect(sent()).toHaveLength(limits.batchSize);
  });

  it('are refused as a whole where there is no such board', async () => {
    expect(await refusalOf(() => scoring.submitAll('other', many(2)))).toBe('LEADERBOARD_NOT_FOUND');
    expect(await refusalOf(() => scoring.submitAll('Other', []))).toBe('BAD_KEY');
  });

  it('fail as a whole where something unexpected fails', async () => {
    entries.answer = () => {
      throw new Error('broken');
    };
    await expect(scoring.submitAll('goals', many(2))).rejects.toThrow('broken');
  });
});

describe('blocks of rows', () => {
  const block = { from: 'a', to: 'b' };
  const rows = (count: number): ScoreInput[] =>
    Array.from({ length: count }, (_, i) => ({ memberId: `u${i}`, score: i }));

  it('are one step', async () => {
    await scoring.submitAll('goals', rows(limits.blockSize), block);
    expect(entries.steps).toHaveLength(1);
    expect(entries.steps[0]).toMatchObject({ block, now });
  });

  it('are recorded even where every row is bad', async () => {
    expect(codes(await scoring.submitAll('goals', [{ memberId: '', score: 1 }], block))).toEqual(['BAD_MEMBER_ID']);
    expect(entries.steps).toMatchObject([{ submissions: [], block }]);
  });

  it('have a limit, and places that are texts', async () => {
    expect(await refusalOf(() => scoring.submitAll('goals', rows(limits.blockSize + 1), block))).toBe(
      'BATCH_TOO_LARGE',
    );
    for (const bad of ['', 'x'.repeat(limits.keyBytes + 1), 'a\n']) {
      expect(await refusalOf(() => scoring.submitAll('goals', [], { ...block, from: bad }))).toBe('BAD_INPUT');
      expect(await refusalOf(() => scoring.submitAll('goals', [], { ...block, to: bad }))).toBe('BAD_INPUT');
    }
    expect(entries.steps).toEqual([]);
  });
});

describe('removals', () => {
  it('T2: from one period need it to accept scores', async () => {
    expect(await refusalOf(() => scoring.removeEntry('goals', 'u', '2025'))).toBe('PERIOD_CLOSED');
    expect(await refusalOf(() => scoring.removeEntry('goals', 'u', '2027'))).toBe('PERIOD_CLOSED');
    expect(await refusalOf(() => scoring.removeEntry('goals', 'u', '2026-13'))).toBe('PERIOD_NOT_FOUND');
    expect(await refusalOf(() => scoring.removeEntry('goals', '', 'all'))).toBe('BAD_MEMBER_ID');
    expect(entries.removals).toEqual([]);
    await scoring.removeEntry('goals', 'u', '2026');
    await scoring.removeEntry('goals', 'u', 'all');
    expect(entries.removals.map(({ periods }) => periods)).toEqual([['2026'], ['all']]);
  });

  it('T2: from all periods leave closed ones alone', async () => {
    entries.periods = ['all', '2025', '2026', '2026-11-29', '2026-11-30'];
    const { removals } = await scoring.removeEntry('goals', 'u', null);
    expect(removals.map(({ period }) => period)).toEqual(['all', '2026', '2026-11-30']);
    expect(entries.removals).toMatchObject([{ memberId: 'u', evenClosed: false }]);
  });

  it('T2: under a hold reach ended periods', async () => {
    await boards.update('goals', { backfill: true });
    entries.periods = ['all', '2025'];
    const { removals } = await scoring.removeEntry('goals', 'u', null);
    expect(removals.map(({ period }) => period)).toEqual(['all', '2025']);
  });

  it('of a member reach every period of every board, closed or not', async () => {
    await boards.create('points', {});
    entries.periods = ['all', '2025'];
    expect(await scoring.removeMember('u')).toBe(4);
    const one = { memberId: 'u', periods: ['all', '2025'], evenClosed: true };
    expect(entries.removals).toEqual([one, one]);
    expect(await refusalOf(() => scoring.removeMember('u\0'))).toBe('BAD_MEMBER_ID');
  });
});

describe('the periods of a board', () => {
  it('are those of its cadences', async () => {
    const board = await boards.create('daily', { cadences: ['DAILY'] });
    expect(findPeriod(board, '2026-11-30')).toMatchObject({ cadence: 'DAILY' });
    for (const key of ['all', '2026', '2026-W49', 'season-1', '2026-11-31']) {
      expect(findPeriod(board, key)).toBeNull();
      expect(await refusalOf(() => getPeriod(board, key))).toBe('PERIOD_NOT_FOUND');
    }
  });
});
