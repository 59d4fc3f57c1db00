/** What a feed hands over: an event, and whether others were dropped before it. */
export interface Fed<T> {
  readonly event: T;
  readonly gap: boolean;
}

/** Events one slow consumer may leave waiting. */
const mostWaiting = 1_000;

/** An async iterator over events, in order; when too many wait the oldest go, and the next one says so (rule L3). */
export class Feed<T> implements AsyncIterableIterator<Fed<T>> {
  readonly #onEnd: () => void;
  #waiting: Fed<T>[] = [];
  #pulls: ((result: IteratorResult<Fed<T>>) => void)[] = [];
  #gap = false;
  #ended = false;

  /** `onEnd` runs once, however the iterator ends. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  push(event: T): void {
    if (this.#ended) return;
    const fed = { event, gap: this.#gap };
    this.#gap = false;
    const pull = this.#pulls.shift();
    if (pull) {
      pull({ value: fed, done: false });
      return;
    }
    this.#waiting.push(fed);
    if (this.#waiting.length <= mostWaiting) return;
    this.#waiting.shift();
    this.#waiting[0] = { ...(this.#waiting[0] ?? fed), gap: true };
  }

  /** Events before the next one to be pushed were lost. */
  markGap(): void {
    this.#gap = true;
  }

  next(): Promise<IteratorResult<Fed<T>>> {
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    const fed = this.#waiting.shift();
    if (fed !== undefined) return Promise.resolve({ value: fed, done: false });
    return new Promise((resolve) => this.#pulls.push(resolve));
  }

  return(): Promise<IteratorResult<Fed<T>>> {
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const pull of this.#pulls.splice(0)) pull({ value: undefined, done: true });
    this.#waiting = [];
    this.#onEnd();
  }
}
