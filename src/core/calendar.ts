import { LaurelError } from './errors.ts';
import type { Leaderboard, LeaderboardRules, Season } from './leaderboard.ts';
import { type Cadence, isCalendarKey, type Period, periodAt, periodOfKey } from './period.ts';

type Calendar = Pick<LeaderboardRules, 'timeZone' | 'dayStartMinutes' | 'seasons' | 'cadences'>;

const seasonPeriod = ({ key, startsAt, endsAt }: Season): Period => ({ key, cadence: 'SEASON', startsAt, endsAt });

/** The period of a board's cadence that holds an instant; null between seasons. */
export function boardPeriodAt(board: Calendar, cadence: Cadence, instant: number): Period | null {
  if (cadence !== 'SEASON') return periodAt(cadence, board.timeZone, instant, board.dayStartMinutes);
  const season = board.seasons.find(({ startsAt, endsAt }) => startsAt <= instant && instant < endsAt);
  return season ? seasonPeriod(season) : null;
}

/** What a follower of a cadence (null: the board's first) sees: the current period, between seasons the last one. */
export function followedPeriod(board: Calendar, cadence: Cadence | null, now: number): Period | null {
  const chosen = cadence ?? board.cadences[0];
  if (!chosen || !board.cadences.includes(chosen)) return null;
  const season = board.seasons.findLast(({ startsAt }) => startsAt <= now);
  return boardPeriodAt(board, chosen, now) ?? (season ? seasonPeriod(season) : null);
}

/** The period open now and those that follow it, of one cadence, at most `count`. */
export function comingPeriods(board: Calendar, cadence: Cadence, now: number, count: number): Period[] {
  if (cadence === 'SEASON') {
    return board.seasons
      .filter(({ endsAt }) => endsAt > now)
      .slice(0, count)
      .map(seasonPeriod);
  }
  const periods: Period[] = [];
  for (let at: number | null = now; at !== null && periods.length < count; ) {
    const period = periodAt(cadence, board.timeZone, at, board.dayStartMinutes);
    periods.push(period);
    at = period.endsAt;
  }
  return periods;
}

/**
 * What a key names on a board, whether or not it holds entries: a period, a snapshot of one (`key@version`), or an
 * older revision of a closed one (`key~revision`). Null for anything else.
 */
export function findPeriod(board: Calendar, key: string): Period | null {
  const base = /^(.+?)(?:@\d{1,16}|~\d{1,6})?$/.exec(key)?.[1] ?? key;
  const season = board.seasons.find((one) => one.key === base);
  const period = season ? seasonPeriod(season) : periodOfKey(base, board.timeZone, board.dayStartMinutes);
  return period && board.cadences.includes(period.cadence) ? { ...period, key } : null;
}

/** Whether a key names a copy rather than a period itself. */
export const isCopy = (key: string): boolean => /[@~]/.test(key);

/** A period itself, not a copy of one. Throws PERIOD_NOT_FOUND. */
export function getOwnPeriod(board: Leaderboard, key: string): Period {
  if (!isCopy(key)) return getPeriod(board, key);
  throw new LaurelError('PERIOD_NOT_FOUND', `${key.slice(0, 80)} is a copy; name the period itself.`);
}

/** Throws PERIOD_NOT_FOUND. */
export function getPeriod(board: Leaderboard, key: string): Period {
  const period = findPeriod(board, key);
  if (period) return period;
  throw new LaurelError('PERIOD_NOT_FOUND', `Leaderboard ${board.key} has no period ${key.slice(0, 80)}.`);
}

/** A board's seasons with one more, or with one in place of that of the same key, checked and in time's order. */
export function withSeason(board: LeaderboardRules, season: Season, most: number): Season[] {
  const { key, startsAt, endsAt } = season;
  if (!board.cadences.includes('SEASON')) {
    throw new LaurelError('BAD_SEASON', 'This leaderboard has no seasons: its cadences leave out SEASON.');
  }
  if (isCalendarKey(key)) throw new LaurelError('BAD_SEASON', `${key} names a calendar period; choose another key.`);
  if (!(startsAt < endsAt)) throw new LaurelError('BAD_SEASON', 'A season must end after it starts.');
  const others = board.seasons.filter((one) => one.key !== key);
  const overlapped = others.find((one) => startsAt < one.endsAt && one.startsAt < endsAt);
  if (overlapped) throw new LaurelError('BAD_SEASON', `The season would overlap ${overlapped.key}.`);
  if (others.length >= most) throw new LaurelError('BAD_SEASON', `A leaderboard holds at most ${most} seasons.`);
  return [...others, season].sort((a, b) => a.startsAt - b.startsAt);
}
