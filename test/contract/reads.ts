import { describe, expect, it } from 'vitest';
import { sortOrders, tieBreaks } from '../../src/core/leaderboard.ts';
import { limits } from '../../src/core/limits.ts';
import { MirroredBoard, shown } from '../support/mirrored-board.ts';
import { noon, type Store, TestBoard, wholePage } from '../support/store.ts';
import type { StoreContext } from './describe-store.ts';

const scores = { a: 9, b: 7, c: 7, d: 7, e: 3, f: 3, g: -1 };
const members = [...Object.keys(scores), 'nobody'];
const kinds = sortOrders.flatMap((sortOrder) => tieBreaks.map((tieBreak) => [sortOrder, tieBreak] as const));

async function makeBoard(context: StoreContext, [sortOrder, tieBreak]: (typeof kinds)[number], denseRanks = false) {
  const board = await MirroredBoard.make(context.store, { sortOrder, tieBreak, denseRanks });
  for (const [i, [memberId, score]] of Object.entries(scores).entries()) {
    await board.write(memberId, score, noon - 1000 * ((i * 3) % 4), 'zyx'[i % 3] ?? '');
  }
  return board;
}

/** Script calls that the engine has answered. */
async function scriptCalls(store: Store): Promise<number> {
  const stats = await store.redis.info('commandstats');
  const calls = [...stats.matchAll(/^cmdstat_(?:eval|evalsha|fcall)(?:_ro)?:calls=(\d+)/gm)];
  return calls.reduce((sum, [, count]) => sum + Number(count), 0);
}

