import type { Boards } from '../core/boards.ts';
import { LaurelError } from '../core/errors.ts';
import type { BoardListener } from '../core/events.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import type { Clock, EntryStore } from '../core/ports.ts';
import type { Head, Page } from '../core/reading.ts';
import type { Standing } from '../core/standing.ts';
import { Window, type WindowSpec } from './window.ts';

/** Windows read in one script call: Redis is held for some 2.5 ms. */
const mostReads = 500;

export interface WatchTimes {
  /** Changes within this time are read together. */
  readonly tickMs: number;
  /** A lost message is noticed within this time. */
  readonly pollMs: number;
  /** Redis unreachable for this long: subscribers are told. */
  readonly staleMs: number;
}

/**
 * Everything that is looked at on one board in this process. A message only says that something changed; what is shown
 * is always read, all windows at one moment, so a lost message costs at most one poll (rule L1).
 */
export class BoardWatch implements BoardListener {
  readonly key: string;
  readonly windows = new Map<string, Window>();
  /** Told of the board's definition, or of its end: feeds, which are no windows. */
  readonly followers = new Set<(board: Leaderboard | null) => void>();
  readonly #boards: Boards;
  readonly #entries: EntryStore;
  readonly #clock: Clock;
  readonly #times: WatchTimes;
  readonly #poll: NodeJS.Timeout;
  #tick: NodeJS.Timeout | null = null;
  #lastTick = Number.NEGATIVE_INFINITY;
  #lastRead = performance.now();
  #running: Promise<void> = Promise.resolve();
  #queued: Promise<void> | null = null;

  constructor(key: string, boards: Boards, entries: EntryStore, clock: Clock, times: WatchTimes) {
    this.key = key;
    this.#boards = boards;
    this.#entries = entries;
    this.#clock = clock;
    this.#times = times;
    this.#poll = setInterval(() => this.#check(), times.pollMs);
  }

  close(): void {
    clearInterval(this.#poll);
    if (this.#tick) clearTimeout(this.#tick);
  }

  event(): void {
    if (this.#tick) return;
    const waitMs = Math.max(0, this.#lastTick + this.#times.tickMs - performance.now());
    this.#tick = setTimeout(() => {
      this.#tick = null;
      this.#lastTick = performance.now();
      this.#check();
    }, waitMs);
  }

  gap(): void {
    this.event();
  }

  window(spec: WindowSpec): Window {
    const id = JSON.stringify([spec.cadence, spec.period, spec.view]);
    const window = this.windows.get(id) ?? new Window(spec);
    this.windows.set(id, window);
    return window;
  }

  /** Drops a window that nobody looks at any more. */
  release(window: Window): void {
    if (window.subscribers.size > 0) return;
    for (const [id, held] of this.windows) if (held === window) this.windows.delete(id);
  }

  #check(): void {
    this.refresh().then(
      () => {
        this.#lastRead = performance.now();
      },
      (error: unknown) => {
        if (error instanceof LaurelError && error.code === 'LEADERBOARD_NOT_FOUND') this.#end();
        // Otherwise the next poll tries again; those who look are told when it has lasted.
        if (performance.now() - this.#lastRead < this.#times.staleMs) return;
        for (const window of this.windows.values()) window.markStale();
      },
    );
  }

  /** The board was deleted: there is nothing more to see. */
  #end(): void {
    for (const window of this.windows.values()) window.end();
    for (const follow of this.followers) follow(null);
  }

  /** Reads every window anew, in a reading that begins after this call. Calls that wait share one. */
  refresh(): Promise<void> {
    this.#queued ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#queued = null;
        this.#running = this.#readAll();
        return this.#running;
      });
    return this.#queued;
  }

  async #readAll(): Promise<void> {
    if (this.followers.size > 0) {
      const board = await this.#boards.get(this.key);
      for (const follow of this.followers) follow(board);
    }
    const windows = [...this.windows.values()];
    for (let i = 0; i < windows.length; i += mostReads) await this.#read(windows.slice(i, i + mostReads));
  }

  #read(windows: readonly Window[]): Promise<void> {
    return this.#boards.with(this.key, async (board) => {
      const now = this.#clock();
      const looks = windows.flatMap((window) => {
        const period = window.period(board, now);
        // The board was made anew without this period: what is left to see is nothing.
        if (!period) window.end();
        return period ? [{ window, period }] : [];
      });
      if (looks.length === 0) return;
      const reads = looks.map(({ window, period }) => ({ period: period.key, read: window.read() }));
      const answers = await this.#entries.read(board, reads);
      for (const [i, { window, period }] of looks.entries()) {
        window.show({ board, period, ...shown(answers[i] as Page | { head: Head; standing: Standing | null }) });
      }
    });
  }
}

function shown(answer: Page | { head: Head; standing: Standing | null }) {
  if ('standings' in answer) return { head: answer.head, standings: answer.standings };
  return { head: answer.head, standings: answer.standing ? [answer.standing] : [] };
}
