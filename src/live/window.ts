import { findPeriod, followedPeriod } from '../core/calendar.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import type { Cadence, Period } from '../core/period.ts';
import type { Head, Read } from '../core/reading.ts';
import type { Standing } from '../core/standing.ts';
import type { Latest } from './latest.ts';

/** What a subscriber looks at: a fixed period, or the current one of a cadence (null: the board's first). */
export interface WindowSpec {
  readonly cadence: Cadence | null;
  readonly period: string | null;
  readonly view:
    | { readonly kind: 'top'; readonly first: number }
    | { readonly kind: 'member'; readonly memberId: string };
}

/** What a window shows at one moment. */
export interface WindowState {
  readonly board: Leaderboard;
  readonly period: Period;
  readonly head: Head;
  readonly standings: readonly Standing[];
  /** The Redis behind the board may have lost writes since the last state, or the reader's `since` was another place. */
  readonly resync: boolean;
  /** Redis could not be read for a while: this is how things stood then. */
  readonly stale: boolean;
}

/** One view of a board, and everybody who looks at it. */
export class Window {
  readonly spec: WindowSpec;
  readonly subscribers = new Set<Latest<WindowState>>();
  state: WindowState | null = null;

  constructor(spec: WindowSpec) {
    this.spec = spec;
  }

  /** The period it shows now; null where the board has no such one. */
  period(board: Leaderboard, now: number): Period | null {
    if (this.spec.period !== null) return findPeriod(board, this.spec.period);
    return followedPeriod(board, this.spec.cadence, now);
  }

  end(): void {
    for (const subscriber of this.subscribers) subscriber.end();
  }

  read(): Read {
    const { view } = this.spec;
    if (view.kind === 'member') return { kind: 'entry', memberId: view.memberId };
    return {
      kind: 'page',
      window: { kind: 'all' },
      first: view.first,
      last: null,
      after: null,
      before: null,
      offset: 0,
    };
  }

  /** Takes a fresh reading; those who look hear of it only where it differs from what they saw. */
  show(fresh: Omit<WindowState, 'resync' | 'stale'>): void {
    const before = this.state;
    const resync = before !== null && before.head.epoch !== fresh.head.epoch;
    this.state = { ...fresh, resync, stale: false };
    if (before !== null && (resync || before.stale || !sameView(before, fresh))) this.#push(this.state);
  }

  markStale(): void {
    if (this.state === null || this.state.stale) return;
    this.state = { ...this.state, stale: true };
    this.#push(this.state);
  }

  #push(state: WindowState): void {
    for (const subscriber of this.subscribers) subscriber.push(state);
  }
}

const sameView = (a: Pick<WindowState, 'period' | 'standings'>, b: Pick<WindowState, 'period' | 'standings'>) =>
  a.period.key === b.period.key &&
  a.standings.length === b.standings.length &&
  a.standings.every((standing, i) => sameStanding(standing, b.standings[i]));

const sameStanding = (a: Standing, b: Standing | undefined) =>
  b !== undefined &&
  a.ordered === b.ordered &&
  a.score === b.score &&
  a.index === b.index &&
  a.competitionRank === b.competitionRank &&
  a.denseRank === b.denseRank &&
  a.tieCount === b.tieCount &&
  a.metadata === b.metadata;
