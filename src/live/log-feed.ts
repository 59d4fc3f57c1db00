import type { BoardEvent, ChangeEvent } from '../core/events.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import type { EventLog } from '../core/ports.ts';
import type { Head } from '../core/reading.ts';
import type { Fed } from './feed.ts';

/** One applied change as a feed shows it. */
export interface FeedEvent {
  readonly board: Leaderboard;
  readonly event: BoardEvent;
  readonly change: ChangeEvent;
}

/** Events that may wait for a reader; past it, the reader has to fetch them from the log. */
const mostWaiting = 1_000;

/** Entries read from the log at a time, and at first: what is looked for is most often near the end. */
const pageLength = 50;
const firstLength = 4;

const retryMs = 1_000;

/** The key of the period that is followed; null where the board has no such one. */
export type PeriodNow = (board: Leaderboard) => string | null;

/** Where a feed begins: after which version, and whether something before that is missing. */
export interface FeedStart {
  readonly period: string;
  readonly epoch: string;
  readonly after: number;
  readonly gap: boolean;
}

/**
 * Every change of a period in the order of its versions. Live messages are the short way; what a message's number shows
 * to be missing is fetched from the log, and what the log no longer has is marked as a gap (rule L3).
 */
export class LogFeed implements AsyncIterableIterator<Fed<FeedEvent>> {
  #board: Leaderboard;
  readonly #log: EventLog;
  readonly #periodNow: PeriodNow;
  readonly #onEnd: () => void;
  #period: string;
  #epoch: string;
  #expected: number;
  #gap: boolean;
  #waiting: Fed<FeedEvent>[] = [];
  #behind = false;
  /** The highest version heard of while behind. */
  #heard = 0;
  #heardEpoch = '';
  /** Place in the log while behind; null: to be found. */
  #place: string | null = null;
  #wake: (() => void) | null = null;
  #ended = false;

  /** `onEnd` runs once, however the iterator ends. */
  constructor(board: Leaderboard, log: EventLog, periodNow: PeriodNow, start: FeedStart, onEnd: () => void) {
    this.#board = board;
    this.#log = log;
    this.#periodNow = periodNow;
    this.#onEnd = onEnd;
    this.#period = start.period;
    this.#epoch = start.epoch;
    this.#expected = start.after + 1;
    this.#gap = start.gap;
  }

  get period(): string {
    return this.#period;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Takes the board as it is now: its rules may have changed, or it was made anew. */
  follow(board: Leaderboard): void {
    this.#board = board;
    this.#followPeriod();
  }

  hear(event: BoardEvent): void {
    this.#followPeriod();
    for (const change of event.changes) {
      if (change.period !== this.#period) continue;
      if (event.epoch === this.#epoch && change.version < this.#expected) continue;
      this.#heard = event.epoch === this.#heardEpoch ? Math.max(this.#heard, change.version) : change.version;
      this.#heardEpoch = event.epoch;
      if (this.#behind) continue;
      const next = event.epoch === this.#epoch && change.version === this.#expected;
      if (next && this.#waiting.length < mostWaiting) this.#take(event, change);
      else this.lose();
    }
    this.#stir();
  }

  /** Whether a period that stands so holds changes that this feed has not had. */
  misses(head: Head): boolean {
    return !this.#behind && (head.epoch !== this.#epoch || head.version >= this.#expected);
  }

  /** Something is missing: the log will tell. */
  lose(): void {
    if (this.#behind) return;
    this.#behind = true;
    this.#place = null;
    this.#stir();
  }

  async next(): Promise<IteratorResult<Fed<FeedEvent>>> {
    for (;;) {
      if (this.#ended) return { value: undefined, done: true };
      const fed = this.#waiting.shift();
      if (fed) return { value: fed, done: false };
      if (this.#behind) await this.#catchUp();
      else await this.#rest(null);
    }
  }

  return(): Promise<IteratorResult<Fed<FeedEvent>>> {
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting = [];
    this.#stir();
    this.#onEnd();
  }

  #stir(): void {
    this.#wake?.();
    this.#wake = null;
  }

  /** Over the edge of a period the numbers begin anew; with no period to follow there is no more to come. */
  #followPeriod(): void {
    const period = this.#periodNow(this.#board);
    if (period === null) this.end();
    if (period === null || period === this.#period) return;
    this.#period = period;
    this.#expected = 1;
    this.#heard = 0;
    this.lose();
  }

  #take(event: BoardEvent, change: ChangeEvent): void {
    const missing = event.epoch !== this.#epoch || change.version !== this.#expected;
    this.#waiting.push({ event: { board: this.#board, event, change }, gap: this.#gap || missing });
    this.#gap = false;
    this.#epoch = event.epoch;
    this.#expected = change.version + 1;
  }

  /** Reads on in the log; whoever is behind no longer when it ends goes on with what is heard. */
  async #catchUp(): Promise<void> {
    try {
      const period = this.#period;
      const place = this.#place ?? (await this.#find());
      const page = await this.#log.after(this.#board.key, place, pageLength);
      if (period !== this.#period || !this.#behind) return;
      for (const event of page.flatMap(({ events }) => events)) {
        for (const change of event.changes) {
          const had = event.epoch === this.#epoch && change.version < this.#expected;
          if (change.period === period && !had) this.#take(event, change);
        }
      }
      this.#place = page.at(-1)?.id ?? place;
      if (page.length > 0) return;
      // Told of by a message, but not in the log: cut off before it could be read.
      if (this.#heardEpoch === this.#epoch && this.#heard >= this.#expected) {
        this.#gap = true;
        this.#expected = this.#heard + 1;
      }
      this.#behind = false;
    } catch {
      // The store is away: those who look at states are told, and a feed has nothing to say until it is back.
      await this.#rest(retryMs);
    }
  }

  /** The place in the log after which everything wanted lies: the last had, else where its newest epoch begins. */
  async #find(): Promise<string> {
    let own = false;
    let newest: { epoch: string; begins: string | null } | null = null;
    for (let before: string | null = null, length = firstLength; ; length = pageLength) {
      const page = await this.#log.before(this.#board.key, before, length);
      for (const { id, events } of page) {
        const [first] = events;
        // Written by somebody else.
        if (!first) continue;
        // All of one entry were made in one step.
        const { epoch } = first;
        newest ??= { epoch, begins: null };
        if (epoch !== newest.epoch) newest.begins ??= id;
        if (epoch !== this.#epoch) {
          if (own) return id;
          continue;
        }
        own = true;
        const changes = events.flatMap((event) => event.changes).filter(({ period }) => period === this.#period);
        if (changes.length > 0 && changes.every(({ version }) => version < this.#expected)) return id;
      }
      before = page.at(-1)?.id ?? null;
      if (page.length < length || before === null) return (own ? null : newest?.begins) ?? '0-0';
    }
  }

  /** Waits until something happens, or for so long. */
  #rest(mostMs: number | null): Promise<void> {
    return new Promise((resolve) => {
      const timer = mostMs === null ? null : setTimeout(resolve, mostMs);
      this.#wake = () => {
        if (timer) clearTimeout(timer);
        resolve();
      };
    });
  }
}
