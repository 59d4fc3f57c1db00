import { describe, expect, it } from 'vitest';
import type { Leaderboard } from '../../src/core/leaderboard.ts';
import { newBoard, put, readStandings, recordOfDay, someEntries, standingsOf } from '../support/archived.ts';
import type { ArchiveContext } from './archive-describe.ts';

export function describeRetention(context: ArchiveContext): void {
  const putDay = async (board: Leaderboard, day: number, entries = someEntries(day % 10)) => {
    const record = recordOfDay(board, day, entries.length);
    await put(context.archive, record, standingsOf(board, entries));
    return record;
  };

  describe('the archive of a board', () => {
    it('lists its periods, latest end first, by cadence', async () => {
      const board = newBoard();
      const days = [await putDay(board, 20_001), await putDay(board, 20_003), await putDay(board, 20_002)];
      const all = { ...recordOfDay(board, 20_005, 0), period: 'all', cadence: 'ALL_TIME' as const };
      const whole = { ...all, startsAt: null, endsAt: null };
      await put(context.archive, whole, []);
      await putDay(newBoard(), 20_004);
      expect(await context.archive.records(board, 'DAILY')).toEqual([days[1], days[2], days[0]]);
      expect(await context.archive.records(board, 'WEEKLY')).toEqual([]);
      expect(await context.archive.records(board, null)).toEqual([whole, days[1], days[2], days[0]]);
    });

    it("shows a member's career: places in its periods, latest first, of the latest revision", async () => {
      const board = newBoard({ tieBreak: 'MEMBER_ID' });
      const records = [];
      for (let day = 20_000; day < 20_006; day += 1) {
        const other = { ordered: 'other', score: 50 };
        const mine = day === 20_002 ? [] : [{ ordered: 'me', score: day % 20_000 === 3 ? 60 : 10 + (day % 20_000) }];
        records.push(await putDay(board, day, [other, ...mine]));
      }
      const corrected = await context.archive.correct(board, '2024-10-04', 'me', '70', 0);
      const career = await context.archive.career(board, 'me', 'DAILY', 4);
      expect(career.map(({ record, standing }) => [record.period, standing.score, standing.competitionRank])).toEqual([
        ['2024-10-09', '15', 2],
        ['2024-10-08', '14', 2],
        ['2024-10-07', '60', 1],
        ['2024-10-05', '11', 2],
      ]);
      expect(career[0]?.record).toEqual(records[5]);
      const [first] = (await context.archive.career(board, 'me', 'DAILY', 10)).slice(-1);
      expect(first).toMatchObject({ record: corrected, standing: { score: '70', competitionRank: 1, memberId: 'me' } });
      expect(await context.archive.career(board, 'me', 'WEEKLY', 10)).toEqual([]);
      expect(await context.archive.career(board, 'nobody\0', 'DAILY', 10)).toEqual([]);
    });

    it('T4: lets go of what closed before an instant: all revisions of a period, and never half', async () => {
      const board = newBoard();
      const other = newBoard();
      const records = [await putDay(board, 20_005), await putDay(board, 20_006), await putDay(board, 20_007)];
      await putDay(other, 20_005);
      await context.archive.correct(board, '2024-10-09', 'm0', '99', Date.UTC(2040, 0, 1));
      await context.archive.begin(recordOfDay(board, 20_004, 3));
      const [, second] = records;
      // Day 20,004 which was only begun, both revisions of 20,005; 20,006 closed at that very instant.
      expect(await context.archive.prune(board, second?.closedAt ?? 0)).toBe(3);
      expect(await context.archive.prune(board, second?.closedAt ?? 0)).toBe(0);
      expect(await context.archive.records(board, null)).toEqual([records[2], second]);
      for (const period of ['2024-10-09', '2024-10-09~1', '2024-10-09~2']) {
        expect(await context.archive.find(board, period)).toBeNull();
        await expect(readStandings(context.archive, board, period)).rejects.toMatchObject({ code: 'PERIOD_EXPIRED' });
      }
      expect(await readStandings(context.archive, board, '2024-10-10')).toHaveLength(6);
      expect(await readStandings(context.archive, other, '2024-10-09')).toHaveLength(5);
    });

    it('T4: a period that goes while it is read is read whole or not at all', async () => {
      const board = newBoard();
      for (let round = 0; round < 5; round += 1) {
        await putDay(board, 20_000, someEntries(500));
        const reading = Array.from({ length: 10 }, () => readStandings(context.archive, board, '2024-10-04'));
        const pruned = context.archive.prune(board, Number.MAX_SAFE_INTEGER);
        for (const outcome of await Promise.allSettled(reading)) {
          if (outcome.status === 'fulfilled') expect(outcome.value).toHaveLength(500);
          else expect(outcome.reason).toMatchObject({ code: 'PERIOD_EXPIRED' });
        }
        expect(await pruned).toBe(1);
      }
    });

    it('T5: another life of the board has an archive of its own', async () => {
      const first = newBoard();
      const second = { ...first, incarnation: `${first.incarnation}-2` };
      const record = await putDay(first, 20_005);
      expect(await context.archive.find(second, record.period)).toBeNull();
      await putDay(second, 20_006);
      await context.archive.removeBoard(first.incarnation);
      await context.archive.removeBoard(first.incarnation);
      expect(await context.archive.records(first, null)).toEqual([]);
      expect(await context.archive.records(second, null)).toHaveLength(1);
      // Nothing is left that another record could be taken for.
      expect(await context.archive.begin(record)).toBe(0);
    });
  });
}
