import type { BoardEvent } from '../core/events.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import type { Period } from '../core/period.ts';
import type { Head } from '../core/reading.ts';
import { type Move, Moves, movesOf } from './move.ts';
import { RecentMoves } from './recent-moves.ts';
import type { View, ViewAnswer } from './view.ts';

/** Messages that may wait for a reading; past it, everything is read again. */
const mostWaiting = 10_000;

/** States shown in one go: some milliseconds of work. */
const sliceSize = 200;

/**
 * One period that is looked at: its version, what has been heard since, and the views of it. Messages are numbered, so
 * a lost one is a hole in the numbers; then, and whenever the epoch changes, all views are read anew (rules L1, L2).
 */
export class PeriodViews {
  readonly period: Period;
  readonly views = new Set<View>();
  readonly recent = new RecentMoves();
  /** Null until read, and after a hole. */
  #head: Head | null = null;
  /** The head that the last hole put out of use. */
  #lost: Head | null = null;
  /** The unbroken row of versions; another object where the next does not follow from the last. */
  #line = {};
  #waiting: { epoch: string; version: number; event: BoardEvent }[] = [];

  constructor(period: Period) {
    this.period = period;
  }

  /** The version through which changes are worked in; −1 while unknown. */
  get version(): number {
    return this.#head?.version ?? -1;
  }

  /** Whether a period that stands so holds changes that were never heard of. */
  misses(head: Head): boolean {
    if (!this.#head) return false;
    const heard = this.#waiting.at(-1)?.version ?? this.#head.version;
    return head.epoch !== this.#head.epoch || head.version > heard;
  }

  add(view: View): void {
    view.unread = true;
    view.changed = true;
    this.views.add(view);
  }

  /** Takes a message; works nothing in yet. */
  hear(event: BoardEvent): void {
    const version = event.changes.findLast((change) => change.period === this.period.key)?.version;
    if (version === undefined) return;
    this.#waiting.push({ epoch: event.epoch, version, event });
    if (this.#waiting.length > mostWaiting) this.lose();
  }

  /** What is known may be wrong: everything is to be read. */
  lose(): void {
    this.#lost = this.#head ?? this.#lost;
    this.#head = null;
    this.#waiting = [];
    for (const view of this.views) view.unread = true;
  }

  /** Works in what was heard. Views that moves reach into are left to be read. */
  drain(board: Leaderboard): void {
    if (!this.#head || this.#waiting.length === 0) return;
    const heard = this.#collect(board, this.#head);
    if (!heard) {
      this.lose();
      return;
    }
    this.#waiting = [];
    this.#head = heard.head;
    // Only who watches a member is told who passed it.
    if (this.#hasMembers()) this.recent.add(heard.moves);
    else this.recent.reset(heard.head.version);
    const moves = new Moves(heard.moves);
    for (const view of this.views) if (!view.unread) view.apply(board, moves, heard.head);
  }

  #hasMembers(): boolean {
    for (const { spec } of this.views) if (spec.window.kind === 'member') return true;
    return false;
  }

  /** The moves that were heard of and where they lead; null where there is a hole, or another epoch. */
  #collect(board: Leaderboard, known: Head): { moves: Move[]; head: Head } | null {
    const { epoch } = known;
    const moves: Move[] = [];
    let { version, entryCount } = known;
    for (const waiting of this.#waiting) {
      if (waiting.epoch !== epoch) return null;
      if (waiting.version <= version) continue;
      const first = waiting.event.changes.find((change) => change.period === this.period.key)?.version;
      if (first !== version + 1) return null;
      for (const move of movesOf(board, waiting.event, this.period.key)) {
        moves.push(move);
        entryCount += Number(move.to !== null) - Number(move.from !== null);
      }
      version = waiting.version;
    }
    return { moves, head: { ...known, version, entryCount, held: true } };
  }

  /** Takes a reading of one view. The first one after a hole says where the period stands. */
  take(view: View, head: Head, answer: ViewAnswer): void {
    if (this.#head && head.epoch !== this.#head.epoch) this.lose();
    if (!this.#head) {
      const before = this.#lost;
      if (before && (before.epoch !== head.epoch || before.version > head.version)) this.#line = {};
      if (before?.epoch !== head.epoch || before.version !== head.version) this.recent.reset(head.version);
      this.#head = head;
      this.#lost = null;
    }
    view.take(head, answer);
  }

  /**
   * Shows every view that differs from what it showed. Where only the number of entries does, which every new entry
   * changes and a share of the top depends on, views wait for the slow poll (`counts`). Between slices other work of the
   * process has its turn: each state that is shown is made into bytes and written at once.
   */
  async show(board: Leaderboard, counts: boolean): Promise<void> {
    let shown = 0;
    for (const view of this.views) {
      if (!this.#head || !this.#isDue(view, board, counts)) continue;
      view.changed = false;
      const { period, recent } = this;
      const { head, standings } = view;
      view.state = { board, period, head, standings, line: this.#line, stale: false, recent };
      for (const subscriber of view.subscribers) subscriber.push(view.state);
      shown += 1;
      if (shown % sliceSize === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #isDue({ state, head, changed, unread, spec }: View, board: Leaderboard, counts: boolean): boolean {
    const resync = state !== null && state.line !== this.#line;
    const counted = counts && state?.head.entryCount !== head.entryCount;
    if (unread || !(changed || resync || counted || state?.stale || state?.board !== board)) return false;
    // A member read ahead of the messages waits for them: who passed whom could not be told.
    return !(spec.window.kind === 'member' && state && !resync && head.version > this.version);
  }
}
