import type { Move, Spot } from './move.ts';

/** Moves kept of one period: some seconds of a busy board. */
const mostKept = 4_096;

/** Where a member was before some moves and is after them; null for not ranked. */
export interface Journey {
  readonly memberId: string;
  readonly from: Spot | null;
  to: Spot | null;
}

/** A period's last moves, to tell who passed whom between two versions that somebody was shown. */
export class RecentMoves {
  /** Everything after this version is here. */
  #since = Number.POSITIVE_INFINITY;
  #through = Number.NEGATIVE_INFINITY;
  #moves: Move[] = [];
  #journeys = new Map<string, readonly Journey[]>();

  /** Begins anew: what was before cannot be told from what comes. */
  reset(version: number): void {
    this.#since = version;
    this.#through = version;
    this.#moves = [];
    this.#journeys.clear();
  }

  add(moves: readonly Move[]): void {
    const last = moves.at(-1);
    if (!last) return;
    for (const move of moves) this.#moves.push(move);
    this.#through = last.version;
    this.#journeys.clear();
    // Twice the number, so that the cut is paid for once in a while.
    if (this.#moves.length > 2 * mostKept) {
      const cut = this.#moves.splice(0, this.#moves.length - mostKept);
      this.#since = cut.at(-1)?.version ?? this.#since;
    }
  }

  /** Everybody who moved after version `a` up to `b`; null where that is no longer known. All who watch share an answer. */
  journeys(a: number, b: number): readonly Journey[] | null {
    if (a < this.#since || b > this.#through) return null;
    const known = this.#journeys.get(`${a}-${b}`);
    if (known) return known;
    const journeys = new Map<string, Journey>();
    for (const { version, memberId, from, to } of this.#moves) {
      if (version <= a || version > b) continue;
      const journey = journeys.get(memberId);
      if (journey) journey.to = to;
      else journeys.set(memberId, { memberId, from, to });
    }
    const list = [...journeys.values()];
    this.#journeys.set(`${a}-${b}`, list);
    return list;
  }

  /** Who is known to have moved after a version. */
  movedAfter(version: number): Set<string> {
    return new Set(this.#moves.filter((move) => move.version > version).map(({ memberId }) => memberId));
  }
}
