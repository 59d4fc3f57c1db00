import type { Boards } from '../core/boards.ts';
import { boardPeriodAt, findPeriod } from '../core/calendar.ts';
import { LaurelError } from '../core/errors.ts';
import type { BoardEvent, BoardListener } from '../core/events.ts';
import { type Leaderboard, stateOf } from '../core/leaderboard.ts';
import type { Period, PeriodState } from '../core/period.ts';
import type { Clock, EntryStore, EventBus } from '../core/ports.ts';
import { type Fed, Feed } from './feed.ts';
import type { Opening } from './feed-audience.ts';

/** A period as it has just become. */
export interface PeriodTurn {
  readonly board: Leaderboard;
  readonly period: Period;
  readonly state: PeriodState;
}

/** How soon after an edge of the calendar it is noticed. */
const lookMs = 500;

interface Parts {
  readonly boards: Boards;
  readonly entries: EntryStore;
  readonly bus: EventBus;
  readonly clock: Clock;
}

/**
 * A board's current periods, then each that begins, ends or closes. Beginning and ending follow from the clock; closing
 * is heard of, for it may wait for grace, a backfill or an archive. From when it is due, it is asked for as well.
 */
export class PeriodTurns extends Feed<PeriodTurn> implements BoardListener, Opening<PeriodTurn> {
  readonly #key: string;
  readonly #parts: Parts;
  readonly #timer: NodeJS.Timeout;
  readonly #seen = new Map<string, PeriodTurn>();
  readonly #told = new Map<string, Fed<PeriodTurn>>();
  #unsubscribe = () => {};
  #over = false;

  /** `onEnd` runs once, however the iterator ends. */
  constructor(key: string, parts: Parts, onEnd: () => void) {
    super(() => {
      clearInterval(this.#timer);
      this.#over = true;
      this.#unsubscribe();
      onEnd();
    });
    this.#key = key;
    this.#parts = parts;
    this.#timer = setInterval(() => this.#try(this.#look()), lookMs);
  }

  /** Ends and throws where there is no such board, or the store cannot tell. */
  async begin(): Promise<void> {
    try {
      this.#unsubscribe = await this.#parts.bus.subscribe(this.#key, this);
      // It may have ended meanwhile.
      if (this.#over) this.#unsubscribe();
      await this.#look();
    } catch (error) {
      this.end();
      throw error;
    }
  }

  event({ closed }: BoardEvent): void {
    if (closed !== undefined) this.#try(this.#close(closed));
  }

  gap(): void {
    this.markGap();
    this.#try(this.#look());
  }

  note(told: Fed<PeriodTurn>): void {
    this.#told.set(told.event.period.key, { ...told, gap: false });
  }

  /** What whoever comes now is told first. */
  list(): readonly Fed<PeriodTurn>[] {
    return [...this.#told.values()].filter(({ event }) => event.state === 'OPEN');
  }

  /** The next look tries again, unless there is nothing to look at any more. */
  #try(looking: Promise<void>): void {
    looking.catch((error: unknown) => {
      if (error instanceof LaurelError && error.code === 'LEADERBOARD_NOT_FOUND') this.end();
    });
  }

  async #look(): Promise<void> {
    const board = await this.#parts.boards.get(this.#key);
    const now = this.#parts.clock();
    for (const { period: known, state } of this.#seen.values()) {
      if (state === 'CLOSED') continue;
      // A season may have been moved or ended since.
      const period = findPeriod(board, known.key) ?? known;
      const byClock = stateOf(board, period, now);
      if (byClock === 'OPEN' || byClock === 'UPCOMING') this.#see(board, period, byClock);
      else this.#see(board, period, (await this.#isClosed(period.key, byClock)) ? 'CLOSED' : 'GRACE');
    }
    for (const cadence of board.cadences) {
      const period = boardPeriodAt(board, cadence, now);
      if (period) this.#see(board, period, stateOf(board, period, now));
    }
  }

  async #close(periodKey: string): Promise<void> {
    const board = await this.#parts.boards.get(this.#key);
    const period = findPeriod(board, periodKey);
    if (period) this.#see(board, period, 'CLOSED');
  }

  /** Nobody announces the closing of a period in which nothing was ever written: in its grace something may be yet. */
  async #isClosed(period: string, byClock: PeriodState): Promise<boolean> {
    const { boards, entries } = this.#parts;
    const [closed, written] = await boards.with(this.#key, (board) =>
      entries.read(board, [
        { period, read: { kind: 'closed' } },
        { period, read: { kind: 'periods' } },
      ]),
    );
    return closed.has(period) || (byClock === 'CLOSED' && !written.includes(period));
  }

  #see(board: Leaderboard, period: Period, state: PeriodState): void {
    const known = this.#seen.get(period.key)?.state;
    if (known === state || known === 'CLOSED') return;
    const turn = { board, period, state };
    this.#seen.set(period.key, turn);
    this.push(turn);
  }
}
