import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DenseIndex } from '../../src/core/dense-index.ts';
import type { Read } from '../../src/core/reading.ts';
import { keys, periodKeys } from '../../src/redis/keys.ts';
import { holdAsAnotherProcess } from '../support/another-process.ts';
import { firstPage, openPeriods, type Periods } from '../support/periods.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const noon = Date.UTC(2026, 4, 10, 12);

let laurel: Periods;
let nextBoard = 0;

beforeAll(async () => {
  laurel = await openPeriods(noon);
});

afterAll(() => laurel.stop());

/** A board with `count` entries in the day of 10 May 2026. */
async function dailyBoard(input: Parameters<Periods['boards']['create']>[1] = {}, count = 5) {
  laurel.at(noon);
  const key = `closing-${nextBoard++}`;
  const board = await laurel.boards.create(key, { cadences: ['DAILY'], ...input });
  const scores = Array.from({ length: count }, (_, i) => ({ memberId: `u:${i}`, score: Math.floor(i / 2) }));
  await laurel.scoring.submitAll(key, scores);
  return board;
}

const day = '2026-05-10';
const standingsOf = async (key: string, period: string) => {
  const board = await laurel.boards.get(key);
  const [{ head, standings }] = await laurel.entries.read(board, [{ period, read: firstPage(100) }]);
  return {
    head,
    rows: standings.map((one) => [one.memberId, one.score, one.index, one.competitionRank, one.tieCount]),
  };
};

describe('T2: late scores', () => {
  it('are accepted and flagged until end and grace, then skipped with a code, and leave no key behind', async () => {
    const { key } = await dailyBoard({ graceSeconds: 3600 });
    const occurredAt = noon;
    laurel.at(Date.UTC(2026, 4, 11, 0, 59, 59));
    const late = await laurel.scoring.submit(key, { memberId: 'late', score: 9, occurredAt });
    expect(late.changes).toMatchObject([{ period: day, outcome: 'APPLIED', late: true }]);
    laurel.at(Date.UTC(2026, 4, 11, 1));
    const tooLate = await laurel.scoring.submit(key, { memberId: 'later', score: 9, occurredAt });
    expect(tooLate).toMatchObject({ applied: false, skipped: [{ period: day, code: 'PERIOD_CLOSED' }] });
  });

  it('count for the week when they are too late for the day', async () => {
    const { key } = await dailyBoard({ cadences: ['DAILY', 'WEEKLY'] });
    laurel.at(noon + hourMs * 6);
    const occurredAt = Date.UTC(2026, 4, 9, 12);
    const result = await laurel.scoring.submit(key, { memberId: 'x', score: 1, occurredAt });
    expect(result.skipped).toMatchObject([{ period: '2026-05-09', cadence: 'DAILY', code: 'PERIOD_CLOSED' }]);
    expect(result.changes).toMatchObject([{ period: '2026-W19', outcome: 'APPLIED', late: false }]);
  });

  it('are refused in a closed period even under a hold, and after its data is gone', async () => {
    const { key } = await dailyBoard({ retentionSeconds: 60 });
    laurel.at(noon + dayMs);
    await laurel.newClosing().round();
    await laurel.boards.update(key, { backfill: true });
    const write = () => laurel.scoring.submit(key, { memberId: 'x', score: 1, occurredAt: noon });
    expect((await write()).skipped).toMatchObject([{ code: 'PERIOD_CLOSED' }]);
    laurel.at(noon + 3 * dayMs);
    await laurel.newClosing().round();
    expect((await standingsOf(key, day)).head.held).toBe(false);
    expect((await write()).skipped).toMatchObject([{ code: 'PERIOD_CLOSED' }]);
  });
});

