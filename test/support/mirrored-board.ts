import { expect } from 'vitest';
import type { Cursor } from '../../src/core/cursor.ts';
import type { LeaderboardInput } from '../../src/core/leaderboard.ts';
import type { PageRead, PeriodRead } from '../../src/core/reading.ts';
import type { Standing } from '../../src/core/standing.ts';
import { type OracleEntry, OraclePeriod, type OracleStanding } from './oracle.ts';
import { type Store, TestBoard } from './store.ts';

/** What the oracle knows of a standing: all but how the sorted set writes it. */
export function shown({ ordered, ...standing }: Standing): OracleStanding {
  expect(ordered.endsWith(standing.memberId)).toBe(true);
  return standing;
}

/** A place in a period in the store's words and in the oracle's. */
export interface KnownPlace {
  readonly cursor: Cursor;
  readonly entry: OracleEntry;
}

/** An ALL_TIME board of policy LATEST, and the same in the oracle. */
export class MirroredBoard {
  readonly one: TestBoard;
  readonly oracle: OraclePeriod;

  private constructor(one: TestBoard) {
    this.one = one;
    this.oracle = new OraclePeriod(one.board);
  }

  static async make(store: Store, input: LeaderboardInput): Promise<MirroredBoard> {
    return new MirroredBoard(await TestBoard.make(store, { ...input, scorePolicy: 'LATEST' }));
  }

  /** Writes a score that changes something; its time and its key count where the tie-break asks for them. */
  async write(memberId: string, score: number, reachedAt: number, sortKey: string): Promise<void> {
    const isKeyed = this.one.board.tieBreak === 'SORT_KEY';
    const { applied } = await this.one.submit(memberId, score, { occurredAt: reachedAt, ...(isKeyed && { sortKey }) });
    expect(applied).toBe(true);
    this.oracle.version += 1;
    const { version: sequence } = this.oracle;
    const entry = { memberId, score: BigInt(score), reachedAt, sequence, sortKey: isKeyed ? sortKey : null };
    this.oracle.entries.set(memberId, { ...entry, metadata: null });
  }

  async remove(memberId: string): Promise<void> {
    const { one, oracle } = this;
    await one.store.entries.removeEntry(one.board, memberId, ['all'], { now: one.now, evenClosed: false });
    oracle.entries.delete(memberId);
    oracle.version += 1;
  }

  /** The places of all entries as they are now. */
  async places(): Promise<KnownPlace[]> {
    const { key, incarnation } = this.one.board;
    const { head, standings } = await this.one.page();
    return standings.map(({ index, score, ordered, memberId }) => ({
      cursor: {
        board: key,
        incarnation,
        period: 'all',
        epoch: head.epoch,
        version: head.version,
        index,
        score,
        member: ordered,
      },
      entry: this.oracle.entries.get(memberId) as OracleEntry,
    }));
  }

  /** Reads all of them at one moment, and compares each with the oracle. */
  async compare(
    reads: readonly (Omit<PageRead, 'kind' | 'after' | 'before'> & {
      after: KnownPlace | null;
      before: KnownPlace | null;
    })[],
  ): Promise<void> {
    const pages = await this.one.store.entries.read(
      this.one.board,
      reads.map((read): PeriodRead & { read: PageRead } => ({
        period: 'all',
        read: { ...read, kind: 'page', after: read.after?.cursor ?? null, before: read.before?.cursor ?? null },
      })),
    );
    for (const [i, read] of reads.entries()) {
      const page = pages[i];
      if (!page) throw new Error('a page short');
      const expected = this.oracle.page({
        ...read,
        after: read.after?.entry ?? null,
        before: read.before?.entry ?? null,
      });
      const { standings, after, before, low, high, start } = page;
      expect({ standings: standings.map(shown), after, before, windowSize: high - low }).toEqual(expected);
      expect(start).toBeGreaterThanOrEqual(low);
      expect(start + standings.length).toBeLessThanOrEqual(high);
      if (standings[0]) expect(start).toBe(standings[0].index);
      const [best] = this.oracle.windowed(read.window);
      if (best) expect(low).toBe(best.index);
    }
  }
}
