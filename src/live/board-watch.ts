import { setTimeout as pause } from 'node:timers/promises';
import type { Boards } from '../core/boards.ts';
import { findPeriod, followedPeriod } from '../core/calendar.ts';
import { LaurelError } from '../core/errors.ts';
import type { BoardEvent, BoardListener } from '../core/events.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import type { Period } from '../core/period.ts';
import type { Clock, SettledReads } from '../core/ports.ts';
import type { Head, PeriodRead } from '../core/reading.ts';
import { type Asked, ask } from './ask.ts';
import type { LogFeed } from './log-feed.ts';
import { PeriodViews } from './period-views.ts';
import { Ticker, type WatchTimes } from './ticker.ts';
import { View, type ViewAnswer, type ViewSpec } from './view.ts';

/** Views read in one script call: Redis is held for some 2.5 ms. */
const mostReads = 500;

/**
 * Everything that is looked at on one board in this process. Messages keep it right; what they cannot tell is read, and
 * a slow poll of the versions finds what was lost without a trace (rule L1).
 */
export class BoardWatch implements BoardListener {
  readonly key: string;
  readonly feeds = new Set<LogFeed>();
  readonly #views = new Map<string, { view: View; watch: PeriodViews | null }>();
  readonly #periods = new Map<string, PeriodViews>();
  readonly #boards: Boards;
  readonly #entries: SettledReads;
  readonly #clock: Clock;
  readonly #times: WatchTimes;
  readonly #ticker: Ticker;
  #board: Leaderboard | null = null;
  #lastRead = performance.now();
  #polling = false;
  /** Whether views that differ in the number of entries alone are due. */
  #counts = false;