describe('T3: closing', () => {
  it('survives a crash at every step, and ends the same', async () => {
    let steps = 0;
    for (let kill = 0; ; kill += 1) {
      const board = await dailyBoard();
      const before = await standingsOf(board.key, day);
      laurel.at(noon + dayMs);
      laurel.killIn(kill);
      await laurel
        .newClosing()
        .round()
        .catch(() => {});
      const killed = laurel.wasKilled();
      laurel.killIn(Number.POSITIVE_INFINITY);
      // The dead process's lock runs out; whoever comes next finishes.
      await laurel.redis.periods.unlock(board, day);
      await laurel.newClosing().round();
      const after = await standingsOf(board.key, day);
      expect(after.rows, `killed at call ${kill}`).toEqual(before.rows);
      expect(after.head.closed).toMatchObject({ archived: true, revision: 1, entryCount: 5 });
      expect(await laurel.redis.periods.open(board)).toEqual([]);
      expect((await laurel.archive.find(board, day))?.entryCount).toBe(5);
      await laurel.boards.remove(board.key);
      if (!killed) break;
      steps += 1;
    }
    expect(steps).toBeGreaterThan(5);
  });

  it('of a board waits for no other, not even for one that cannot be read; nor does its dense index', async () => {
    const [broken, board] = [await dailyBoard(), await dailyBoard()];
    await laurel.boards.update(board.key, { denseRanks: true });
    expect((await laurel.boards.get(board.key)).denseReady).toBe(false);
    const redis = new Redis(laurel.socketPath);
    await redis.hset(keys.definition(broken.key), 'sortOrder', 'SIDEWAYS');
    laurel.redis.definitions.forget(broken.key);
    const building = new DenseIndex(laurel.boards, laurel.entries, { info: () => {} }).resume();
    await expect(building).rejects.toThrow('unknown sortOrder');
    expect((await laurel.boards.get(board.key)).denseReady).toBe(true);
    laurel.at(noon + dayMs);
    await laurel.newClosing().round();
    expect((await standingsOf(board.key, day)).head.closed).toMatchObject({ archived: true });
    await redis.hset(keys.definition(broken.key), 'sortOrder', broken.sortOrder);
    redis.disconnect();
  });

  it('is done by one process while another one is at it', async () => {
    const board = await dailyBoard();
    laurel.at(noon + dayMs);
    await laurel.redis.periods.lock(board, day, 'another');
    await laurel.newClosing().round();
    expect((await standingsOf(board.key, day)).head.closed).toBeNull();
    await laurel.redis.periods.unlock(board, day);
    await laurel.newClosing().round();
    expect((await standingsOf(board.key, day)).head.closed).not.toBeNull();
  });

  it('waits for a hold to be released, then closes in the order of the ends', async () => {
    const { key } = await dailyBoard({ backfill: true });
    laurel.at(noon + 2 * dayMs);
    await laurel.scoring.submit(key, { memberId: 'x', score: 1, occurredAt: noon - 5 * dayMs });
    await laurel.newClosing().round();
    expect((await standingsOf(key, day)).head.closed).toBeNull();
    await expect(laurel.newClosing().closeNow(key, day)).rejects.toMatchObject({ code: 'BACKFILL_HELD' });
    await laurel.boards.update(key, { backfill: false });
    const closed: string[] = [];
    await laurel.redis.bus.subscribe(key, { event: (event) => void closed.push(event.closed ?? ''), gap: () => {} });
    await laurel.newClosing().round();
    const board = await laurel.boards.get(key);
    expect(await laurel.redis.periods.open(board)).toEqual([]);
    expect((await standingsOf(key, '2026-05-05')).head.closed).not.toBeNull();
    await expect.poll(() => closed).toEqual(['2026-05-05', day]);
  });

  it('by hand spares the grace, and refuses what has not ended', async () => {
    const { key } = await dailyBoard({ graceSeconds: 7200 });
    await expect(laurel.newClosing().closeNow(key, day)).rejects.toMatchObject({ code: 'PERIOD_NOT_ENDED' });
    laurel.at(noon + 12 * hourMs + 1);
    await laurel.newClosing().closeNow(key, day);
    expect((await standingsOf(key, day)).head.closed).not.toBeNull();
  });

  it('needs no database where the board wants no archive; after its retention the period is gone for good', async () => {
    const { key } = await dailyBoard({ archive: false, retentionSeconds: 60 });
    laurel.at(noon + dayMs);
    await laurel.newClosing().round();
    expect((await standingsOf(key, day)).head.closed).toMatchObject({ archived: false });
    laurel.at(noon + 2 * dayMs);
    await laurel.newClosing().round();
    await expect(standingsOf(key, day)).rejects.toMatchObject({ code: 'PERIOD_EXPIRED' });
  });
});

describe('T4: history', () => {
  it('reads the same, and pages across, before and after Redis lets go', async () => {
    const { key } = await dailyBoard({ retentionSeconds: 60 }, 30);
    laurel.at(noon + dayMs);
    const live = await standingsOf(key, day);
    await laurel.newClosing().round();
    const closed = await standingsOf(key, day);
    laurel.at(noon + 3 * dayMs);
    await laurel.newClosing().round();
    const archived = await standingsOf(key, day);
    expect(archived.head.held).toBe(false);
    expect(closed.rows).toEqual(live.rows);
    expect(archived.rows).toEqual(live.rows);
    expect([archived.head.epoch, archived.head.version]).toEqual([live.head.epoch, live.head.version]);
  });
});

