import { boardPeriodAt, comingPeriods, findPeriod } from '../../core/calendar.ts';
import { LaurelError } from '../../core/errors.ts';
import { fateOf, type Leaderboard as LeaderboardShape, stateOf } from '../../core/leaderboard.ts';
import { limits } from '../../core/limits.ts';
import type { Period as PeriodShape } from '../../core/period.ts';
import { builder } from '../builder.ts';
import { pageComplexity, pageSize } from '../paging.ts';
import { connectionType } from './connection.ts';
import { Cadence, PeriodState } from './enums.ts';
import { Leaderboard } from './leaderboard.ts';
import { Period, type PeriodSource } from './period.ts';

const { Connection: PeriodConnection } = connectionType('Period', Period, 'periods');

builder.objectFields(Leaderboard, (t) => ({
  current: t.field({
    type: Period,
    nullable: true,
    description: 'The period that is open now; null between seasons, or where the board has not this cadence.',
    args: { cadence: t.arg({ type: Cadence, description: "By default the board's first." }) },
    resolve: (board, { cadence }, { now }) => {
      const chosen = cadence ?? board.cadences[0];
      const period = chosen && board.cadences.includes(chosen) ? boardPeriodAt(board, chosen, now) : null;
      return period && { board, period };
    },
  }),
  period: t.field({
    type: Period,
    nullable: true,
    description: 'The period with this key, whether or not it holds entries; null where the board has no such period.',
    args: {
      key: t.arg.string({
        required: true,
        description:
          'Such as `all`, `2026-11-30`, `2026-W49`, `2026-11`, `2026`, a season; with `@version` a snapshot, with `~revision` an older revision.',
      }),
    },
    resolve: (board, { key }) => {
      const period = findPeriod(board, key);
      return period && { board, period };
    },
  }),
  calendar: t.field({
    type: [Period],
    description: 'The period open now and those that follow it, with their edges: see the 23-hour day before it comes.',
    args: {
      cadence: t.arg({ type: Cadence, description: "By default the board's first." }),
      next: t.arg.int({ required: true, defaultValue: 12, description: `How many, up to ${limits.calendarLength}.` }),
    },
    complexity: ({ next }) => ({ field: 1, multiplier: Math.max(1, next) }),
    resolve: (board, { cadence, next }, { now }) => {
      if (next < 1 || next > limits.calendarLength) {
        throw new LaurelError('PAGE_TOO_LARGE', `next must be from 1 to ${limits.calendarLength}.`);
      }
      const chosen = cadence ?? board.cadences[0];
      if (!chosen || !board.cadences.includes(chosen)) return [];
      return comingPeriods(board, chosen, now, next).map((period) => ({ board, period }));
    },
  }),
  periods: t.field({
    type: PeriodConnection,
    description: 'The periods that hold or held entries, the current ones, and coming seasons: the latest first.',
    // All periods there ever were are looked at, whatever the page.
    complexity: (args) => ({ ...pageComplexity(args), field: 1_000 }),
    args: {
      cadence: t.arg({ type: Cadence, description: 'Only these.' }),
      state: t.arg({ type: [PeriodState], description: 'Only those in one of these states.' }),
      ...t.arg.connectionArgs(),
    },
    resolve: async (board, args, { scope, now }) => {
      const [known, closed] = await Promise.all([
        scope.read(board.key, 'all', { kind: 'periods' }),
        scope.read(board.key, 'all', { kind: 'closed' }),
      ]);
      const all = allPeriods(board, known, now).filter(
        (period) =>
          (!args.cadence || period.cadence === args.cadence) &&
          (!args.state ||
            args.state.includes(stateOf(board, period, now, fateOf(closed.get(period.key) ?? null, now)))),
      );
      return periodPage(board, all, args);
    },
  }),
}));

const start = (period: PeriodShape) => period.startsAt ?? Number.POSITIVE_INFINITY;

/** Latest beginning first; the never-ending one, then shorter cuts before longer ones that began together. */
function listOrder(a: PeriodShape, b: PeriodShape): number {
  if (start(a) !== start(b)) return start(b) - start(a);
  return b.key.length - a.key.length || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

function allPeriods(board: LeaderboardShape, known: readonly string[], now: number): PeriodShape[] {
  const current = board.cadences.flatMap((cadence) => boardPeriodAt(board, cadence, now)?.key ?? []);
  const keys = [...new Set([...known, ...current, ...board.seasons.map((season) => season.key)])];
  return keys.flatMap((key) => findPeriod(board, key) ?? []).sort(listOrder);
}

/** The period of a cursor. It need not be in the list any more: its place is. */
function periodOfCursor(board: LeaderboardShape, cursor: string | null | undefined): PeriodShape | null {
  if (!cursor) return null;
  const text = Buffer.from(cursor, 'base64url').toString();
  const period = text.startsWith('p:') ? findPeriod(board, text.slice(2)) : null;
  if (period) return period;
  throw new LaurelError('BAD_CURSOR', 'This cursor names no period of this leaderboard.');
}

function periodPage(board: LeaderboardShape, all: readonly PeriodShape[], args: Parameters<typeof pageSize>[0]) {
  const { first, last } = pageSize(args);
  const [after, before] = [periodOfCursor(board, args.after), periodOfCursor(board, args.before)];
  const low = after ? all.filter((period) => listOrder(period, after) <= 0).length : 0;
  const high = before ? all.filter((period) => listOrder(period, before) < 0).length : all.length;
  const from = last === null ? low : Math.max(low, high - last);
  const to = first === null ? high : Math.min(high, from + first);
  const nodes: PeriodSource[] = all.slice(from, to).map((period) => ({ board, period }));
  const more = { before: from > 0, after: Math.max(from, to) < all.length };
  const cursorOf = ({ period }: PeriodSource) => Buffer.from(`p:${period.key}`).toString('base64url');
  return { nodes, cursorOf, more, totalCount: all.length };
}
