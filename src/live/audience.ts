import { roomCheckMs, type Sink } from './sink.ts';

/** A state for somebody who took another one before it. */
export interface Taken<T> {
  readonly value: T;
  /** Null for the first one. */
  readonly previous: T | null;
  /** Whether the reader says that it had a state before the first one. */
  readonly resumed: boolean;
}

export interface Subscription<T> {
  /** Least time between two states. */
  readonly throttleMs: number;
  readonly resumed: boolean;
  /** Whether the reader had this state before it came. */
  hasSeen(state: T): boolean;
}

interface Subscriber<T> {
  readonly sink: Sink;
  readonly subscription: Subscription<T>;
  /** The state sent last; null before the first. */
  previous: T | null;
  /** The state dealt with last, whether or not it had to be sent. */
  handled: T | null;
  notBefore: number;
}

/** Makes a state into bytes; what it cannot make is bytes too. It never rejects. */
export type Render<T> = (taken: Taken<T>) => Promise<Buffer>;

/** Notes whether a frame depends on what its reader had before. */
class Tracked<T> implements Taken<T> {
  readonly value: T;
  depends = false;
  readonly #previous: T | null;
  readonly #resumed: boolean;

  constructor(value: T, previous: T | null, resumed: boolean) {
    this.value = value;
    this.#previous = previous;
    this.#resumed = resumed;
  }

  get previous(): T | null {
    this.depends = true;
    return this.#previous;
  }

  get resumed(): boolean {
    this.depends = true;
    return this.#resumed;
  }
}

/** The bytes of one state: one frame for everybody, or one for each thing that readers had before. */
class Frames<T> {
  readonly state: T;
  readonly #render: Render<T>;
  readonly #made: { previous: T | null; resumed: boolean; frame: Promise<Buffer> }[] = [];
  #common: Promise<Buffer> | null = null;

  constructor(state: T, render: Render<T>) {
    this.state = state;
    this.#render = render;
  }

  async of(previous: T | null, resumed: boolean): Promise<Buffer> {
    if (this.#common) return this.#common;
    const made = this.#made.find((one) => one.previous === previous && one.resumed === resumed);
    if (made) return made.frame;
    const tracked = new Tracked(this.state, previous, resumed);
    const frame = this.#render(tracked);
    this.#made.push({ previous, resumed, frame });
    await frame;
    if (!tracked.depends) this.#common = frame;
    return frame;
  }
}

/**
 * All who ask for the same with the same rights. A state is made into bytes once, or once for all who took the same
 * state before it where it speaks of that, and the bytes are sent to everybody. Who cannot take a state now is sent the
 * latest one later (rule L3).
 */
export class Audience<T extends object> {
  readonly #source: AsyncIterator<T>;
  readonly #render: Render<T>;
  readonly #onEnd: () => void;
  readonly #subscribers = new Set<Subscriber<T>>();
  #frames: Frames<T> | null = null;
  #running = false;
  #flushing = false;
  #again = false;
  #timer: NodeJS.Timeout | null = null;
  #timerAt = Number.POSITIVE_INFINITY;
  #ended = false;

  /** `onEnd` runs once: when the source ends, or the last subscriber leaves. */
  constructor(source: AsyncIterator<T>, render: Render<T>, onEnd: () => void) {
    this.#source = source;
    this.#render = render;
    this.#onEnd = onEnd;
  }

  /** Sends the latest state, and those that follow it. Returns what to call to leave. */
  join(sink: Sink, subscription: Subscription<T>): () => void {
    const subscriber: Subscriber<T> = { sink, subscription, previous: null, handled: null, notBefore: 0 };
    this.#subscribers.add(subscriber);
    if (this.#running) void this.#flush();
    else void this.#run();
    return () => {
      if (this.#subscribers.delete(subscriber) && this.#subscribers.size === 0) this.#end();
    };
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (;;) {
      const { value, done } = await this.#source.next();
      if (done) break;
      this.#frames = new Frames<T>(value, this.#render);
      void this.#flush();
    }
    for (const { sink } of this.#subscribers) sink.complete();
    this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#subscribers.clear();
    void this.#source.return?.();
    this.#onEnd();
  }

  /** One at a time: what comes meanwhile is sent by the same one, so that nobody is sent an older state after a newer. */
  async #flush(): Promise<void> {
    this.#again = true;
    if (this.#flushing) return;
    this.#flushing = true;
    while (this.#again && !this.#ended) {
      this.#again = false;
      if (this.#frames) await this.#send(this.#frames);
    }
    this.#flushing = false;
  }

  async #send(frames: Frames<T>): Promise<void> {
    const { state } = frames;
    const now = performance.now();
    for (const { previous, resumed, subscribers } of this.#due(state, now)) {
      const frame = await frames.of(previous, resumed);
      for (const subscriber of subscribers) {
        if (!this.#subscribers.has(subscriber)) continue;
        subscriber.handled = state;
        subscriber.previous = state;
        subscriber.notBefore = now + subscriber.subscription.throttleMs;
        subscriber.sink.send(frame);
      }
    }
  }

  /** Who is to be sent a state, by what they had before. */
  #due(state: T, now: number) {
    const due: { previous: T | null; resumed: boolean; subscribers: Subscriber<T>[] }[] = [];
    for (const subscriber of this.#subscribers) {
      const { sink, subscription, previous, notBefore } = subscriber;
      if (subscriber.handled === state) continue;
      if (previous === null && subscription.hasSeen(state)) {
        subscriber.handled = state;
      } else if (notBefore > now) {
        this.#flushAt(notBefore, now);
      } else if (!sink.hasRoom()) {
        this.#flushAt(now + roomCheckMs, now);
      } else {
        const resumed = previous === null && subscription.resumed;
        const alike = due.find((one) => one.previous === previous && one.resumed === resumed);
        if (alike) alike.subscribers.push(subscriber);
        else due.push({ previous, resumed, subscribers: [subscriber] });
      }
    }
    return due;
  }

  #flushAt(at: number, now: number): void {
    if (at >= this.#timerAt) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#timerAt = Number.POSITIVE_INFINITY;
      void this.#flush();
    }, at - now);
  }
}
