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
  /** Whether a state follows from one that was left out because the reader had it. */
  follows(state: T, seen: T): boolean;
}

interface Subscriber<T> {
  readonly sink: Sink;
  readonly subscription: Subscription<T>;
  /** The state sent last; null before the first. */
  previous: T | null;
  /** The state dealt with last, whether or not it had to be sent. */
  handled: T | null;
  notBefore: number;
  hasLeft: boolean;
}

/** Whether a reader that came back had the state before this one, and so was not sent it. */
const goesOn = <T>({ handled, subscription }: Subscriber<T>, state: T): boolean =>
  handled !== null && subscription.follows(state, handled);

/** Subscribers that are sent the same frame. */
interface Due<T> {
  readonly previous: T | null;
  readonly resumed: boolean;
  readonly subscribers: Subscriber<T>[];
}

/** Those of some who took the same before; new ones where there are none yet. */
function dueFor<T>(due: Due<T>[], previous: T | null, resumed: boolean): Due<T> {
  const alike = due.find((one) => one.previous === previous && one.resumed === resumed);
  if (alike) return alike;
  const made = { previous, resumed, subscribers: [] };
  due.push(made);
  return made;
}

/** Bytes, at once where nothing has to be waited for. */
type Frame = Buffer | Promise<Buffer>;

/** Makes a state into bytes; what it cannot make is bytes too. It never throws nor rejects. */
export type Render<T> = (taken: Taken<T>) => Frame;

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
  readonly #made: { previous: T | null; resumed: boolean; frame: Frame }[] = [];
  #common: Frame | null = null;

  constructor(state: T, render: Render<T>) {
    this.state = state;
    this.#render = render;
  }

  of(previous: T | null, resumed: boolean): Frame {
    if (this.#common) return this.#common;
    for (const made of this.#made) if (made.previous === previous && made.resumed === resumed) return made.frame;
    const tracked = new Tracked(this.state, previous, resumed);
    const frame = this.#render(tracked);
    this.#made.push({ previous, resumed, frame });
    if (Buffer.isBuffer(frame)) this.#share(tracked, frame);
    else void frame.then((made) => this.#share(tracked, made));
    return frame;
  }

  #share(tracked: Tracked<T>, frame: Buffer): void {
    if (!tracked.depends) this.#common = frame;
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
    const subscriber: Subscriber<T> = {
      sink,
      subscription,
      previous: null,
      handled: null,
      notBefore: 0,
      hasLeft: false,
    };
    this.#subscribers.add(subscriber);
    if (this.#running) this.#flush();
    else void this.#run();
    return () => {
      subscriber.hasLeft = true;
      if (this.#subscribers.delete(subscriber) && this.#subscribers.size === 0) this.#end();
    };
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (;;) {
      const { value, done } = await this.#source.next();
      if (done) break;
      this.#frames = new Frames<T>(value, this.#render);
      this.#flush();
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

  /** What comes while frames are waited for is sent after them: nobody is sent an older state after a newer one. */
  #flush(): void {
    if (this.#flushing) this.#again = true;
    if (this.#flushing || this.#ended || !this.#frames) return;
    const frames = this.#frames;
    const now = performance.now();
    const due = this.#due(frames.state, now);
    for (const [i, { previous, resumed, subscribers }] of due.entries()) {
      const frame = frames.of(previous, resumed);
      if (Buffer.isBuffer(frame)) {
        this.#deliver(frames.state, subscribers, frame, now);
      } else {
        this.#flushing = true;
        void this.#await(frames, due.slice(i), now);
        return;
      }
    }
  }

  /** The first frame tells whether the others have to be made at all. */
  async #await(frames: Frames<T>, [first, ...others]: readonly Due<T>[], now: number): Promise<void> {
    const send = async ({ previous, resumed, subscribers }: Due<T>) =>
      this.#deliver(frames.state, subscribers, await frames.of(previous, resumed), now);
    if (first) await send(first);
    await Promise.all(others.map(send));
    this.#flushing = false;
    const again = this.#again;
    this.#again = false;
    if (again) this.#flush();
  }

  #deliver(state: T, subscribers: readonly Subscriber<T>[], frame: Buffer, now: number): void {
    for (const subscriber of subscribers) {
      // Meanwhile.
      if (subscriber.hasLeft) continue;
      subscriber.handled = state;
      subscriber.previous = state;
      subscriber.notBefore = now + subscriber.subscription.throttleMs;
      subscriber.sink.send(frame);
    }
  }

  /** Who is to be sent a state, by what they had before. */
  #due(state: T, now: number): Due<T>[] {
    const due: Due<T>[] = [];
    let last: Due<T> | undefined;
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
        const resumed = previous === null && subscription.resumed && !goesOn(subscriber, state);
        // As a rule all are alike.
        if (last?.previous !== previous || last.resumed !== resumed) last = dueFor(due, previous, resumed);
        last.subscribers.push(subscriber);
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
      this.#flush();
    }, at - now);
  }
}
