import { compareSpots, type Spot, spotOf } from './move.ts';
import type { Journey } from './recent-moves.ts';
import type { ViewState } from './view.ts';

/** Members named of those who passed, at most. */
export const mostNamed = 10;

/** Whose order to a member was reversed between two states. */
export interface Passed {
  readonly count: number;
  /** Those among them who moved themselves, nearest to the member first, at most `mostNamed`. */
  readonly movers: readonly string[];
  /** Where those stand who did not: between these places, of which the member left one. Null where there are none. */
  readonly between: { readonly after: Spot; readonly before: Spot } | null;
}

export interface Passing {
  /** Who was behind the member and is before it now. */
  readonly passedBy: Passed;
  /** Who was before it and is behind it now. */
  readonly passed: Passed;
}

/**
 * Who passed whom between two states of a watched member. Who is not ranked counts as behind everybody, so that the
 * difference of the two counts is the difference of the indexes: from it, and the moves of others, follows how many
 * stood still and were passed, without a reading. Null where it cannot be told: at first, after a gap, and where the
 * member itself was or is not ranked.
 */
export function passing(value: ViewState, previous: ViewState | null): Passing | null {
  const [then, now] = [previous?.standings[0], value.standings[0]];
  if (!previous || !then || !now || previous.line !== value.line) return null;
  const journeys = value.recent.journeys(previous.head.version, value.head.version);
  if (!journeys) return null;
  const { board } = value;
  const [was, is] = [spotOf(board, then), spotOf(board, now)];
  const before = (a: Spot | null, b: Spot) => a !== null && compareSpots(board, a, b) < 0;
  const passedBy: Journey[] = [];
  const passed: Journey[] = [];
  for (const journey of journeys) {
    if (journey.memberId === now.memberId) continue;
    const [wasBefore, isBefore] = [before(journey.from, was), before(journey.to, is)];
    if (!wasBefore && isBefore) passedBy.push(journey);
    else if (wasBefore && !isBefore) passed.push(journey);
  }
  const stood = now.index - then.index - (passedBy.length - passed.length);
  const nearest = (list: Journey[], sign: number) => {
    const near = (a: Journey, b: Journey) => (a.to && b.to ? sign * compareSpots(board, a.to, b.to) : 0);
    return list
      .filter(({ to }) => to !== null)
      .sort(near)
      .slice(0, mostNamed)
      .map(({ memberId }) => memberId);
  };
  return {
    passedBy: {
      count: passedBy.length + Math.max(0, stood),
      movers: nearest(passedBy, -1),
      between: stood > 0 ? { after: was, before: is } : null,
    },
    passed: {
      count: passed.length + Math.max(0, -stood),
      movers: nearest(passed, 1),
      between: stood < 0 ? { after: is, before: was } : null,
    },
  };
}
