import { describe, expect, it } from 'vitest';
import type { PeriodRecord } from '../../src/core/archive.ts';
import { type Leaderboard, type LeaderboardInput, sortOrders } from '../../src/core/leaderboard.ts';
import { emptyPrefix, sortPrefix, timePrefix } from '../../src/core/order.ts';
import type { ScoreText } from '../../src/core/score.ts';
import type { Entry } from '../support/archived.ts';
import { newBoard, put, readStandings, recordOfDay, standingsOf } from '../support/archived.ts';
import type { ArchiveContext } from './archive-describe.ts';

const now = Date.UTC(2030, 5, 1);

export function describeRevisions(context: ArchiveContext): void {
  /** A board with one archived day. */
  async function archived(input: LeaderboardInput, make: (board: Leaderboard) => Entry[]) {
    const board = newBoard(input);
    const entries = make(board);
    const record = recordOfDay(board, 20_000, entries.length);
    await put(context.archive, record, standingsOf(board, entries));
    const correct = (memberId: string, score: ScoreText | null) =>
      context.archive.correct(board, record.period, memberId, score, now);
    const standings = (revision?: number) =>
      readStandings(context.archive, board, revision ? `${record.period}~${revision}` : record.period);
    return { board, entries, record, correct, standings };
  }

  const plain = () => [
    { ordered: 'a', score: 9 },
    { ordered: 'b', score: 7, metadata: '{"car":1}' },
    { ordered: 'B', score: 7 },
    { ordered: 'é', score: 7 },
    { ordered: 'z', score: 3 },
  ];

  const changed = (entries: Entry[], ordered: string, score: number) => [
    ...entries.filter((entry) => entry.ordered !== ordered),
    { ...entries.find((entry) => entry.ordered === ordered), ordered, score },
  ];

  describe('correcting', () => {
    it.each(sortOrders)(
      'T2: another score makes a new revision, ranked anew; the old one stays: %s',
      async (sortOrder) => {
        const { board, entries, record, correct, standings } = await archived(
          { sortOrder, rankMethod: 'DENSE' },
          plain,
        );
        const next = await correct('b', '3');
        const expected: PeriodRecord = { ...record, revision: 2, version: record.version + 1 };
        expect(next).toEqual(expected);
        const second = standingsOf(board, changed(entries, 'b', 3));
        expect(await standings()).toEqual(second);
        expect(await standings(2)).toEqual(second);
        expect(await standings(1)).toEqual(standingsOf(board, entries));
        expect(await context.archive.find(board, record.period)).toEqual(expected);
        expect(await context.archive.find(board, `${record.period}~1`)).toEqual(record);
        expect(await context.archive.records(board, 'DAILY')).toEqual([expected]);
      },
    );

    it('takes a member out, and takes one in', async () => {
      const { board, entries, correct, standings } = await archived({}, plain);
      expect(await correct('a', null)).toMatchObject({ revision: 2, entryCount: 4 });
      const without = entries.filter(({ ordered }) => ordered !== 'a');
      expect(await standings()).toEqual(standingsOf(board, without));
      expect(await correct('new', '-5')).toMatchObject({ revision: 3, entryCount: 5 });
      expect(await standings()).toEqual(standingsOf(board, [...without, { ordered: 'new', score: -5 }]));
      for (const { ordered } of [...without, { ordered: 'new' }]) await correct(ordered, null);
      expect(await standings()).toEqual([]);
      expect(await correct('first', '1')).toMatchObject({ entryCount: 1 });
      expect(await standings()).toEqual(standingsOf(board, [{ ordered: 'first', score: 1 }]));
    });

    it('S3: the score it has already is no correction', async () => {
      const { record, correct } = await archived({}, plain);
      expect(await correct('b', '7')).toEqual(record);
    });

    it.each(['EARLIEST', 'LATEST'] as const)(
      'R3: who was ranked keeps the time, who was not gets it: %s',
      async (tieBreak) => {
        const at = (board: Leaderboard, hour: number, memberId: string) =>
          timePrefix(board, Date.UTC(2024, 9, 4, hour), hour) + memberId;
        const { board, entries, record, correct, standings } = await archived({ tieBreak }, (board) => [
          { ordered: at(board, 3, 'a'), score: 5 },
          { ordered: at(board, 2, 'b'), score: 4 },
          { ordered: at(board, 1, 'c'), score: 5 },
        ]);
        await correct('b', '5');
        const second = changed(entries, at(board, 2, 'b'), 5);
        expect(await standings()).toEqual(standingsOf(board, second));
        const { version } = await correct('n', '5');
        const third = [...second, { ordered: `${timePrefix(board, now, version)}n`, score: 5 }];
        expect(await standings()).toEqual(standingsOf(board, third));
        expect((await standings()).find(({ memberId }) => memberId === 'n')?.reachedAt).toBe(now);
        expect(version).toBe(record.version + 2);
      },
    );

    it.each(['ASCENDING', 'DESCENDING'] as const)(
      'R2: sort keys stay, and a new member has the empty one: %s',
      async (order) => {
        const key = (board: Leaderboard, text: string, memberId: string) =>
          sortPrefix(board, { sortKey: text }) + memberId;
        const { board, entries, correct, standings } = await archived(
          { tieBreak: 'SORT_KEY', sortKeyOrder: order },
          (board) => [
            { ordered: key(board, 'ab', 'x'), score: 5 },
            { ordered: key(board, 'a', 'y'), score: 5 },
            { ordered: key(board, 'b', 'z'), score: 4 },
          ],
        );
        await correct('z', '5');
        await correct('n', '5');
        const expected = [
          ...changed(entries, key(board, 'b', 'z'), 5),
          { ordered: `${emptyPrefix(board)}n`, score: 5 },
        ];
        expect(await standings()).toEqual(standingsOf(board, expected));
      },
    );

    it('a capped board keeps its best', async () => {
      const { board, entries, correct, standings } = await archived({ maxEntries: 5 }, plain);
      expect(await correct('n', '8')).toMatchObject({ entryCount: 5 });
      expect(await standings()).toEqual(standingsOf(board, [...entries.slice(0, 4), { ordered: 'n', score: 8 }]));
      expect(await correct('last', '1')).toMatchObject({ entryCount: 5, revision: 3 });
      expect(await standings(3)).toEqual(await standings(2));
    });

    it('many at once come one after another', async () => {
      const { board, entries, correct, standings } = await archived({}, plain);
      const records = await Promise.all(['a', 'b', 'B', 'é', 'z'].map((id, i) => correct(id, String(100 + i))));
      expect(records.map(({ revision }) => revision).toSorted()).toEqual([2, 3, 4, 5, 6]);
      const expected = entries.map((entry, i) => ({ ...entry, score: 100 + i }));
      expect(await standings()).toEqual(standingsOf(board, expected));
    });

    it('is refused with a code where there is nothing to correct, and changes nothing', async () => {
      const { board, record, correct } = await archived({}, plain);
      await expect(correct('nobody', null)).rejects.toMatchObject({ code: 'NOT_RANKED' });
      for (const period of ['2001-01-01', `${record.period}~1`]) {
        const wrong = context.archive.correct(board, period, 'a', '1', now);
        await expect(wrong).rejects.toMatchObject({ code: 'PERIOD_NOT_FOUND' });
      }
      expect(await context.archive.find(board, record.period)).toEqual(record);
    });
  });
}
