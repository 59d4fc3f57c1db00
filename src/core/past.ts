import type { Archive, PeriodRecord } from './archive.ts';
import type { Boards } from './boards.ts';
import { findPeriod, getOwnPeriod, getPeriod } from './calendar.ts';
import { LaurelError } from './errors.ts';
import { type Leaderboard, scoreBounds } from './leaderboard.ts';
import { limits } from './limits.ts';
import { checkMemberId } from './member.ts';
import type { Cadence, ClosedPeriod, Period } from './period.ts';
import type { Clock, EntryStore, PeriodStore } from './ports.ts';
import type { Head } from './reading.ts';
import { parseScore } from './score.ts';
import type { Standing } from './standing.ts';

/** A member's place in one period. */
export interface Appearance {
  readonly period: Period;
  readonly head: Head;
  readonly standing: Standing;
}

/** Attempts to copy a period between two of its changes. */
const snapshotAttempts = 50;

/** What can be done with periods besides closing them: copies, corrections, careers. */
export class Past {
  readonly #boards: Boards;
  readonly #periods: PeriodStore;
  readonly #entries: EntryStore;
  readonly #archive: Archive;
  readonly #clock: Clock;

  constructor(boards: Boards, periods: PeriodStore, entries: EntryStore, archive: Archive, clock: Clock) {
    this.#boards = boards;
    this.#periods = periods;
    this.#entries = entries;
    this.#archive = archive;
    this.#clock = clock;
  }

