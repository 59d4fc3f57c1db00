import type { Archive } from './archive.ts';
import { isCopy } from './calendar.ts';
import { type ErrorCode, LaurelError } from './errors.ts';
import type { Leaderboard } from './leaderboard.ts';
import type { EntryStore, LiveEntryStore, ReadAnswers, SettledReads } from './ports.ts';
import type { Head, PeriodRead } from './reading.ts';
import type { BlockStep, Outcome, Removal, Submission } from './submission.ts';

/**
 * The entry store that knows the past: what Redis no longer holds of a closed period is read from the archive, with the
 * same reads and the same answers (rule T4). What lives costs nothing more.
 */
export class History implements EntryStore, SettledReads {
  readonly #live: LiveEntryStore;
  readonly #archive: Archive;

  constructor(live: LiveEntryStore, archive: Archive) {
    this.#live = live;
    this.#archive = archive;
  }

  submit(board: Leaderboard, submissions: readonly Submission[], now: number, block?: BlockStep): Promise<Outcome[]> {
    return this.#live.submit(board, submissions, now, block);
  }

  removeEntry(
    board: Leaderboard,
    memberId: string,
    periods: readonly string[],
    options: { now: number; evenClosed: boolean },
  ): Promise<Removal[]> {
    return this.#live.removeEntry(board, memberId, periods, options);
  }

  indexStep(board: Leaderboard, period: string): Promise<boolean> {
    return this.#live.indexStep(board, period);
  }

  async read<const R extends readonly PeriodRead[]>(board: Leaderboard, reads: R): Promise<ReadAnswers<R>> {
    const settled = await this.readSettled(board, reads);
    const failure = settled.find((answer) => answer instanceof LaurelError);
    if (failure) throw failure;
    return settled as ReadAnswers<R>;
  }

  async readSettled(board: Leaderboard, reads: readonly PeriodRead[]): Promise<readonly unknown[]> {
    const { answers, heads } = await this.#live.readHeads(board, reads);
    const settled: unknown[] = [...answers];
    const past: number[] = [];
    for (const [i, read] of reads.entries()) {
      const found = isPast(read, heads.get(read.period));
      if (found instanceof LaurelError) settled[i] = found;
      else if (found) past.push(i);
    }
    if (past.length === 0) return settled;
    const asked = past.flatMap((i) => reads[i] ?? []);
    const found = await this.#readArchive(board, asked);
    for (const [nth, i] of past.entries()) settled[i] = withFate(found[nth], heads.get(reads[i]?.period ?? ''));
    return settled;
  }

  /** One call; where one period of it has expired, one for each. An archive that is away is asked once. */
  async #readArchive(board: Leaderboard, reads: readonly PeriodRead[]): Promise<readonly unknown[]> {
    try {
      return await withDeadline(this.#archive.read(board, reads));
    } catch (error) {
      if (!(error instanceof LaurelError) || !periodErrors.includes(error.code)) throw error;
      const periods = [...new Set(reads.map(({ period }) => period))];
      if (error.code !== 'PERIOD_EXPIRED' || periods.length === 1) return reads.map(() => error);
      const found = periods.map((period) =>
        this.#readArchive(
          board,
          reads.filter((read) => read.period === period),
        ),
      );
      const parts = new Map((await Promise.all(found)).map((part, i) => [periods[i], part.values()]));
      return reads.map(({ period }) => parts.get(period)?.next().value);
    }
  }
}

/** Failures that concern what the archive holds, and not the board. */
const periodErrors: readonly ErrorCode[] = ['PERIOD_EXPIRED', 'ARCHIVE_UNAVAILABLE'];

/** Whether only the archive can answer; an error where nobody can any more. */
function isPast({ period, read }: PeriodRead, head: Head | undefined): boolean | LaurelError {
  if (!head || head.held || ['periods', 'closed', 'indexing'].includes(read.kind)) return false;
  if (head.closed?.archived || period.includes('~')) return true;
  if (head.closed && head.closed.entryCount > 0) {
    return new LaurelError('PERIOD_EXPIRED', `Period ${period} was kept until its retention ended, in no archive.`);
  }
  if (isCopy(period)) return new LaurelError('PERIOD_EXPIRED', `There is no snapshot ${period}; it may have expired.`);
  return false;
}

/** The archive's answer, with what Redis remembers of the period's closing. */
function withFate(answer: unknown, head: Head | undefined): unknown {
  if (typeof answer !== 'object' || answer === null || answer instanceof LaurelError || !head) return answer;
  // Of an older revision only the archive knows.
  const fate = head.closed ? { closed: head.closed, held: false } : { held: false };
  if ('epoch' in answer) return { ...answer, ...fate };
  if ('head' in answer && typeof answer.head === 'object') return { ...answer, head: { ...answer.head, ...fate } };
  return answer;
}

/** How long the archive may take to answer a reading: what lives does not wait for it longer. */
const archiveTimeoutMs = 10_000;

async function withDeadline<T>(reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    const late = () => reject(new LaurelError('ARCHIVE_UNAVAILABLE', 'The archive does not answer; try again.'));
    timer = setTimeout(late, archiveTimeoutMs);
  });
  return Promise.race([reading, deadline]).finally(() => clearTimeout(timer));
}
