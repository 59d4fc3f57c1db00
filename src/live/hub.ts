import type { Boards } from '../core/boards.ts';
import { findPeriod, followedPeriod, getPeriod } from '../core/calendar.ts';
import { LaurelError } from '../core/errors.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import type { Period } from '../core/period.ts';
import type { Clock, EntryStore, EventBus, EventLog, SettledReads } from '../core/ports.ts';
import { BoardWatch } from './board-watch.ts';
import { Latest } from './latest.ts';
import { type FeedStart, LogFeed, type PeriodNow } from './log-feed.ts';
import { PeriodTurns } from './period-turns.ts';
import { parsePosition } from './position.ts';
import type { WatchTimes } from './ticker.ts';
import type { ViewSpec, ViewState } from './view.ts';

interface Watched {
  readonly watch: BoardWatch;
  readonly ready: Promise<() => void>;
  users: number;
}

const defaultTimes: WatchTimes = { tickMs: 100, pollMs: 1_000, staleMs: 2_000 };

/** Live views and feeds of this process: one watch and one Redis subscription per board, while somebody looks. */
export class Hub {
  readonly #boards: Boards;
  readonly #entries: EntryStore & SettledReads;
  readonly #bus: EventBus;
  readonly #log: EventLog;
  readonly #clock: Clock;
  readonly #times: WatchTimes;
  readonly #watched = new Map<string, Watched>();
  readonly #turns = new Set<PeriodTurns>();

  constructor(
    store: { boards: Boards; entries: EntryStore & SettledReads; bus: EventBus; log: EventLog },
    clock: Clock,
    times: WatchTimes = defaultTimes,
  ) {
    this.#boards = store.boards;
    this.#entries = store.entries;
    this.#bus = store.bus;
    this.#log = store.log;
    this.#clock = clock;
    this.#times = times;
  }

  /** Boards, distinct windows, groups that look at them and feeds held now: all 0 once everybody has gone (rule L5). */
  counts() {
    const counts = { boards: this.#watched.size, windows: 0, subscribers: 0, feeds: this.#turns.size };
    for (const { watch } of this.#watched.values()) {
      counts.windows += watch.viewCount;
      counts.subscribers += watch.subscriberCount;
      counts.feeds += watch.feeds.size;
    }
    return counts;
  }

  /** The current state, then its changes. The subscription to Redis is acknowledged before the first state is read. */
  async watch(key: string, spec: ViewSpec): Promise<Latest<ViewState>> {
    await this.#check(key, spec);
    const watched = this.#acquire(key);
    const { watch } = watched;
    const view = watch.view(spec);
    const subscriber = new Latest<ViewState>(() => {
      view.subscribers.delete(subscriber);
      watch.release(view);
      this.#drop(key, watched);
    });
    view.subscribers.add(subscriber);
    try {
      await watched.ready;
      if (view.state !== null) subscriber.push(view.state);
      else await watch.refresh();
      if (view.state === null && view.failure) throw view.failure;
    } catch (error) {
      subscriber.end();
      throw error;
    }
    return subscriber;
  }

  /** Every applied change of one period, from now on or from after a position. */
  async feed(key: string, spec: Omit<ViewSpec, 'window'>, since: string | null): Promise<LogFeed> {
    const { board, period } = await this.#check(key, spec);
    const periodNow: PeriodNow = (current) => this.#periodOf(current, spec)?.key ?? null;
    const watched = this.#acquire(key);
    try {
      await watched.ready;
      const start = await this.#start(key, periodNow(board) ?? period.key, since);
      const feed = new LogFeed(board, this.#log, periodNow, start, () => {
        watched.watch.feeds.delete(feed);
        this.#drop(key, watched);
      });
      watched.watch.feeds.add(feed);
      // What was published since the start was read is in the log.
      feed.lose();
      return feed;
    } catch (error) {
      this.#drop(key, watched);
      throw error;
    }
  }

  /** Goes on after a position; one that belongs elsewhere leaves a gap before what can be told. */
  async #start(key: string, period: string, since: string | null): Promise<FeedStart> {
    const [{ epoch, version }] = await this.#boards.with(key, (board) =>
      this.#entries.read(board, [{ period, read: { kind: 'head' } }]),
    );
    const from = since === null ? null : parsePosition(since);
    if (since === null) return { period, epoch, after: version, gap: false };
    if (from?.period === period && from.epoch === epoch && from.version <= version) {
      return { period, epoch, after: from.version, gap: false };
    }
    // A period that began since: all of it, after an unknown end of the one before.
    const another = from !== null && from.epoch === epoch && from.period !== period;
    return { period, epoch, after: another ? 0 : version, gap: true };
  }

  /** A board's current periods, then each that begins, ends or closes. */
  async turns(key: string): Promise<PeriodTurns> {
    const turns: PeriodTurns = new PeriodTurns(
      key,
      { boards: this.#boards, entries: this.#entries, bus: this.#bus, clock: this.#clock },
      () => this.#turns.delete(turns),
    );
    this.#turns.add(turns);
    await turns.begin();
    return turns;
  }

  #periodOf(board: Leaderboard, { period, cadence }: Omit<ViewSpec, 'window'>): Period | null {
    return period === null ? followedPeriod(board, cadence, this.#clock()) : findPeriod(board, period);
  }

  /** Throws PERIOD_NOT_FOUND where there is nothing to follow. */
  async #check(key: string, spec: Omit<ViewSpec, 'window'>): Promise<{ board: Leaderboard; period: Period }> {
    const board = await this.#boards.get(key);
    const period = spec.period === null ? this.#periodOf(board, spec) : getPeriod(board, spec.period);
    if (period) return { board, period };
    const cadence = spec.cadence ?? board.cadences[0];
    throw new LaurelError('PERIOD_NOT_FOUND', `Leaderboard ${key} has no current period of cadence ${cadence}.`);
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
    if (this.#watched.get(key) === watched) this.#watched.delete(key);
    watched.watch.close();
    watched.ready.then((unsubscribe) => unsubscribe()).catch(() => {});
  }
}
