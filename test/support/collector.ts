import { until } from './until.ts';

/** What arrives over a stream, in order, and how it ended. */
export class Collector<T> {
  readonly items: T[] = [];
  /** Null while it goes on; an error that ended it, or 'complete'. */
  end: unknown = null;
  #read = 0;

  /** The next item in order; fails where none comes in time, or the stream ends before. */
  async next(timeoutMs = 5_000): Promise<T> {
    await this.#arrival(() => this.items.length > this.#read, timeoutMs);
    const item = this.items[this.#read] as T;
    this.#read += 1;
    return item;
  }

  /** The first of the items to come that is as wanted; those before it are passed over. */
  async find(wanted: (item: T) => boolean, timeoutMs = 5_000): Promise<T> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const item = await this.next(Math.max(1, deadline - performance.now()));
      if (wanted(item)) return item;
    }
  }

  async ended(timeoutMs = 5_000): Promise<unknown> {
    return until(() => this.end, timeoutMs);
  }

  async #arrival(arrived: () => boolean, timeoutMs: number): Promise<void> {
    await until(() => arrived() || this.end !== null, timeoutMs).catch((error: unknown) => {
      throw new Error(`Nothing wanted came after ${JSON.stringify(this.items.slice(-3))}`, { cause: error });
    });
    if (!arrived()) throw new Error(`The stream ended: ${describe(this.end)}`);
  }
}

const describe = (end: unknown) => (end instanceof Error ? end.message : JSON.stringify(end));
