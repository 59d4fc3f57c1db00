import type { Boards } from './boards.ts';
import { withSeason } from './calendar.ts';
import { LaurelError } from './errors.ts';
import { checkKey, type Leaderboard, type Season } from './leaderboard.ts';
import { limits } from './limits.ts';
import type { Clock } from './ports.ts';

/** Seasons live in the board's definition, whose version every script checks: a write never meets an old calendar. */
export class Seasons {
  readonly #boards: Boards;
  readonly #clock: Clock;

  constructor(boards: Boards, clock: Clock) {
    this.#boards = boards;
    this.#clock = clock;
  }

  create(key: string, season: Season): Promise<Leaderboard> {
    return this.#change(key, (board) => {
      checkKey(season.key);
      if (board.seasons.some((one) => one.key === season.key)) {
        throw new LaurelError('BAD_SEASON', `Season ${season.key} exists already; update it, or choose another key.`);
      }
      if (season.endsAt <= this.#clock()) throw new LaurelError('BAD_SEASON', 'The season would have ended already.');
      return season;
    });
  }

  /** Moves a season that has not begun. */
  move(key: string, seasonKey: string, edges: { startsAt?: number | undefined; endsAt?: number | undefined }) {
    return this.#change(key, (board) => {
      const season = getSeason(board, seasonKey);
      const now = this.#clock();
      if (season.startsAt <= now) {
        throw new LaurelError('BAD_SEASON', `Season ${seasonKey} has begun: it can only be ended.`);
      }
      const moved = { ...season, startsAt: edges.startsAt ?? season.startsAt, endsAt: edges.endsAt ?? season.endsAt };
      if (moved.endsAt <= now) throw new LaurelError('BAD_SEASON', 'The season would have ended already.');
      return moved;
    });
  }

  /** Ends a running season now; late scores are accepted for the board's grace, then it closes. */
  end(key: string, seasonKey: string): Promise<Leaderboard> {
    return this.#change(key, (board) => {
      const season = getSeason(board, seasonKey);
      const now = this.#clock();
      if (now <= season.startsAt || now >= season.endsAt) {
        throw new LaurelError('BAD_SEASON', `Season ${seasonKey} is not running.`);
      }
      return { ...season, endsAt: now };
    });
  }

  #change(key: string, make: (board: Leaderboard) => Season): Promise<Leaderboard> {
    return this.#boards.change(key, (board) => ({ seasons: withSeason(board, make(board), limits.seasons) }));
  }
}

function getSeason(board: Leaderboard, key: string): Season {
  const season = board.seasons.find((one) => one.key === key);
  if (season) return season;
  throw new LaurelError('PERIOD_NOT_FOUND', `Leaderboard ${board.key} has no season ${key.slice(0, 80)}.`);
}
