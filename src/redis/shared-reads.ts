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
  /** Whether it may not share a call: the one it shared failed. */
  readonly isAlone: boolean;
  resolve(reading: Reading): void;
  reject(error: unknown): void;
}

/** What is asked of one board. */
interface Queue {
  readonly board: Leaderboard;
  readonly waiting: Waiting[];
  /** Calls. */
  underWay: number;
  /** Reads asked and not answered yet. */
  reads: number;
  /** Whether the next call has its time. */
  isDue: boolean;
}

/** While the store works on one call, what another one answered is taken in here; a third waits, should either be held up. */
const mostUnderWay = 3;

/**
 * Readings of one board that are asked for while it is being read share calls: a call costs several times what a read
 * does. A call takes half of what is asked and not answered, so that two are under way, and at most `limits.sharedReads`
 * where more than one asks. Those of one asker stay together, at one version (rule P5). Who asks alone waits for nobody.
 * Where the store cannot be reached, who waits is told so with those whose call it was. A board is one object: a process
 * remembers it while it hears of changes, and reads that know other rules share nothing.
 */
export class SharedReads {
  readonly #read: (board: Leaderboard, reads: readonly PeriodRead[]) => Promise<Reading>;
  readonly #queues = new WeakMap<Leaderboard, Queue>();

  constructor(read: (board: Leaderboard, reads: readonly PeriodRead[]) => Promise<Reading>) {
    // What it throws at once is a failure like any other: no call may be under way for ever.
    this.#read = (board, reads) => {
      try {
        return read(board, reads);
      } catch (error) {
        return Promise.reject(error);
      }
    };
  }

  read(board: Leaderboard, reads: readonly PeriodRead[]): Promise<Reading> {
    if (reads.length === 0) return Promise.resolve({ heads: new Map(), answers: [] });
    let queue = this.#queues.get(board);
    if (!queue) {
      queue = { board, waiting: [], underWay: 0, reads: 0, isDue: false };
      this.#queues.set(board, queue);
    }
    const { waiting, underWay } = queue;
    queue.reads += reads.length;
    if (underWay === 0 && waiting.length === 0) return this.#call(queue, reads);
    if (underWay < mostUnderWay) this.#schedule(queue, process.nextTick);
    return new Promise((resolve, reject) => waiting.push({ reads, isAlone: false, resolve, reject }));
  }

  #call(queue: Queue, reads: readonly PeriodRead[]): Promise<Reading> {
    queue.underWay += 1;
    const reading = this.#read(queue.board, reads);
    const done = () => {
      queue.underWay -= 1;
      queue.reads -= reads.length;
      if (queue.waiting.length > 0) this.#schedule(queue, process.nextTick);
    };
    const failed = (error: unknown) => {
      if (error instanceof LaurelError && error.code === 'STORE_UNAVAILABLE') {
        for (const one of queue.waiting.splice(0)) {
          queue.reads -= one.reads.length;
          one.reject(error);
        }
      }
      done();
    };
    reading.then(done, failed);
    return reading;
  }

  /** After all that is ready to run has run, so that what it asks goes too. */
  #schedule(queue: Queue, when: (run: () => void) => unknown): void {
    if (queue.isDue) return;
    queue.isDue = true;
    when(() => {
      queue.isDue = false;
      this.#next(queue);
    });
  }

  #next(queue: Queue): void {
    if (queue.waiting.length === 0 || queue.underWay === mostUnderWay) return;
    this.#callTogether(queue);
    // The next call not at once: the store would take in both, and answer both at once.
    if (queue.waiting.length > 0 && queue.underWay < mostUnderWay) this.#schedule(queue, setImmediate);
  }

  #callTogether(queue: Queue): void {
    const together = queue.waiting.splice(0, askersOfNext(queue));
    const share = ({ heads, answers }: Reading) => {
      let from = 0;
      for (const { reads, resolve } of together) {
        resolve({ heads, answers: answers.slice(from, from + reads.length) });
        from += reads.length;
      }
    };
    const fail = (error: unknown) => {
      const isOfAll = together.length === 1 || error instanceof StaleBoard || error instanceof LaurelError;
      if (isOfAll) {
        for (const one of together) one.reject(error);
        return;
      }
      // One asker's trouble, such as a damaged period, is not another's.
      queue.waiting.unshift(...together.map((one) => ({ ...one, isAlone: true })));
      queue.reads += reads.length;
      this.#schedule(queue, process.nextTick);
    };
    const reads = together.flatMap((one) => one.reads);
    this.#call(queue, reads).then(share, fail);
  }
}

/** How many of those who wait go with the next call. */
function askersOfNext({ waiting, reads }: Queue): number {
  let askers = 0;
  for (let count = 0; askers < waiting.length; askers += 1) {
    const { isAlone, reads: more } = waiting[askers] as Waiting;
    const isFull = 2 * count >= reads || count + more.length > limits.sharedReads;
    if (askers > 0 && (isAlone || isFull)) break;
    count += more.length;
    if (isAlone) return 1;
  }
  return askers;
}