  /** Deletes a board with its history. */
  removeBoard(key: string): Promise<void> {
    return this.#boards.with(key, async (board) => {
      const [closed] = await this.#entries.read(board, [{ period: 'all', read: { kind: 'closed' } }]);
      // History first: should the archive be away, the board is still there to try again. Who never archived anything
      // needs no database; what is being archived just now counts.
      const hasHistory = [...closed.values()].some(({ archived }) => archived ?? board.archive);
      if (hasHistory) await this.#archive.removeBoard(board.incarnation);
      await this.#boards.remove(key);
    });
  }

  /** A CLOSED copy of a period as it is now, for so long. Its key is `key@version`. */
  snapshot(key: string, periodKey: string, ttlSeconds: number): Promise<{ board: Leaderboard; period: Period }> {
    if (!Number.isInteger(ttlSeconds) || ttlSeconds < 1 || ttlSeconds > 366 * 24 * 60 * 60) {
      throw new LaurelError('BAD_INPUT', 'ttlSeconds must be a whole number of seconds, up to a year.');
    }
    return this.#boards.with(key, async (board) => {
      getOwnPeriod(board, periodKey);
      for (let attempt = 0; attempt < snapshotAttempts; attempt += 1) {
        const [{ version, closed }] = await this.#entries.read(board, [{ period: periodKey, read: { kind: 'head' } }]);
        if (closed) throw new LaurelError('PERIOD_CLOSED', `Period ${periodKey} is final: read it itself.`);
        const copied = await this.#periods.snapshot(board, periodKey, version, this.#clock(), ttlSeconds * 1000);
        if (copied) return { board, period: getPeriod(board, `${periodKey}@${version}`) };
      }
      throw new LaurelError('LEADERBOARD_CHANGED', `Period ${periodKey} keeps changing; try again.`);
    });
  }

  /** Another score for a member of an archived period, or none: a new revision; the older ones stay readable (T2). */
  correct(key: string, periodKey: string, memberId: string, score: number | null) {
    checkMemberId(memberId);
    return this.#boards.with(key, async (board) => {
      const period = getOwnPeriod(board, periodKey);
      const [all] = await this.#entries.read(board, [{ period: 'all', read: { kind: 'closed' } }]);
      const closed = all.get(periodKey);
      if (!closed?.archived) {
        throw new LaurelError(
          'PERIOD_NOT_ENDED',
          `Period ${periodKey} is in no archive; only archived ones are corrected.`,
        );
      }
      const stored = score === null ? null : parseScore(score, board.scoreScale);
      const { lowest, highest } = scoreBounds(board);
      if (stored !== null && (Number(stored) < lowest || Number(stored) > highest)) {
        throw new LaurelError('SCORE_OUT_OF_RANGE', `The score leaves what leaderboard ${key} accepts.`);
      }
      const record = await this.#archive.correct(board, periodKey, memberId, stored, this.#clock());
      const { version, entryCount, revision } = record;
      const now = this.#clock();
      // Redis holds the revision before: from now on the archive answers.
      const next: ClosedPeriod = { ...closed, version, entryCount, revision, expiresAt: now };
      await this.#periods.settle(board, periodKey, next, now);
      await this.#periods.release(board, periodKey, now);
      return { board, period };
    });
  }

  /** Takes a member out of every archived period of every board, as corrections; returns how many. */
  async removeMember(memberId: string): Promise<number> {
    let removed = 0;
    for await (const board of this.#boards.all()) {
      const [closed] = await this.#entries.read(board, [{ period: 'all', read: { kind: 'closed' } }]);
      await this.#refuseWhileArchiving(board, memberId, closed);
      if (![...closed.values()].some(({ archived }) => archived)) continue;
      for (const cadence of board.cadences) {
        const places = await this.#archive.career(board, memberId, cadence, Number.MAX_SAFE_INTEGER);
        for (const { record } of places) await this.correct(board.key, record.period, memberId, null);
        removed += places.length;
      }
    }
    return removed;
  }

  /** What is closed but not yet archived can be changed neither here nor there: whoever asks has to ask again. */
  async #refuseWhileArchiving(board: Leaderboard, memberId: string, closed: ReadonlyMap<string, ClosedPeriod>) {
    const between = [...closed].flatMap(([key, { expiresAt }]) => (expiresAt === undefined ? [key] : []));
    const reads = between.map((period) => ({ period, read: { kind: 'entry', memberId } as const }));
    const held = (await this.#entries.read(board, reads)).some(({ standing }) => standing !== null);
    if (board.archive && held) {
      throw new LaurelError('ARCHIVE_UNAVAILABLE', `Periods of ${board.key} are just being archived; ask again.`);
    }
  }

  /** A member's places in all periods of a cadence that can still be read, latest first. */
  career({ key }: Leaderboard, memberId: string, cadence: Cadence): Promise<Appearance[]> {
    return this.#boards.with(key, (board) => this.#careerOn(board, memberId, cadence));
  }

  async #careerOn(board: Leaderboard, memberId: string, cadence: Cadence): Promise<Appearance[]> {
    const [known, closed] = await this.#entries.read(board, [
      { period: 'all', read: { kind: 'periods' } },
      { period: 'all', read: { kind: 'closed' } },
    ]);
    const periods = known
      .flatMap((key) => findPeriod(board, key) ?? [])
      .filter((period) => period.cadence === cadence)
      .sort((a, b) => (b.startsAt ?? 0) - (a.startsAt ?? 0));
    const now = this.#clock();
    const isLive = ({ key }: Period) => (closed.get(key)?.expiresAt ?? Number.POSITIVE_INFINITY) > now;
    const live = periods.filter(isLive).slice(0, limits.careerPeriods);
    const answers = await this.#entries.read(
      board,
      live.map(({ key }) => ({ period: key, read: { kind: 'entry', memberId } as const })),
    );
    const appearances = live.flatMap((period, i): Appearance[] => {
      const answer = answers[i];
      return answer?.standing ? [{ period, head: answer.head, standing: answer.standing }] : [];
    });
    const seen = new Set(live.map(({ key }) => key));
    const past = periods.some((period) => closed.get(period.key)?.archived && !seen.has(period.key))
      ? await this.#archive.career(board, memberId, cadence, limits.careerPeriods)
      : [];
    // A corrected period is in the archive before older ones are.
    return [...appearances, ...past.flatMap(({ record, standing }) => archived(board, closed, seen, record, standing))]
      .sort((a, b) => (b.period.startsAt ?? 0) - (a.period.startsAt ?? 0))
      .slice(0, limits.careerPeriods);
  }
}

function archived(
  board: Leaderboard,
  closed: ReadonlyMap<string, ClosedPeriod>,
  seen: ReadonlySet<string>,
  record: PeriodRecord,
  standing: Standing,
): Appearance[] {
  const period = seen.has(record.period) ? null : findPeriod(board, record.period);
  if (!period) return [];
  const { epoch, version, entryCount, rules } = record;
  const { rankMethod } = rules;
  const head = { epoch, version, entryCount, closed: closed.get(period.key) ?? null, held: false, rankMethod };
  return [{ period, head, standing }];
}
