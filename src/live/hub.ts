import type { Boards } from '../core/boards.ts';
import { followedPeriod, getPeriod } from '../core/calendar.ts';
import { LaurelError } from '../core/errors.ts';
import type { BoardEvent, ChangeEvent } from '../core/events.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import type { Clock, EntryStore, EventBus } from '../core/ports.ts';
import { BoardWatch, type WatchTimes } from './board-watch.ts';
import { type Fed, Feed } from './feed.ts';
import { Latest } from './latest.ts';
import type { WindowSpec, WindowState } from './window.ts';

/** One applied change as a feed shows it. */
export interface FeedEvent {
  readonly board: Leaderboard;
  readonly event: BoardEvent;
  readonly change: ChangeEvent;
}

export interface WatchOptions {
  /** The position of the last state the reader had: an equal one is not sent again. */
  readonly since: string | null;
  readonly throttleMs: number;
}

/** A change's number within its period. */
interface Numbered {
  readonly period: string;
  readonly epoch: string;
  readonly version: number;
}

const follows = (last: Numbered, next: Numbered): boolean =>
  last.period !== next.period || (last.epoch === next.epoch && last.version + 1 === next.version);

interface Watched {
  readonly watch: BoardWatch;
  readonly ready: Promise<() => void>;
  users: number;
}

const defaultTimes: WatchTimes = { tickMs: 100, pollMs: 1_000, staleMs: 2_000 };

/** Where a state stands: opaque to clients, equal exactly when nothing changed. */
export const positionOf = (period: string, head: { epoch: string; version: number }): string =>
  `${period}/${head.epoch}/${head.version}`;

/** Live windows and feeds of this process: one watch and one Redis subscription per board, while somebody looks. */
export class Hub {
  readonly #boards: Boards;
  readonly #entries: EntryStore;
  readonly #bus: EventBus;
  readonly #clock: Clock;
  readonly #times: WatchTimes;
  readonly #watched = new Map<string, Watched>();
  readonly #feeds = new Set<Feed<FeedEvent>>();

  constructor(boards: Boards, entries: EntryStore, bus: EventBus, clock: Clock, times: WatchTimes = defaultTimes) {
    this.#boards = boards;
    this.#entries = entries;
    this.#bus = bus;
    this.#clock = clock;
    this.#times = times;
  }

  /** Boards, windows, subscribers and feeds held now: all 0 once everybody has gone (rule L5). */
  counts() {
    const windows = [...this.#watched.values()].flatMap(({ watch }) => [...watch.windows.values()]);
    const subscribers = windows.reduce((sum, window) => sum + window.subscribers.size, 0);
    return { boards: this.#watched.size, windows: windows.length, subscribers, feeds: this.#feeds.size };
  }

  /** The current state, then its changes. The subscription to Redis is acknowledged before the first state is read. */
  async watch(key: string, spec: WindowSpec, { since, throttleMs }: WatchOptions): Promise<Latest<WindowState>> {
    await this.#check(key, spec);
    const watched = this.#acquire(key);
    const { watch } = watched;
    const window = watch.window(spec);
    const subscriber = new Latest<WindowState>(throttleMs, () => {
      window.subscribers.delete(subscriber);
      watch.release(window);
      this.#drop(key, watched);
    });
    window.subscribers.add(subscriber);
    try {
      await watched.ready;
      await watch.refresh();
    } catch (error) {
      subscriber.end();
      throw error;
    }
    const { state } = window;
    if (state && positionOf(state.period.key, state.head) !== since) {
      subscriber.push(since === null ? { ...state, resync: false } : { ...state, resync: true });
    }
    return subscriber;
  }

  /** Every applied change of one period, from now on. */
  async feed(key: string, spec: Omit<WindowSpec, 'view'>): Promise<AsyncIterableIterator<Fed<FeedEvent>>> {
    let board = await this.#check(key, spec);
    const watched = this.#acquire(key);
    const onBoard = (fresh: Leaderboard | null) => {
      if (fresh?.incarnation === board.incarnation) board = fresh;
      else feed.end();
    };
    let unsubscribe = () => {};
    const feed = new Feed<FeedEvent>(() => {
      this.#feeds.delete(feed);
      watched.watch.followers.delete(onBoard);
      unsubscribe();
      this.#drop(key, watched);
    });
    this.#feeds.add(feed);
    watched.watch.followers.add(onBoard);
    const wanted = () => spec.period ?? followedPeriod(board, spec.cadence, this.#clock())?.key;
    let last: Numbered | null = null;
    unsubscribe = await this.#bus.subscribe(key, {
      event: (event) => {
        for (const change of event.changes) {
          if (change.period !== wanted()) continue;
          const next = { period: change.period, epoch: event.epoch, version: change.version };
          // Versions have no holes: one that is missing was lost on the way (rule L3).
          if (last && !follows(last, next)) feed.markGap();
          last = next;
          feed.push({ board, event, change });
        }
      },
      gap: () => feed.markGap(),
    });
    return feed;
  }

  async #check(key: string, spec: Omit<WindowSpec, 'view'>): Promise<Leaderboard> {
    const board = await this.#boards.get(key);
    if (spec.period !== null) getPeriod(board, spec.period);
    else if (!followedPeriod(board, spec.cadence, this.#clock())) {
      const cadence = spec.cadence ?? board.cadences[0];
      throw new LaurelError('PERIOD_NOT_FOUND', `Leaderboard ${key} has no current period of cadence ${cadence}.`);
    }
    return board;
  }

  #acquire(key: string): Watched {
    const held = this.#watched.get(key);
    if (held) {
      held.users += 1;
      return held;
    }
    const watch = new BoardWatch(key, this.#boards, this.#entries, this.#clock, this.#times);
    const watched: Watched = { watch, ready: this.#bus.subscribe(key, watch), users: 1 };
    this.#watched.set(key, watched);
    return watched;
  }

  #drop(key: string, watched: Watched): void {
    watched.users -= 1;
    if (watched.users > 0) return;
    this.#watched.delete(key);
    watched.watch.close();
    watched.ready.then((unsubscribe) => unsubscribe()).catch(() => {});
  }
}