describe('P3: snapshots', () => {
  it('stay as they were while the board goes on, and are closed to writes', async () => {
    const { key } = await dailyBoard({ cadences: ['ALL_TIME'], tieBreak: 'EARLIEST', denseRanks: true });
    const before = await standingsOf(key, 'all');
    const { period } = await laurel.past.snapshot(key, 'all', 60);
    await laurel.scoring.submit(key, { memberId: 'new', score: 99 });
    expect((await standingsOf(key, period.key)).rows).toEqual(before.rows);
    expect((await standingsOf(key, 'all')).rows).not.toEqual(before.rows);
    expect((await standingsOf(key, period.key)).head.closed).not.toBeNull();
    await expect(laurel.scoring.removeEntry(key, 'u:1', period.key)).rejects.toMatchObject({ code: 'PERIOD_CLOSED' });
  });

  it('that never were, or have expired, are named as such', async () => {
    const { key } = await dailyBoard({ cadences: ['ALL_TIME'] });
    await expect(standingsOf(key, 'all@777')).rejects.toMatchObject({ code: 'PERIOD_EXPIRED' });
  });
});

describe('T2: corrections', () => {
  it('make a new revision; the older ones stay readable', async () => {
    const { key } = await dailyBoard();
    laurel.at(noon + dayMs);
    await laurel.newClosing().round();
    const first = await standingsOf(key, day);
    await laurel.past.correct(key, day, 'u:4', null);
    await laurel.past.correct(key, day, 'u:0', 7);
    const third = await standingsOf(key, day);
    expect(third.rows.map(([memberId, score, , rank]) => [memberId, score, rank])).toEqual([
      ['u:0', '7', 1],
      ['u:3', '1', 2],
      ['u:2', '1', 2],
      ['u:1', '0', 4],
    ]);
    expect(third.head.closed).toMatchObject({ revision: 3 });
    expect((await standingsOf(key, `${day}~1`)).rows).toEqual(first.rows);
    expect((await standingsOf(key, `${day}~2`)).rows).toHaveLength(4);
  });
});

describe('T3: what the archive took', () => {
  it('is the truth where Redis lost its last writes before it knew of the closing', async () => {
    const board = await dailyBoard();
    laurel.at(noon + dayMs);
    await laurel.newClosing().round();
    const before = await standingsOf(board.key, day);
    // Redis comes back as it was before the freeze, under another epoch and with less in it.
    const redis = new Redis(laurel.socketPath);
    const [ranking = '', meta = ''] = periodKeys(board.key, day);
    await redis.hdel(meta, 'state', 'epoch');
    await redis.persist(ranking);
    await redis.hdel(keys.closed(board.key), day);
    await redis.zrem(keys.kept(board.key), day);
    await redis.sadd(keys.open(board.key), day);
    await redis.zrem(ranking, 'u:4');
    await holdAsAnotherProcess(redis, board.key);
    redis.disconnect();
    laurel.redis.definitions.forget(board.key);
    await laurel.newClosing().round();
    const after = await standingsOf(board.key, day);
    expect(after.rows).toEqual(before.rows);
    expect(after.head).toMatchObject({ held: false, closed: { archived: true, revision: 1 } });
  });
});

describe('T5: a closed period', () => {
  it('keeps the dense ranks it closed with when its board keeps none any more, also where a member is removed', async () => {
    const { key } = await dailyBoard({ cadences: ['ALL_TIME', 'DAILY'], rankMethod: 'DENSE', archive: false });
    laurel.at(noon + dayMs);
    await laurel.newClosing().round();
    await laurel.boards.update(key, { rankMethod: 'ORDINAL' });
    await laurel.boards.update(key, { denseRanks: false });
    const read = async (period: string) => {
      const [page, second, position] = await laurel.entries.read(await laurel.boards.get(key), [
        { period, read: firstPage(100) },
        { period, read: { ...firstPage(100), window: { kind: 'rank', rank: 2 } } },
        { period, read: { kind: 'position', score: '1' } },
      ]);
      const ranks = page.standings.map(({ denseRank }) => denseRank);
      return { method: page.head.rankMethod, ranks, second: second.standings.length, position: position.denseRank };
    };
    expect(await read(day)).toEqual({ method: 'DENSE', ranks: [1, 2, 2, 3, 3], second: 2, position: 2 });
    expect(await read('all')).toMatchObject({ ranks: Array(5).fill(null), position: null });
    await laurel.scoring.removeMember('u:4');
    expect(await read(day)).toEqual({ method: 'DENSE', ranks: [1, 1, 2, 2], second: 2, position: 1 });
  });

  it('keeps the epoch it closed in when another Redis process holds it: no lost write can have changed it', async () => {
    const { key, epoch } = await dailyBoard();
    laurel.at(noon + dayMs);
    await laurel.newClosing().round();
    const before = await standingsOf(key, day);
    const redis = new Redis(laurel.socketPath);
    await holdAsAnotherProcess(redis, key);
    redis.disconnect();
    laurel.redis.definitions.forget(key);
    const after = await standingsOf(key, day);
    expect((await laurel.boards.get(key)).epoch).not.toBe(epoch);
    expect([after.head.held, after.head.epoch]).toEqual([true, epoch]);
    expect(after).toEqual(before);
  });
});