export function describeReads(context: StoreContext): void {
  it('answers readings of one moment with few calls, each asker its own', async () => {
    const { one, oracle } = await makeBoard(context, ['HIGH_TO_LOW', 'EARLIEST']);
    const read = (memberId: string) =>
      one.store.entries.read(one.board, [{ period: 'all', read: { kind: 'entry', memberId } }]);
    await read('a');
    const before = await scriptCalls(one.store);
    const askers = Array.from({ length: 1 + 2 * limits.sharedReads }, (_, i) => members[i % members.length] ?? '');
    const answers = await Promise.all(askers.map(read));
    // The first at once, the others in two calls.
    expect((await scriptCalls(one.store)) - before).toBe(3);
    expect(answers.map(([{ standing }]) => standing && shown(standing))).toEqual(
      askers.map((id) => oracle.standing(id)),
    );
  });

  it('keeps entries of several periods apart', async () => {
    const one = await TestBoard.make(context.store, { cadences: ['ALL_TIME', 'DAILY'], scorePolicy: 'SUM' });
    const days = ['2026-11-29', '2026-11-30'].map((day) => ({ day, at: Date.parse(`${day}T12:00Z`) }));
    for (const [i, { at }] of days.entries()) {
      one.now = at;
      await one.submit('ann', 10 ** i);
      await one.submit('bob', 2 * 10 ** i);
    }
    const periods = ['all', ...days.map(({ day }) => day), 'all', 'all'];
    const reads = periods.map((period, i) => ({
      period,
      read: { kind: 'entry' as const, memberId: i % 2 ? 'ann' : 'bob' },
    }));
    const answers = await one.store.entries.read(one.board, reads);
    expect(answers.map(({ standing }) => `${standing?.memberId} ${standing?.score}`)).toEqual([
      'bob 22',
      'ann 1',
      'bob 20',
      'ann 11',
      'bob 22',
    ]);
  });

  it('looks up more entries than Lua hands over at once', async () => {
    const { one, oracle } = await makeBoard(context, ['HIGH_TO_LOW', 'EARLIEST']);
    const asked = Array.from({ length: 9_000 }, (_, i) => members[i % members.length] ?? '');
    const answers = await one.store.entries.read(
      one.board,
      asked.map((memberId) => ({ period: 'all', read: { kind: 'entry' as const, memberId } })),
    );
    expect(answers.map(({ standing }) => standing && shown(standing))).toEqual(asked.map((id) => oracle.standing(id)));
  });

  describe.each(kinds)('reading a board %s by %s', (...kind) => {
    it.each([true, false])('R4, R5: gives one entry, or a list in the order asked, dense ranks: %s', async (dense) => {
      const { one, oracle } = await makeBoard(context, kind, dense);
      // One after another, for those that are asked for at the same time are looked up together.
      for (const memberId of members) {
        const [{ standing }] = await one.store.entries.read(one.board, [
          { period: 'all', read: { kind: 'entry', memberId } },
        ]);
        expect(standing && shown(standing)).toEqual(oracle.standing(memberId));
      }
      const entries = await one.store.entries.read(
        one.board,
        members.map((memberId) => ({ period: 'all', read: { kind: 'entry' as const, memberId } })),
      );
      const asked = [...members.toReversed(), 'a'];
      const [list] = await one.store.entries.read(one.board, [
        { period: 'all', read: { kind: 'list', memberIds: asked } },
      ]);
      expect(entries.map(({ standing }) => standing && shown(standing))).toEqual(
        members.map((id) => oracle.standing(id)),
      );
      expect(list.standings.map((standing) => standing && shown(standing))).toEqual(
        asked.map((id) => oracle.standing(id)),
      );
      for (const { head } of [...entries, list]) expect(head).toMatchObject({ version: 7, entryCount: 7 });
    });

    it('gives what is around a member or a score, with and without fill, at both ends', async () => {
      const { one, oracle } = await makeBoard(context, kind, true);
      const counts = [0, 1, 2, 5, 20];
      const centres = [
        ...members.map((memberId) => ({ memberId })),
        ...['20', '9', '7', '5', '-1', '-2'].map((score) => ({ score })),
      ];
      const reads = centres.flatMap((centre) =>
        counts.flatMap((above) =>
          counts.flatMap((below) =>
            [true, false].map((fill) => ({ kind: 'around' as const, centre, above, below, fill })),
          ),
        ),
      );
      const answers = await one.store.entries.read(
        one.board,
        reads.map((read) => ({ period: 'all', read })),
      );
      for (const [i, { centre, above, below, fill }] of reads.entries()) {
        const page = answers[i];
        const expected =
          'score' in centre
            ? oracle.aroundScore(BigInt(centre.score), above, below, fill)
            : oracle.around(centre.memberId, above, below, fill);
        expect([centre, above, below, fill, page?.standings.map(shown) ?? null]).toEqual([
          centre,
          above,
          below,
          fill,
          expected,
        ]);
        if (page) expect([page.low, page.high]).toEqual([0, 7]);
        if (expected?.[0]) expect(page?.start).toBe(expected[0].index);
      }
    });

    it('gives where a score would stand', async () => {
      const { one, oracle } = await makeBoard(context, kind, true);
      const probes = ['10', '9', '8', '7', '0', '-1', '-2', '9007199254740991', '-9007199254740991'];
      const answers = await one.store.entries.read(
        one.board,
        probes.map((score) => ({ period: 'all', read: { kind: 'position' as const, score } })),
      );
      for (const [i, score] of probes.entries()) expect(answers[i]).toMatchObject(oracle.position(BigInt(score)));
    });
  });

  describe('reading', () => {
    it('R4: has no dense ranks where no index is kept', async () => {
      const { one, oracle } = await makeBoard(context, ['HIGH_TO_LOW', 'MEMBER_ID']);
      expect((await one.page()).standings.map(shown)).toEqual(oracle.standings());
      const [position] = await one.store.entries.read(one.board, [
        { period: 'all', read: { kind: 'position', score: '7' } },
      ]);
      expect(position).toMatchObject({ better: 1, ties: 3, denseRank: null });
    });

    it.each([1, 2, 3, 7, 11, 100])(
      'counts entries by ranges of scores, each of them once: %i buckets',
      async (buckets) => {
        const { one } = await makeBoard(context, ['HIGH_TO_LOW', 'MEMBER_ID']);
        const histogram = async (period = 'all') => {
          const [answer] = await one.store.entries.read(one.board, [{ period, read: { kind: 'histogram', buckets } }]);
          return answer;
        };
        expect(await histogram('1999')).toBeNull();
        const { lowest, width, counts } = (await histogram()) ?? { lowest: 0, width: 0, counts: [] };
        expect([lowest, width]).toEqual([-1, Math.ceil(11 / buckets)]);
        expect(counts.length).toBeLessThanOrEqual(buckets);
        for (const [i, count] of counts.entries()) {
          const [from, to] = [lowest + i * width, lowest + (i + 1) * width];
          expect(count).toBe(Object.values(scores).filter((score) => score >= from && score < to).length);
        }
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(7);
      },
    );

    it.each([1, 2, 3, 100])('counts them over the whole range of scores too: %i buckets', async (buckets) => {
      const one = await TestBoard.make(context.store);
      await one.fill({ a: '9007199254740991', b: '-9007199254740991', c: 0, d: 1 });
      const [histogram] = await one.store.entries.read(one.board, [
        { period: 'all', read: { kind: 'histogram', buckets } },
      ]);
      expect(histogram?.counts.length).toBeLessThanOrEqual(buckets);
      expect(histogram?.counts.reduce((sum, count) => sum + count, 0)).toBe(4);
    });

    it('gives the periods that were written to', async () => {
      const one = await TestBoard.make(context.store, { cadences: ['ALL_TIME', 'DAILY'], backfill: true });
      const periods = async () => {
        const [keys] = await one.store.entries.read(one.board, [{ period: 'all', read: { kind: 'periods' } }]);
        return keys.toSorted();
      };
      expect(await periods()).toEqual([]);
      await one.submit('a', 1);
      await one.submit('a', 1, { occurredAt: Date.UTC(2020, 1, 29) });
      await one.page({}, '2031-01-01');
      expect(await periods()).toEqual(['2020-02-29', '2026-11-30', 'all']);
    });

    it('P5: many things of several periods, at one moment and in one round trip', async () => {
      const one = await TestBoard.make(context.store, { cadences: ['ALL_TIME', 'DAILY'] });
      await one.fill(scores);
      await one.submit('g', 50, { occurredAt: one.now + 86_400_000 });
      const page = { ...wholePage, first: 2 };
      await one.head();
      const before = await scriptCalls(one.store);
      const around = { kind: 'around', above: 1, below: 1, fill: true } as const;
      const [top, entry, nextTo, head, daily, periods, nobody] = await one.store.entries.read(one.board, [
        { period: 'all', read: page },
        { period: 'all', read: { kind: 'entry', memberId: 'c' } },
        { period: 'all', read: { ...around, centre: { memberId: 'g' }, fill: false } },
        { period: '2026-12-01', read: { kind: 'head' } },
        { period: '2026-11-30', read: page },
        { period: 'all', read: { kind: 'periods' } },
        { period: '2026-12-01', read: { ...around, centre: { memberId: 'a' } } },
      ]);
      expect((await scriptCalls(one.store)) - before).toBe(1);
      expect(top.standings.map(({ memberId }) => memberId)).toEqual(['g', 'a']);
      expect(entry.standing).toMatchObject({ memberId: 'c', competitionRank: 3, tieCount: 3 });
      expect(nextTo?.standings.map(({ memberId }) => memberId)).toEqual(['g', 'a']);
      expect(head).toEqual({ epoch: top.head.epoch, version: 1, entryCount: 1, closed: null, held: true });
      expect(daily.standings.map(({ memberId }) => memberId)).toEqual(['a', 'd']);
      expect(periods.toSorted()).toEqual(['2026-11-30', '2026-12-01', 'all']);
      expect(nobody).toBeNull();
    });

    it('is one round trip, as writing is, whatever the number', async () => {
      const one = await TestBoard.make(context.store, { cadences: ['ALL_TIME', 'DAILY', 'YEARLY'] });
      const fifty = () => one.step(Array.from({ length: 50 }, (_, i) => one.submission(`n${i}`, i)));
      const remove = (memberId: string) =>
        one.store.entries.removeEntry(one.board, memberId, ['all', '2026'], { now: one.now, evenClosed: false });
      const many = Array.from({ length: 200 }, () => ({ period: 'all', read: { kind: 'head' as const } }));
      // Each script once, so that the engine knows them.
      await Promise.all([fifty(), one.head(), remove('n1')]);
      const uses: [() => Promise<unknown>, number][] = [
        [() => one.store.entries.read(one.board, many), 1],
        [fifty, 1],
        [() => remove('n2'), 1],
        [() => one.store.definitions.find(one.key), 0],
      ];
      for (const [use, expected] of uses) {
        const before = await scriptCalls(one.store);
        await use();
        expect((await scriptCalls(one.store)) - before).toBe(expected);
      }
    });

    it('leaves nothing behind', async () => {
      const one = await TestBoard.make(context.store, { tieBreak: 'EARLIEST', denseRanks: true });
      const before = await one.dump();
      await one.page();
      await one.page({ last: 3 }, '2026');
      await one.head('2026-11');
      expect(await one.dump()).toEqual(before);
    });
  });
}
