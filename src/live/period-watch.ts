import type { Boards } from '../core/boards.ts';
import { boardPeriodAt, findPeriod } from '../core/calendar.ts';
import { type Leaderboard, stateOf } from '../core/leaderboard.ts';
import type { Period, PeriodState } from '../core/period.ts';
import type { Clock, EventBus } from '../core/ports.ts';
import { Feed } from './feed.ts';

/** A period as it has just become. */
export interface PeriodSeen {
  readonly board: Leaderboard;
  readonly period: Period;
  readonly state: PeriodState;
}

/** How soon after an edge of the calendar it is noticed. */
const lookMs = 500;

interface Parts {
  readonly boards: Boards;
  readonly bus: EventBus;
  readonly clock: Clock;
}

/**
 * A board's current periods, then each that begins, ends or closes. Beginning and ending follow from the clock;
 * closing is heard of, for it may wait for grace, a backfill or an archive.
 */
export async function watchPeriods(key: string, { boards, bus, clock }: Parts) {
  const states = new Map<string, PeriodState>();
  const see = (board: Leaderboard, period: Period, state: PeriodState) => {
    if (states.get(period.key) === state) return;
    states.set(period.key, state);
    feed.push({ board, period, state });
  };
  const look = async (): Promise<void> => {
    const board = await boards.get(key);
    const now = clock();
    for (const [periodKey, state] of states) {
      const period = findPeriod(board, periodKey);
      if (period && state !== 'CLOSED') see(board, period, beforeClosing(stateOf(board, period, now)));
    }
    for (const cadence of board.cadences) {
      const period = boardPeriodAt(board, cadence, now);
      if (period) see(board, period, stateOf(board, period, now));
    }
  };
  let unsubscribe = () => {};
  const timer = setInterval(() => void look().catch(() => {}), lookMs);
  const feed = new Feed<PeriodSeen>(() => {
    clearInterval(timer);
    unsubscribe();
  });
  try {
    unsubscribe = await bus.subscribe(key, {
      event: ({ closed }) => {
        if (closed !== undefined) void closedNow(closed).catch(() => {});
      },
      gap: () => feed.markGap(),
    });
    await look();
  } catch (error) {
    feed.end();
    throw error;
  }
  return feed;

  async function closedNow(periodKey: string): Promise<void> {
    const board = await boards.get(key);
    const period = findPeriod(board, periodKey);
    if (period) see(board, period, 'CLOSED');
  }
}

/** By the clock alone a period is in its grace until it is heard to have closed. */
const beforeClosing = (state: PeriodState): PeriodState => (state === 'CLOSED' ? 'GRACE' : state);
