import { LaurelError } from '../core/errors.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import type { SettledReads } from '../core/ports.ts';
import type { Head, PeriodRead } from '../core/reading.ts';

/** What was read of some periods, and why others could not be. */
export interface Asked {
  /** In the order of the reads; of a period that failed the error. */
  readonly answers: readonly unknown[];
  readonly heads: ReadonlyMap<string, Head>;
  readonly failed: ReadonlyMap<string, LaurelError>;
}

/** Reads, with the head of each period: an answer may be that there is nothing. */
export async function ask(entries: SettledReads, board: Leaderboard, reads: readonly PeriodRead[]): Promise<Asked> {
  const periods = [...new Set(reads.map(({ period }) => period))];
  const headReads = periods.map((period) => ({ period, read: { kind: 'head' } as const }));
  const answers = await entries.readSettled(board, [...reads, ...headReads]);
  const heads = new Map<string, Head>();
  const failed = new Map<string, LaurelError>();
  for (const [i, period] of periods.entries()) {
    const head = answers[reads.length + i];
    if (head instanceof LaurelError) failed.set(period, head);
    else heads.set(period, head as Head);
  }
  return { answers: answers.slice(0, reads.length), heads, failed };
}
