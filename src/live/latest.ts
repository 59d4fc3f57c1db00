/** A value, and the one this consumer took before it. */
export interface Taken<T> {
  readonly value: T;
  readonly previous: T | null;
}

/**
 * An async iterator over the latest of a changing value: what is pushed while nobody pulls replaces what waits, so a
 * slow consumer costs one value (rule L3). Deliveries are at least `throttleMs` apart.
 */
export class Latest<T> implements AsyncIterableIterator<Taken<T>> {
  readonly #throttleMs: number;
  readonly #onEnd: () => void;
  #waiting: { value: T } | null = null;
  #previous: T | null = null;
  #pulls: ((result: IteratorResult<Taken<T>>) => void)[] = [];
  #timer: NodeJS.Timeout | null = null;
  #notBefore = 0;
  #ended = false;

  /** `onEnd` runs once, however the iterator ends: completed, disconnected or ended from within (rule L5). */
  constructor(throttleMs: number, onEnd: () => void) {
    this.#throttleMs = throttleMs;
    this.#onEnd = onEnd;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  push(value: T): void {
    if (this.#ended) return;
    this.#waiting = { value };
    this.#deliver();
  }

  next(): Promise<IteratorResult<Taken<T>>> {
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.#pulls.push(resolve);
      this.#deliver();
    });
  }

  return(): Promise<IteratorResult<Taken<T>>> {
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#timer) clearTimeout(this.#timer);
    for (const pull of this.#pulls.splice(0)) pull({ value: undefined, done: true });
    this.#waiting = null;
    this.#onEnd();
  }

  #deliver(): void {
    if (this.#timer || !this.#waiting || this.#pulls.length === 0) return;
    const waitMs = this.#notBefore - performance.now();
    if (waitMs > 0) {
      this.#timer = setTimeout(() => {
        this.#timer = null;
        this.#deliver();
      }, waitMs);
      return;
    }
    const { value } = this.#waiting;
    this.#waiting = null;
    this.#notBefore = performance.now() + this.#throttleMs;
    this.#pulls.shift()?.({ value: { value, previous: this.#previous }, done: false });
    this.#previous = value;
  }
}
