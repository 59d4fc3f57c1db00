import { describe, expect, it } from 'vitest';
import type { Archive } from '../../src/core/archive.ts';
import { LaurelError } from '../../src/core/errors.ts';
import { History } from '../../src/core/history.ts';
import { makeRules } from '../../src/core/leaderboard.ts';
import { type LiveEntryStore, StaleBoard } from '../../src/core/ports.ts';
import type { Head, PeriodRead } from '../../src/core/reading.ts';

const board = { ...makeRules('kept', {}), key: 'kept', version: 1, incarnation: 'i', epoch: 'e' };

const held: Head = { epoch: 'e', version: 3, entryCount: 2, held: true, rankMethod: undefined, closed: null };
const record = { closedAt: 1, version: 3, epoch: 'e', entryCount: 2 };
const archived: Head = { ...held, held: false, closed: { ...record, archived: true } };
/** Let go by Redis, and in no archive. */
const expired: Head = { ...held, held: false, closed: { ...record, archived: false } };

const heads: Readonly<Record<string, Head>> = { now: held, '2024': archived, '2025': archived, gone: expired };

/** A history whose parts answer with their own name and the period, and an archive that cannot read some periods. */
function historyOf(failing: Readonly<Record<string, Error>> = {}, live: Error | null = null) {
  const calls: string[][] = [];
  const fake = {
    readHeads: async (_: unknown, reads: readonly PeriodRead[]) => {
      if (live) throw live;
      return { answers: reads.map(({ period }) => `live ${period}`), heads: new Map(Object.entries(heads)) };
    },
    read: async (_: unknown, reads: readonly PeriodRead[]) => {
      calls.push(reads.map(({ period }) => period));
      for (const { period } of reads) if (failing[period]) throw failing[period];
      return reads.map(({ period, read }) => `archived ${period} ${read.kind}`);
    },
  };
  return { calls, history: new History(fake as unknown as LiveEntryStore, fake as unknown as Archive) };
}

const entry = (period: string): PeriodRead => ({ period, read: { kind: 'entry', memberId: 'm' } });
const count = (period: string): PeriodRead => ({ period, read: { kind: 'head' } });

describe('rule T4: what Redis let go of is read from the archive', () => {
  it('in one call, and only that', async () => {
    const { calls, history } = historyOf();
    const reads = [entry('2024'), entry('now'), count('2025'), count('2024')];
    expect(await history.readSettled(board, reads)).toEqual([
      'archived 2024 entry',
      'live now',
      'archived 2025 head',
      'archived 2024 head',
    ]);
    expect(calls).toEqual([['2024', '2025', '2024']]);
  });

  it('and not asked where all is live', async () => {
    const { calls, history } = historyOf();
    expect(await history.read(board, [entry('now')])).toEqual(['live now']);
    expect(calls).toEqual([]);
  });
});

describe('a period that cannot be read', () => {
  const lost = new LaurelError('PERIOD_EXPIRED', 'lost');
  const away = new LaurelError('ARCHIVE_UNAVAILABLE', 'away');

  it('keeps nobody from the others', async () => {
    const { calls, history } = historyOf({ '2024': lost });
    const reads = [entry('2024'), entry('2025'), entry('now'), count('2024'), count('2025')];
    expect(await history.readSettled(board, reads)).toEqual([
      lost,
      'archived 2025 entry',
      'live now',
      lost,
      'archived 2025 head',
    ]);
    expect(calls).toEqual([
      ['2024', '2025', '2024', '2025'],
      ['2024', '2024'],
      ['2025', '2025'],
    ]);
  });

  it('for its archive is away keeps nobody from what lives, and that is asked once', async () => {
    const { calls, history } = historyOf({ '2024': away });
    expect(await history.readSettled(board, [entry('2024'), entry('now'), entry('2025')])).toEqual([
      away,
      'live now',
      away,
    ]);
    expect(calls).toEqual([['2024', '2025']]);
  });

  it('that expired has an error for its answer, and the archive is not asked for it', async () => {
    const { calls, history } = historyOf();
    const answers = await history.readSettled(board, [entry('gone'), entry('now'), entry('2024')]);
    expect(answers).toEqual([expect.objectContaining({ code: 'PERIOD_EXPIRED' }), 'live now', 'archived 2024 entry']);
    expect(calls).toEqual([['2024']]);
  });

  it('fails who needs all of them', async () => {
    const { history } = historyOf({ '2024': away });
    await expect(history.read(board, [entry('now'), entry('2024'), entry('2025')])).rejects.toBe(away);
    await expect(history.read(board, [entry('now'), entry('gone')])).rejects.toMatchObject({ code: 'PERIOD_EXPIRED' });
  });

  it('is not what fails where all does', async () => {
    const stale = new StaleBoard();
    const { history } = historyOf({}, stale);
    await expect(history.readSettled(board, [entry('now')])).rejects.toBe(stale);
    const broken = new Error('broken');
    await expect(historyOf({ '2024': broken }).history.readSettled(board, [entry('2024'), entry('now')])).rejects.toBe(
      broken,
    );
  });
});
