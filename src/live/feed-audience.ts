import type { Fed } from './feed.ts';
import { roomCheckMs, type Sink } from './sink.ts';

/** Events that may wait for one subscriber. */
const mostWaiting = 1_000;

/** With so many waiting for everybody the source is left alone: it can fetch from the log what came meanwhile. */
const enoughWaiting = 100;

/** Bytes, at once where nothing has to be waited for. */
type Frame = Buffer | Promise<Buffer>;

/** What somebody who comes later has to be told first: kept from what the others were. */
export interface Opening<T> {
  note(told: Fed<T>): void;
  list(): readonly Fed<T>[];
}

interface Subscriber<T> {
  readonly sink: Sink;
  waiting: { readonly event: Fed<T>; readonly frame: Frame }[];
  /** Events were dropped before the first that waits. */
  gap: boolean;
  sending: boolean;
}

/**
 * All who follow the same feed with the same rights: each event is made into bytes once. For a slow reader events wait
 * up to a number; then the oldest are dropped, and the next one says so (rule L3).
 */
export class FeedAudience<T> {
  readonly #source: AsyncIterator<Fed<T>>;
  readonly #render: (fed: Fed<T>) => Frame;
  readonly #onEnd: () => void;
  readonly #opening: Opening<T> | null;
  readonly #subscribers = new Set<Subscriber<T>>();
  #timer: NodeJS.Timeout | null = null;
  #roomy: (() => void) | null = null;
  #running = false;
  #ended = false;

  /** Rendering never throws nor rejects. `onEnd` runs once: when the source ends, or the last subscriber leaves. */
  constructor(
    source: AsyncIterator<Fed<T>>,
    render: (fed: Fed<T>) => Frame,
    onEnd: () => void,
    opening: Opening<T> | null = null,
  ) {
    this.#source = source;
    this.#render = render;
    this.#onEnd = onEnd;
    this.#opening = opening;
  }

  join(sink: Sink): () => void {
    const opening = (this.#opening?.list() ?? []).map((event) => ({ event, frame: this.#render(event) }));
    const subscriber: Subscriber<T> = { sink, waiting: opening, gap: false, sending: false };
    this.#subscribers.add(subscriber);
    if (opening.length > 0) void this.#send(subscriber);
    if (!this.#running) void this.#run();
    return () => {
      if (this.#subscribers.delete(subscriber) && this.#subscribers.size === 0) this.#end();
    };
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (;;) {
      await this.#room();
      const { value, done } = await this.#source.next();
      if (done) break;
      this.#opening?.note(value);
      // Who comes while it is made into bytes comes after it.
      const listening = [...this.#subscribers];
      const frame = await this.#render(value);
      for (const subscriber of listening) {
        if (!this.#subscribers.has(subscriber)) continue;
        subscriber.waiting.push({ event: value, frame });
        if (subscriber.waiting.length > mostWaiting) {
          subscriber.waiting.shift();
          subscriber.gap = true;
        }
        if (!subscriber.sending) void this.#send(subscriber);
      }
    }
    for (const { sink } of this.#subscribers) sink.complete();
    this.#end();
  }

  async #send(subscriber: Subscriber<T>): Promise<void> {
    const { sink } = subscriber;
    subscriber.sending = true;
    while (this.#subscribers.has(subscriber) && sink.hasRoom()) {
      const next = subscriber.waiting.shift();
      if (!next) break;
      if (subscriber.gap && !next.event.gap) {
        subscriber.gap = false;
        sink.send(await this.#render({ ...next.event, gap: true }));
      } else {
        subscriber.gap = false;
        sink.send(Buffer.isBuffer(next.frame) ? next.frame : await next.frame);
      }
    }
    subscriber.sending = false;
    if (subscriber.waiting.length > 0) this.#sendLater();
    this.#roomy?.();
  }

  #sendLater(): void {
    if (this.#timer || this.#ended) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      for (const subscriber of this.#subscribers) if (!subscriber.sending) void this.#send(subscriber);
    }, roomCheckMs);
  }

  /** Waits while nobody can take more. */
  async #room(): Promise<void> {
    const full = () =>
      !this.#ended &&
      this.#subscribers.size > 0 &&
      [...this.#subscribers].every(({ waiting }) => waiting.length >= enoughWaiting);
    while (full()) {
      await new Promise<void>((resolve) => {
        this.#roomy = resolve;
      });
    }
    this.#roomy = null;
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#subscribers.clear();
    this.#roomy?.();
    void this.#source.return?.();
    this.#onEnd();
  }
}
