import type { LaurelError } from '../core/errors.ts';
import { isOfPeriod } from '../core/history.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import type { EntryStore } from '../core/ports.ts';
import type { Head, PeriodRead } from '../core/reading.ts';

/** What was read of some periods, and why others could not be. */
export interface Asked {
  /** In the order of the reads. */
  readonly answers: readonly unknown[];
  readonly heads: ReadonlyMap<string, Head>;
  readonly failed: ReadonlyMap<string, LaurelError>;
}

/**
 * Reads, with the head of each period: an answer may be that there is nothing. One call; where a period cannot be read,
 * one for each, so that it keeps nobody from the others.
 */
export async function ask(entries: EntryStore, board: Leaderboard, reads: readonly PeriodRead[]): Promise<Asked> {
  const periods = [...new Set(reads.map(({ period }) => period))];
  const headReads = periods.map((period) => ({ period, read: { kind: 'head' } as const }));
  try {
    const answers: readonly unknown[] = await entries.read(board, [...reads, ...headReads]);
    const heads = new Map(periods.map((period, i) => [period, answers[reads.length + i] as Head]));
    return { answers: answers.slice(0, reads.length), heads, failed: new Map() };
  } catch (error) {
    const [only, ...others] = periods;
    if (!isOfPeriod(error) || only === undefined) throw error;
    if (others.length === 0) return { answers: [], heads: new Map(), failed: new Map([[only, error]]) };
  }
  const answers: unknown[] = [];
  const heads = new Map<string, Head>();
  const failed = new Map<string, LaurelError>();
  for (const period of periods) {
    const indexes = reads.flatMap((read, i) => (read.period === period ? [i] : []));
    const part = await ask(
      entries,
      board,
      indexes.flatMap((i) => reads[i] ?? []),
    );
    for (const [nth, i] of indexes.entries()) answers[i] = part.answers[nth];
    for (const [key, head] of part.heads) heads.set(key, head);
    for (const [key, error] of part.failed) failed.set(key, error);
  }
  return { answers, heads, failed };
}
