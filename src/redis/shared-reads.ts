import { LaurelError } from '../core/errors.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import { limits } from '../core/limits.ts';
import { StaleBoard } from '../core/ports.ts';
import type { Head, PeriodRead } from '../core/reading.ts';

/** What a call found: how it found each period, and an answer for each read. */
export interface Reading<Answers = readonly unknown[]> {
  readonly heads: ReadonlyMap<string, Head>;
  readonly answers: Answers;
}

interface Waiting {
  readonly reads: readonly PeriodRead[];
  resolve(reading: Reading): void;
  reject(error: unknown): void;
}

/**
 * Readings of one board that are asked for at one moment share a call, of `limits.stepSize` reads where more than one
 * asks: a call costs several times what a read does. Those of one asker stay together, at one version (rule P5).
 */
export class SharedReads {
  readonly #read: (board: Leaderboard, reads: readonly PeriodRead[]) => Promise<Reading>;
  readonly #waiting = new Map<Leaderboard, Waiting[]>();
  #gathering = false;

  constructor(read: (board: Leaderboard, reads: readonly PeriodRead[]) => Promise<Reading>) {
    this.#read = read;
  }

  read(board: Leaderboard, reads: readonly PeriodRead[]): Promise<Reading> {
    if (reads.length === 0) return Promise.resolve({ heads: new Map(), answers: [] });
    // The first goes at once, so that who asks alone waits for nobody; those who ask until all that was ready to run has
    // run go together.
    if (!this.#gathering) {
      this.#gathering = true;
      const reading = this.#read(board, reads);
      process.nextTick(this.#send);
      return reading;
    }
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(board) ?? [];
      if (waiting.push({ reads, resolve, reject }) === 1) this.#waiting.set(board, waiting);
    });
  }

  readonly #send = (): void => {
    this.#gathering = false;
    for (const [board, waiting] of this.#waiting) {
      let together: Waiting[] = [];
      let count = 0;
      for (const one of waiting) {
        if (together.length > 0 && count + one.reads.length > limits.stepSize) {
          this.#call(board, together);
          [together, count] = [[], 0];
        }
        together.push(one);
        count += one.reads.length;
      }
      this.#call(board, together);
    }
    this.#waiting.clear();
  };

  #call(board: Leaderboard, together: readonly Waiting[]): void {
    const share = ({ heads, answers }: Reading) => {
      let from = 0;
      for (const { reads, resolve } of together) {
        resolve({ heads, answers: answers.slice(from, from + reads.length) });
        from += reads.length;
      }
    };
    const fail = (error: unknown) => {
      const isOfAll = together.length === 1 || error instanceof StaleBoard || error instanceof LaurelError;
      for (const one of together) {
        if (isOfAll) one.reject(error);
        // One asker's trouble, such as a damaged period, is not another's.
        else this.#read(board, one.reads).then(one.resolve, one.reject);
      }
    };
    const reads = together.flatMap((one) => one.reads);
    this.#read(board, reads).then(share, fail);
  }
}
