export interface WatchTimes {
  /** Changes within this time are worked in together. */
  readonly tickMs: number;
  /** A lost message is noticed within this time. */
  readonly pollMs: number;
  /** Redis unreachable for this long: subscribers are told. */
  readonly staleMs: number;
}

/** A run is followed by a rest of at least this part of what it took, with all that its results set off at once. */
const restShare = 1 / 8;

/**
 * Runs a piece of work when it is woken: at once after a rest, else `tickMs` after the last run began; and under load
 * less often, so that other work of the process has a ninth of its time at the least.
 */
export class Ticker {
  readonly #tickMs: number;
  readonly #work: () => Promise<void>;
  readonly #failed: (error: unknown) => void;
  readonly #poll: NodeJS.Timeout;
  #timer: NodeJS.Timeout | null = null;
  #notBefore = 0;
  #running: Promise<void> = Promise.resolve();
  #queued: Promise<void> | null = null;
  #closed = false;

  constructor(
    { tickMs, pollMs }: WatchTimes,
    work: () => Promise<void>,
    poll: () => void,
    failed: (error: unknown) => void,
  ) {
    this.#tickMs = tickMs;
    this.#work = work;
    this.#failed = failed;
    this.#poll = setInterval(poll, pollMs);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#poll);
    if (this.#timer) clearTimeout(this.#timer);
  }

  wake(): void {
    if (this.#timer || this.#closed) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.now().catch(this.#failed);
      },
      Math.max(0, this.#notBefore - performance.now()),
    );
  }

  /** A run that begins after this call. Calls that wait share one. */
  now(): Promise<void> {
    this.#queued ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#queued = null;
        this.#running = this.#run();
        return this.#running;
      });
    return this.#queued;
  }

  async #run(): Promise<void> {
    const began = performance.now();
    this.#notBefore = began + this.#tickMs;
    try {
      if (!this.#closed) await this.#work();
    } finally {
      // After what the results set off: frames are made and written before the event loop gets here.
      setImmediate(() => {
        this.#notBefore = began + Math.max(this.#tickMs, (1 + restShare) * (performance.now() - began));
      });
    }
  }
}