  constructor(key: string, boards: Boards, entries: SettledReads, clock: Clock, times: WatchTimes) {
    this.key = key;
    this.#boards = boards;
    this.#entries = entries;
    this.#clock = clock;
    this.#times = times;
    this.#ticker = new Ticker(
      times,
      () => this.#work(),
      () => void this.#poll(),
      (error) => this.#failed(error),
    );
  }

  get viewCount(): number {
    return this.#views.size;
  }

  get subscriberCount(): number {
    let count = 0;
    for (const { view } of this.#views.values()) count += view.subscribers.size;
    return count;
  }

  close(): void {
    this.#ticker.close();
  }

  event(event: BoardEvent): void {
    for (const watch of this.#periods.values()) watch.hear(event);
    for (const feed of this.feeds) feed.hear(event);
    if (this.#views.size > 0) this.#ticker.wake();
  }

  gap(): void {
    for (const watch of this.#periods.values()) watch.lose();
    for (const feed of this.feeds) feed.lose();
    this.#ticker.wake();
  }

  view(spec: ViewSpec): View {
    const id = JSON.stringify([spec.cadence, spec.period, spec.window]);
    const held = this.#views.get(id) ?? { view: new View(spec), watch: null };
    this.#views.set(id, held);
    return held.view;
  }

  /** Drops a view that nobody looks at any more. */
  release(view: View): void {
    if (view.subscribers.size > 0) return;
    const { spec } = view;
    const id = JSON.stringify([spec.cadence, spec.period, spec.window]);
    const held = this.#views.get(id);
    if (held?.view !== view) return;
    this.#views.delete(id);
    this.#detach(held);
  }

  /** Reads what has not been read yet, in a reading that begins after this call. Calls that wait share one. */
  refresh(): Promise<void> {
    return this.#ticker.now();
  }

  async #work(): Promise<void> {
    const board = this.#know(await this.#boards.get(this.key));
    const counts = this.#counts;
    this.#counts = false;
    this.#place(board);
    for (const watch of this.#periods.values()) watch.drain(board);
    await this.#read();
    for (const watch of this.#periods.values()) await watch.show(this.#board ?? board, counts);
  }

  /** The board as it is now; what was read of one with other rules is to be read again. */
  #know(board: Leaderboard): Leaderboard {
    const known = this.#board;
    if (known?.version === board.version && known.epoch === board.epoch) return known;
    this.#board = board;
    for (const feed of this.feeds) feed.follow(board);
    if (known) for (const watch of this.#periods.values()) watch.lose();
    return board;
  }

  /** Puts each view where it belongs now: those that follow the current period go over its edge (rule L4). */
  #place(board: Leaderboard): void {
    const now = this.#clock();
    for (const held of this.#views.values()) {
      const period = periodOf(held.view.spec, board, now);
      if (!period) for (const subscriber of held.view.subscribers) subscriber.end();
      if (!period || held.watch?.period.key === period.key) continue;
      this.#detach(held);
      const watch = this.#periods.get(period.key) ?? new PeriodViews(period);
      this.#periods.set(period.key, watch);
      watch.add(held.view);
      held.watch = watch;
    }
  }

  #detach(held: { view: View; watch: PeriodViews | null }): void {
    const { view, watch } = held;
    held.watch = null;
    if (!watch?.views.delete(view) || watch.views.size > 0) return;
    if (this.#periods.get(watch.period.key) === watch) this.#periods.delete(watch.period.key);
  }

  async #read(): Promise<void> {
    const unread = [...this.#periods.values()].flatMap((watch) =>
      [...watch.views].filter((view) => view.unread).map((view) => ({ watch, view })),
    );
    for (let i = 0; i < unread.length; i += mostReads) {
      const part = unread.slice(i, i + mostReads);
      await this.#boards.with(this.key, async (board) => {
        this.#know(board);
        const reads = part.map(({ watch, view }) => ({ period: watch.period.key, read: view.read() }));
        const { answers, heads, failed } = await this.#ask(board, reads);
        for (const [j, { watch, view }] of part.entries()) {
          view.failure = failed.get(watch.period.key) ?? null;
          const head = heads.get(watch.period.key);
          // Who left meanwhile, or went on to another period, has no use for it.
          if (head && watch.views.has(view)) watch.take(view, head, answers[j] as ViewAnswer);
        }
      });
    }
  }

  async #ask(board: Leaderboard, reads: readonly PeriodRead[]): Promise<Asked> {
    const asked = await ask(this.#entries, board, reads);
    this.#lastRead = performance.now();
    for (const [period, error] of asked.failed) this.#miss(period, error);
    return asked;
  }

  /** What is gone for good is not looked at any more; else those who look are told that it may be out of date. */
  #miss(period: string, { code }: LaurelError): void {
    for (const view of this.#periods.get(period)?.views ?? []) {
      view.unread = true;
      if (code !== 'PERIOD_EXPIRED') view.markStale();
      else if (view.state) for (const subscriber of view.subscribers) subscriber.end();
    }
    for (const feed of this.feeds) if (code === 'PERIOD_EXPIRED' && feed.period === period) feed.end();
  }

  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    try {
      const heads = await this.#boards.with(this.key, async (board) => {
        const periods = [...this.#periods.keys(), ...[...this.feeds].map((feed) => feed.period)];
        const reads = periods.map((period) => ({ period, read: { kind: 'head' } as const }));
        return (await this.#ask(board, reads)).heads;
      });
      // Messages of what was read may still be under way.
      if (this.#behind(heads).length > 0) await pause(this.#times.tickMs);
      for (const follower of this.#behind(heads)) follower.lose();
      this.#counts = true;
      await this.#ticker.now();
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#polling = false;
    }
  }

  /** Who has not heard of what the store says there is. */
  #behind(heads: ReadonlyMap<string, Head>): (PeriodViews | LogFeed)[] {
    const watches = [...this.#periods.values()].map((watch) => ({ follower: watch, period: watch.period.key }));
    const feeds = [...this.feeds].map((feed) => ({ follower: feed, period: feed.period }));
    return [...watches, ...feeds].flatMap(({ follower, period }) => {
      const head = heads.get(period);
      return head && follower.misses(head) ? [follower] : [];
    });
  }

  /** The next poll tries again; those who look are told when it has lasted. */
  #failed(error: unknown): void {
    if (error instanceof LaurelError && error.code === 'LEADERBOARD_NOT_FOUND') {
      this.#end();
      return;
    }
    if (performance.now() - this.#lastRead < this.#times.staleMs) return;
    for (const { view } of this.#views.values()) view.markStale();
  }

  /** The board was deleted: there is nothing more to see. */
  #end(): void {
    for (const { view } of this.#views.values()) for (const subscriber of view.subscribers) subscriber.end();
    for (const feed of this.feeds) feed.end();
  }
}

/** Null where the board no longer has such a period. */
function periodOf({ period, cadence }: ViewSpec, board: Leaderboard, now: number): Period | null {
  if (period !== null) return findPeriod(board, period);
  return followedPeriod(board, cadence, now);
}
