/**
 * An async iterator over the latest of a changing value: what is pushed while nobody pulls replaces what waits, so a
 * slow consumer costs one value (rule L3).
 */
export class Latest<T> implements AsyncIterableIterator<T> {
  readonly #onEnd: () => void;
  #waiting: { value: T } | null = null;
  #pulls: ((result: IteratorResult<T>) => void)[] = [];
  #ended = false;

  /** `onEnd` runs once, however the iterator ends: completed, disconnected or ended from within (rule L5). */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  push(value: T): void {
    if (this.#ended) return;
    const pull = this.#pulls.shift();
    if (pull) pull({ value, done: false });
    else this.#waiting = { value };
  }

  next(): Promise<IteratorResult<T>> {
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) return Promise.resolve({ value: waiting.value, done: false });
    return new Promise((resolve) => this.#pulls.push(resolve));
  }

  return(): Promise<IteratorResult<T>> {
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const pull of this.#pulls.splice(0)) pull({ value: undefined, done: true });
    this.#waiting = null;
    this.#onEnd();
  }
}
