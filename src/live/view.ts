import type { LaurelError } from '../core/errors.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import type { Cadence, Period } from '../core/period.ts';
import type { Head, Page, Read } from '../core/reading.ts';
import type { Standing } from '../core/standing.ts';
import type { Latest } from './latest.ts';
import { keyOf, type Move, type Moves, shifted } from './move.ts';
import type { RecentMoves } from './recent-moves.ts';

/** What somebody looks at: a fixed period, or the current one of a cadence (null: the board's first). */
export interface ViewSpec {
  readonly cadence: Cadence | null;
  readonly period: string | null;
  readonly window:
    | { readonly kind: 'top'; readonly first: number }
    | { readonly kind: 'member'; readonly memberId: string }
    | { readonly kind: 'around'; readonly memberId: string; readonly above: number; readonly below: number };
}

/** What a view shows at one moment. */
export interface ViewState {
  readonly board: Leaderboard;
  readonly period: Period;
  /** Its version is the last one at which the view changed. */
  readonly head: Head;
  readonly standings: readonly Standing[];
  /** The unbroken row of versions it belongs to: another object where it does not follow from the state before. */
  readonly line: object;
  /** Redis could not be read for a while: this is how things stood then. */
  readonly stale: boolean;
  readonly recent: RecentMoves;
}

/** What answers a view's read. */
export type ViewAnswer = Page | null | { readonly head: Head; readonly standing: Standing | null };

/**
 * One view of a period: a run of entries, kept right by the moves it hears of. It has to be read anew only when a move
 * brings an entry in or out, or touches one of its own that the message does not say all about.
 */
export class View {
  readonly spec: ViewSpec;
  readonly subscribers = new Set<Latest<ViewState>>();
  state: ViewState | null = null;
  standings: readonly Standing[] = [];
  /** Where `standings` is right. */
  head: Head = { epoch: '', version: 0, entryCount: 0, closed: null, held: false };
  /** Why it could not be read, where that is a matter of its period. */
  failure: LaurelError | null = null;
  /** Has to be read. */
  unread = true;
  /** Differs from what was last shown. */
  changed = false;

  constructor(spec: ViewSpec) {
    this.spec = spec;
  }

  read(): Read {
    const { window } = this.spec;
    if (window.kind === 'member') return { kind: 'entry', memberId: window.memberId };
    if (window.kind === 'around') {
      const { memberId, above, below } = window;
      return { kind: 'around', centre: { memberId }, above, below, fill: false };
    }
    return {
      kind: 'page',
      window: { kind: 'all' },
      first: window.first,
      last: null,
      after: null,
      before: null,
      offset: 0,
    };
  }

  /** Takes what a reading found. */
  take(head: Head, answer: ViewAnswer): void {
    const standings = answer === null ? [] : 'standings' in answer ? answer.standings : ownOf(answer.standing);
    this.changed ||= this.state === null || !sameStandings(this.standings, standings);
    this.standings = standings;
    this.head = head;
    this.unread = false;
  }

  /** Works in the moves that led to a head, less those it was read after; else it is left to be read. */
  apply(board: Leaderboard, moves: Moves, head: Head): void {
    const { version } = this.head;
    if (head.version <= version) return;
    const ahead = version >= (moves.list[0]?.version ?? head.version);
    this.unread = !this.#follow(board, ahead ? moves.after(version) : moves);
    if (!this.unread) this.head = head;
  }

  /** Tells those who look that what they see may be out of date. */
  markStale(): void {
    if (this.state === null || this.state.stale) return;
    this.state = { ...this.state, stale: true };
    for (const subscriber of this.subscribers) subscriber.push(this.state);
  }

  #follow(board: Leaderboard, moves: Moves): boolean {
    const { window } = this.spec;
    if (window.kind === 'member') return this.#followOwn(board, window.memberId, moves);
    if (reaches(window, this.standings, moves.list)) return false;
    this.#shift(board, moves.list);
    return true;
  }

  /** A member's own moves say all there is to say, but for metadata. */
  #followOwn(board: Leaderboard, memberId: string, moves: Moves): boolean {
    const own = moves.lastOf(memberId);
    const move = moves.list[own];
    if (!move) {
      this.#shift(board, moves.list);
      return true;
    }
    if (move.to !== null && move.standing === null) return false;
    this.standings = ownOf(move.standing);
    this.changed = true;
    this.#shift(board, moves.list.slice(own + 1));
    return true;
  }

  #shift(board: Leaderboard, moves: readonly Move[]): void {
    if (moves.length === 0) return;
    let differs = false;
    const standings = this.standings.map((standing) => {
      const after = shifted(standing, keyOf(board, standing.score), moves);
      differs ||= after !== standing;
      return after;
    });
    if (!differs) return;
    this.standings = standings;
    this.changed = true;
  }
}

const ownOf = (standing: Standing | null): readonly Standing[] => (standing ? [standing] : []);

/** Whether moves bring an entry into a run or out of it, or change one in it. Indexes are those at each move's time. */
function reaches(
  window: Exclude<ViewSpec['window'], { kind: 'member' }>,
  standings: readonly Standing[],
  moves: readonly Move[],
): boolean {
  const centre = window.kind === 'around' ? standings.find(({ memberId }) => memberId === window.memberId) : null;
  if (window.kind === 'around' && !centre) return moves.some(({ memberId }) => memberId === window.memberId);
  let start = standings[0]?.index ?? 0;
  // What the window would hold on a board that is long enough: an entry may come in at a short one's end.
  let end = window.kind === 'around' ? (centre?.index ?? 0) + window.below + 1 : window.first;
  const full = window.kind === 'around' && (centre?.index ?? 0) - start === window.above;
  for (const { fromIndex, toIndex } of moves) {
    if (fromIndex >= start && fromIndex < end) return true;
    if (fromIndex < start) {
      start -= 1;
      end -= 1;
    }
    if (toIndex < start || (toIndex === start && full)) {
      start += 1;
      end += 1;
    } else if (toIndex >= start && toIndex < end) return true;
  }
  return false;
}

const sameStandings = (a: readonly Standing[], b: readonly Standing[]): boolean =>
  a.length === b.length && a.every((standing, i) => sameStanding(standing, b[i]));

export const sameStanding = (a: Standing, b: Standing | undefined): boolean =>
  b !== undefined &&
  a.ordered === b.ordered &&
  a.score === b.score &&
  a.index === b.index &&
  a.competitionRank === b.competitionRank &&
  a.denseRank === b.denseRank &&
  a.tieCount === b.tieCount &&
  a.metadata === b.metadata;
