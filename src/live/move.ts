import type { BoardEvent } from '../core/events.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import { compareOrdered } from '../core/order.ts';
import { type Standing, standingOfWrite } from '../core/standing.ts';

/** A place in board order. The lower key is better, whichever way the board sorts. */
export interface Spot {
  readonly key: number;
  readonly ordered: string;
}

/**
 * One entry's change of place, in numbers that are quick to compare: 10,000 watched entries times 100 moves are worked
 * out in some milliseconds. Where there was or is no entry the index is Infinity and the key NaN, which compare as
 * neither before nor equal to anything.
 */
export interface Move {
  /** The period's version once the whole message was applied: nobody can have read it half done. */
  readonly version: number;
  readonly memberId: string;
  readonly fromIndex: number;
  readonly fromKey: number;
  readonly toIndex: number;
  readonly toKey: number;
  /** Whether its old score went from the distinct ones, and whether its new one came to them. */
  readonly dropsScore: boolean;
  readonly addsScore: boolean;
  readonly from: Spot | null;
  readonly to: Spot | null;
  /** The entry as the write left it; null where it went, and where its metadata has to be asked for. */
  readonly standing: Standing | null;
}

/** Moves in the order of their versions, which many views work in. */
export class Moves {
  readonly list: readonly Move[];
  #lastOf: Map<string, number> | null = null;

  constructor(list: readonly Move[]) {
    this.list = list;
  }

  /** Where a member's last own move is in the list; −1 where it has none. */
  lastOf(memberId: string): number {
    this.#lastOf ??= new Map(this.list.map((move, i) => [move.memberId, i]));
    return this.#lastOf.get(memberId) ?? -1;
  }

  after(version: number): Moves {
    return new Moves(this.list.filter((move) => move.version > version));
  }
}

/** A stored score as a number that is lower for a better one. */
export const keyOf = (board: Pick<Leaderboard, 'sortOrder'>, score: string): number =>
  board.sortOrder === 'HIGH_TO_LOW' ? -Number(score) : Number(score);

/** Negative where `a` stands before `b`. */
export const compareSpots = (board: Pick<Leaderboard, 'sortOrder'>, a: Spot, b: Spot): number =>
  a.key !== b.key ? a.key - b.key : compareOrdered(board, a.ordered, b.ordered);

export const spotOf = (board: Pick<Leaderboard, 'sortOrder'>, { score, ordered }: { score: string; ordered: string }) =>
  ({ key: keyOf(board, score), ordered }) satisfies Spot;

/**
 * What a message says of one period, as moves. One that fell out of a capped board goes first, since the places of the
 * entry that pushed it out were counted without it; its own index was counted with that entry before it.
 */
export function movesOf(board: Leaderboard, event: BoardEvent, period: string): Move[] {
  const changes = event.changes.filter((change) => change.period === period).reverse();
  const version = changes[0]?.version ?? 0;
  const evicted = changes.find(({ outcome }) => outcome === 'EVICTED')?.before ?? null;
  return changes.map((change) => {
    const { before, entry, annotated, member = event.member } = change;
    const pushedOut = Number(change.outcome === 'EVICTED');
    const from = before ? spotOf(board, before) : null;
    const to = entry ? spotOf(board, entry) : null;
    const others = entry ? entry.ties - 1 + Number(evicted?.score === entry.score) : 0;
    return {
      version,
      memberId: member,
      fromIndex: before ? before.index - pushedOut : Number.POSITIVE_INFINITY,
      fromKey: from?.key ?? Number.NaN,
      toIndex: entry?.index ?? Number.POSITIVE_INFINITY,
      toKey: to?.key ?? Number.NaN,
      dropsScore: before?.dropped === true,
      addsScore: entry !== undefined && others === 0 && before?.score !== entry.score,
      from,
      to,
      standing: entry && !annotated ? standingOfWrite(board, entry) : null,
    };
  });
}

/** How an entry stands after moves of others; the same object where nothing about it changed. */
export function shifted(standing: Standing, key: number, moves: readonly Move[]): Standing {
  let { index, competitionRank, tieCount } = standing;
  let denseRank = standing.denseRank ?? 0;
  for (const move of moves) {
    if (move.fromIndex < index) index -= 1;
    if (move.toIndex <= index) index += 1;
    if (move.fromKey < key) {
      competitionRank -= 1;
      if (move.dropsScore) denseRank -= 1;
    } else if (move.fromKey === key) tieCount -= 1;
    if (move.toKey < key) {
      competitionRank += 1;
      if (move.addsScore) denseRank += 1;
    } else if (move.toKey === key) tieCount += 1;
  }
  if (standing.denseRank === null) denseRank = 0;
  const same =
    index === standing.index &&
    competitionRank === standing.competitionRank &&
    tieCount === standing.tieCount &&
    denseRank === (standing.denseRank ?? 0);
  if (same) return standing;
  // No spread: this is made for nearly everybody who is watched, each time.
  return {
    memberId: standing.memberId,
    ordered: standing.ordered,
    score: standing.score,
    index,
    competitionRank,
    tieCount,
    denseRank: standing.denseRank === null ? null : denseRank,
    reachedAt: standing.reachedAt,
    metadata: standing.metadata,
  };
}

/** The stored score of a key. */
export const scoreOf = ({ sortOrder }: Pick<Leaderboard, 'sortOrder'>, key: number): string =>
  String(sortOrder === 'HIGH_TO_LOW' ? 0 - key : key);
