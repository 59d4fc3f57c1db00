import { describe, expect, it } from 'vitest';
import { refusalOf } from '../support/refusal.ts';
import { noon, TestBoard } from '../support/store.ts';
import type { StoreContext } from './describe-store.ts';

const day = 86_400_000;

export function describePeriods(context: StoreContext): void {
  describe('T2: periods that ended', () => {
    it('take late scores until their grace is over, flagged', async () => {
      const one = await TestBoard.make(context.store, { cadences: ['DAILY'], graceSeconds: 60 });
      const midnight = noon + day / 2;
      one.now = midnight - 1;
      expect(await one.submit('a', 1)).toMatchObject({ changes: [{ period: '2026-11-30', late: false }] });
      one.now = midnight;
      const late = await one.submit('b', 1, { occurredAt: noon });
      expect(late).toMatchObject({ applied: true, changes: [{ period: '2026-11-30', late: true }], skipped: [] });
      one.now = midnight + 59_999;
      expect(await one.submit('c', 1, { occurredAt: noon })).toMatchObject({ changes: [{ late: true }] });
      one.now = midnight + 60_000;
      const skipped = [{ period: '2026-11-30', cadence: 'DAILY', code: 'PERIOD_CLOSED' }];
      const refused = await one.submit('d', 1, { occurredAt: noon });
      expect(refused).toEqual({ id: refused.id, applied: false, duplicate: false, changes: [], skipped });
      expect(await one.order('2026-11-30')).toEqual(['c 1', 'b 1', 'a 1']);
    });

    it('are skipped, and the others take the score', async () => {
      const one = await TestBoard.make(context.store, { cadences: ['DAILY', 'ALL_TIME', 'YEARLY'] });
      one.now = noon + day;
      const before = await one.redisKeys();
      const outcome = await one.submit('a', 1, { occurredAt: noon });
      expect(outcome.changes.map(({ period }) => period)).toEqual(['all', '2026']);
      expect(outcome.skipped).toEqual([{ period: '2026-11-30', cadence: 'DAILY', code: 'PERIOD_CLOSED' }]);
      expect(await one.redisKeys()).not.toEqual(before);
      expect((await one.redisKeys()).filter((key) => key.includes('2026-11-30'))).toEqual([]);
    });

    it('leave no key behind where they all are', async () => {
      const one = await TestBoard.make(context.store, { cadences: ['DAILY', 'WEEKLY'] });
      one.now = noon + 7 * day;
      const before = await one.dump();
      expect(await one.submit('a', 1, { occurredAt: noon })).toMatchObject({ applied: false, changes: [] });
      expect(await one.dump()).toEqual(before);
    });

    it('open again under a hold, for a backfill', async () => {
      const one = await TestBoard.make(context.store, { cadences: ['YEARLY'], backfill: true });
      const occurredAt = Date.UTC(1872, 10, 30);
      const outcome = await one.submit('a', 1, { occurredAt });
      expect(outcome).toMatchObject({ applied: true, changes: [{ period: '1872', late: true }] });
      await one.update({ backfill: false });
      expect(await one.submit('a', 2, { occurredAt })).toMatchObject({ applied: false, skipped: [{ period: '1872' }] });
      expect(await one.order('1872')).toEqual(['a 1']);
    });

    it('that were closed stay closed, under a hold too', async () => {
      const one = await TestBoard.make(context.store, { cadences: ['DAILY', 'ALL_TIME'], backfill: true });
      await one.submit('a', 1);
      await context.store.redis.hset(`lb:{${one.key}}:2026-11-30#meta`, 'state', 'CLOSED');
      const outcome = await one.submit('a', 2);
      expect(outcome.changes.map(({ period }) => period)).toEqual(['all']);
      expect(outcome.skipped).toEqual([{ period: '2026-11-30', cadence: 'DAILY', code: 'PERIOD_CLOSED' }]);
      expect(await one.order('2026-11-30')).toEqual(['a 1']);
    });

    it('remember their edges', async () => {
      const one = await TestBoard.make(context.store, { cadences: ['ALL_TIME', 'DAILY'], timeZone: 'Europe/Zurich' });
      await one.submit('a', 1);
      const meta = (period: string) => context.store.redis.hgetall(`lb:{${one.key}}:${period}#meta`);
      expect(await meta('all')).toEqual({ version: '1', startsAt: '', endsAt: '' });
      const startsAt = Date.UTC(2026, 10, 29, 23);
      expect(await meta('2026-11-30')).toEqual({
        version: '1',
        startsAt: String(startsAt),
        endsAt: String(startsAt + day),
      });
    });
  });

  describe('removing an entry', () => {
    it('takes it out of each period that has it', async () => {
      const one = await TestBoard.make(context.store, { cadences: ['ALL_TIME', 'DAILY'] });
      await one.fill({ a: 9, b: 5, c: 5 });
      one.now += day;
      await one.submit('d', 7);
      const options = { now: one.now, evenClosed: true };
      const periods = ['all', '2026-11-30', '2026-12-01', '2030-01-01'];
      expect(await context.store.entries.removeEntry(one.board, 'b', periods, options)).toEqual([
        { period: 'all', version: 5, before: { score: '5', ordered: 'b', index: 3, rank: 3 } },
        {
          period: '2026-11-30',
          version: 4,
          before: { score: '5', ordered: 'b', index: 2, rank: 2 },
        },
      ]);
      expect(await one.order()).toEqual(['a 9', 'd 7', 'c 5']);
      expect(await one.order('2026-11-30')).toEqual(['a 9', 'c 5']);
    });

    it('of nobody changes nothing', async () => {
      const one = await TestBoard.make(context.store);
      await one.submit('a', 1);
      const before = await one.dump();
      const options = { now: one.now, evenClosed: false };
      expect(await context.store.entries.removeEntry(one.board, 'b', ['all'], options)).toEqual([]);
      expect(await context.store.entries.removeEntry(one.board, 'a', [], options)).toEqual([]);
      expect(await one.dump()).toEqual(before);
    });

    it('leaves none in any period where one of them is closed, unless even those are meant', async () => {
      const one = await TestBoard.make(context.store, { cadences: ['ALL_TIME', 'DAILY'], archive: false });
      await one.submit('a', 1);
      await context.store.redis.hset(`lb:{${one.key}}:2026-11-30#meta`, 'state', 'CLOSED');
      const before = await one.dump();
      const remove = (evenClosed: boolean) =>
        context.store.entries.removeEntry(one.board, 'a', ['all', '2026-11-30'], { now: one.now, evenClosed });
      expect(await refusalOf(() => remove(false))).toBe('PERIOD_CLOSED');
      expect(await one.dump()).toEqual(before);
      expect(await remove(true)).toHaveLength(2);
      expect(await one.order('2026-11-30')).toEqual([]);
    });

    it('leaves what is closed to the archive, where the board has one', async () => {
      const one = await TestBoard.make(context.store, { cadences: ['ALL_TIME', 'DAILY'] });
      await one.submit('a', 1);
      await context.store.redis.hset(`lb:{${one.key}}:2026-11-30#meta`, 'state', 'CLOSED');
      const options = { now: one.now, evenClosed: true };
      const removals = await context.store.entries.removeEntry(one.board, 'a', ['all', '2026-11-30'], options);
      expect(removals.map(({ period }) => period)).toEqual(['all']);
      expect(await one.order('2026-11-30')).toEqual(['a 1']);
    });

    it('and scoring again begins anew', async () => {
      const one = await TestBoard.make(context.store, { scorePolicy: 'SUM' });
      await one.submit('a', 5);
      await context.store.entries.removeEntry(one.board, 'a', ['all'], { now: one.now, evenClosed: false });
      const { changes } = await one.submit('a', 2);
      expect(changes).toMatchObject([{ entry: { score: '2' }, version: 3 }]);
      expect(changes[0]).not.toHaveProperty('before');
    });
  });

  describe('blocks of rows', () => {
    const block = { from: 'a'.repeat(43), to: 'b'.repeat(43) };

    it('are applied once: the same again says what was refused, and changes nothing', async () => {
      const one = await TestBoard.make(context.store, { scorePolicy: 'SUM', maxScore: 10 });
      const rows = () => [
        one.submission('a', 4),
        one.submission('b', 11),
        one.submission('a', 4),
        one.submission('a', 4),
      ];
      const first = await one.step(rows(), block);
      expect(first).toMatchObject([
        { applied: true, duplicate: false },
        { refused: 'SCORE_OUT_OF_RANGE' },
        { applied: true },
        { refused: 'SCORE_OUT_OF_RANGE' },
      ]);
      const before = await one.dump();
      const again = rows();
      const nothing = { applied: false, duplicate: true, changes: [], skipped: [] };
      expect(await one.step(again, block)).toEqual([
        { id: again[0]?.id, ...nothing },
        { refused: 'SCORE_OUT_OF_RANGE' },
        { id: again[2]?.id, ...nothing },
        { refused: 'SCORE_OUT_OF_RANGE' },
      ]);
      expect(await one.dump()).toEqual(before);
      expect(await one.order()).toEqual(['a 8']);
    });

    it('with other rows at the same place are refused, and say what is there', async () => {
      const one = await TestBoard.make(context.store, { scorePolicy: 'SUM' });
      await one.step([one.submission('a', 4), one.submission('b', 1)], block);
      const before = await one.dump();
      const other = one.step([one.submission('a', 5)], { ...block, to: 'c' });
      await expect(other).rejects.toMatchObject({
        code: 'BLOCK_CONFLICT',
        details: { appliedTo: block.to, appliedRows: 2 },
      });
      expect(await one.dump()).toEqual(before);
    });

    it('follow one another', async () => {
      const one = await TestBoard.make(context.store, { scorePolicy: 'SUM' });
      await one.step([one.submission('a', 4)], block);
      const next = await one.step([one.submission('a', 4)], { from: block.to, to: 'c' });
      expect(next).toMatchObject([{ applied: true, duplicate: false }]);
      expect(await one.order()).toEqual(['a 8']);
    });

    it('without rows are applied too', async () => {
      const one = await TestBoard.make(context.store);
      expect(await one.step([], block)).toEqual([]);
      expect(await one.step([], block)).toEqual([]);
      const other = () => one.step([], { ...block, to: 'c' });
      expect(await refusalOf(other)).toBe('BLOCK_CONFLICT');
    });

    it('are remembered for ever, and not by a board made anew', async () => {
      const one = await TestBoard.make(context.store, { scorePolicy: 'SUM' });
      await one.step([one.submission('a', 4)], block);
      expect(await context.store.redis.pttl(`lb:{${one.key}}#blocks`)).toBe(-1);
      await context.store.definitions.remove(one.board);
      const again = await TestBoard.make(context.store, { scorePolicy: 'SUM' }, one.key);
      expect(await again.step([again.submission('a', 4)], block)).toMatchObject([{ applied: true, duplicate: false }]);
    });
  });
}