describe('copies of periods', () => {
  it('keep the dense ranks of their time, on pages and for one entry, when their board keeps none any more', async () => {
    const { key } = await dailyBoard({ cadences: ['ALL_TIME'], denseRanks: true });
    const { period } = await laurel.past.snapshot(key, 'all', 60);
    await laurel.boards.update(key, { denseRanks: false });
    const read = (read: Read) => ({ period: period.key, read });
    const reads = [read(firstPage(100)), read({ kind: 'entry', memberId: 'u:0' })] as const;
    const [page, one] = await laurel.entries.read(await laurel.boards.get(key), reads);
    expect(page).toMatchObject({ standings: [{ denseRank: 1 }, ...[2, 2, 3, 3].map((denseRank) => ({ denseRank }))] });
    expect(one).toMatchObject({ standing: { memberId: 'u:0', competitionRank: 4, denseRank: 3 } });
  });

  it('are not closed, corrected or copied again, and a closed period needs none', async () => {
    const { key } = await dailyBoard({ cadences: ['ALL_TIME', 'DAILY'] });
    const copy = (await laurel.past.snapshot(key, 'all', 60)).period.key;
    await expect(laurel.past.snapshot(key, copy, 60)).rejects.toMatchObject({ code: 'PERIOD_NOT_FOUND' });
    await expect(laurel.newClosing().closeNow(key, copy)).rejects.toMatchObject({ code: 'PERIOD_NOT_FOUND' });
    await expect(laurel.past.correct(key, copy, 'u:1', 1)).rejects.toMatchObject({ code: 'PERIOD_NOT_FOUND' });
    laurel.at(noon + dayMs);
    await laurel.newClosing().round();
    await expect(laurel.past.snapshot(key, day, 60)).rejects.toMatchObject({ code: 'PERIOD_CLOSED' });
  });

  it('say when they were made and when they go, have no dense ranks before the board has, and go with the board', async () => {
    const { key } = await dailyBoard({ cadences: ['ALL_TIME'] });
    const { board, period } = await laurel.past.snapshot(key, 'all', 60);
    await laurel.boards.update(key, { denseRanks: true });
    await new DenseIndex(laurel.boards, laurel.entries, { info: () => {} }).build(key);
    const ready = await laurel.boards.get(key);
    const [{ head, standings }] = await laurel.entries.read(ready, [{ period: period.key, read: firstPage(1) }]);
    expect(head.closed).toMatchObject({ closedAt: noon, expiresAt: noon + 60_000 });
    expect(standings[0]?.denseRank).toBeNull();
    await laurel.boards.remove(board.key);
    const redis = new Redis(laurel.socketPath);
    expect(await redis.keys(`lb:{${key}}*`)).toEqual([]);
    redis.disconnect();
  });
});

describe('removing a member', () => {
  it('reaches archived periods as corrections', async () => {
    const { key } = await dailyBoard({ cadences: ['ALL_TIME', 'DAILY'] });
    laurel.at(noon + dayMs);
    await laurel.newClosing().round();
    expect(await laurel.past.removeMember('u:4')).toBeGreaterThan(0);
    const { head, rows } = await standingsOf(key, day);
    expect(rows.map(([memberId]) => memberId)).not.toContain('u:4');
    expect(head.closed).toMatchObject({ revision: 2 });
  });
});

describe('T2: a period closed by hand', () => {
  it('takes no score while its grace would still run, even after Redis let it go for a correction', async () => {
    const { key } = await dailyBoard({ graceSeconds: 7 * 24 * 3600 });
    laurel.at(noon + dayMs);
    await laurel.newClosing().closeNow(key, day);
    await laurel.past.correct(key, day, 'u:4', null);
    const before = await standingsOf(key, day);
    const late = await laurel.scoring.submit(key, { memberId: 'x', score: 999, occurredAt: noon });
    expect(late).toMatchObject({ applied: false, skipped: [{ code: 'PERIOD_CLOSED' }] });
    expect(await standingsOf(key, day)).toEqual(before);
  });
});
