import { LaurelError } from '../../core/errors.ts';
import { type Leaderboard as LeaderboardShape, stateOf } from '../../core/leaderboard.ts';
import { type Period as PeriodShape, periodAt } from '../../core/period.ts';
import { findPeriod } from '../../core/scoring.ts';
import { builder } from '../builder.ts';
import { pageComplexity, pageSize } from '../paging.ts';
import { connect, connectionType } from './connection.ts';
import { Cadence, PeriodState } from './enums.ts';
import { Leaderboard } from './leaderboard.ts';
import { Period, type PeriodSource } from './period.ts';

const { Connection: PeriodConnection } = connectionType('Period', Period, 'periods');

builder.objectFields(Leaderboard, (t) => ({
  current: t.field({
    type: Period,
    nullable: true,
    description: 'The period that is open now; null where the board does not have this cadence.',
    args: { cadence: t.arg({ type: Cadence, description: "Which cadence; by default the board's first." }) },
    resolve: (board, { cadence }, { now }) => {
      const chosen = cadence ?? board.cadences[0];
      if (!chosen || !board.cadences.includes(chosen)) return null;
      return { board, period: periodAt(chosen, board.timeZone, now) };
    },
  }),
  period: t.field({
    type: Period,
    nullable: true,
    description: 'The period with this key, whether or not it holds entries; null where the board has no such period.',
    args: {
      key: t.arg.string({ required: true, description: 'Such as `all`, `2026-11-30`, `2026-W49`, `2026-11`, `2026`.' }),
    },
    resolve: (board, { key }) => {
      const period = findPeriod(board, key);
      return period && { board, period };
    },
  }),
  periods: t.field({
    type: PeriodConnection,
    description: 'The periods that hold or held entries, and the current ones, the latest first.',
    complexity: pageComplexity,
    args: {
      cadence: t.arg({ type: Cadence, description: 'Only periods of this cadence.' }),
      state: t.arg({ type: [PeriodState], description: 'Only those in one of these states.' }),
      ...t.arg.connectionArgs(),
    },
    resolve: async (board, args, { scope, now }) => {
      const known = await scope.read(board.key, 'all', { kind: 'periods' });
      const all = allPeriods(board, known, now).filter(
        (period) =>
          (!args.cadence || period.cadence === args.cadence) &&
          (!args.state || args.state.includes(stateOf(board, period, now))),
      );
      return periodPage(board, all, args);
    },
  }),
}));

/** Latest beginning first; the never-ending one, then shorter cuts before longer ones that began together. */
function allPeriods(board: LeaderboardShape, known: readonly string[], now: number): PeriodShape[] {
  const current = board.cadences.map((cadence) => periodAt(cadence, board.timeZone, now).key);
  const keys = [...new Set([...known, ...current])];
  const start = (period: PeriodShape) => period.startsAt ?? Number.POSITIVE_INFINITY;
  return keys
    .map((key) => findPeriod(board, key))
    .filter((period) => period !== null)
    .sort((a, b) => (start(a) === start(b) ? b.key.length - a.key.length : start(b) - start(a)));
}

function periodPage(board: LeaderboardShape, all: readonly PeriodShape[], args: Parameters<typeof pageSize>[0]) {
  const { first, last } = pageSize(args);
  const place = (cursor: string | null | undefined, none: number) => {
    if (!cursor) return none;
    const key = Buffer.from(cursor, 'base64url').toString().slice(2);
    const index = all.findIndex((period) => period.key === key);
    if (index < 0) throw new LaurelError('BAD_CURSOR', 'This cursor names no period of this list.');
    return index;
  };
  const low = place(args.after, -1) + 1;
  const high = place(args.before, all.length);
  const start = last === null ? low : Math.max(low, high - last);
  const end = first === null ? high : Math.min(high, start + first);
  const nodes: PeriodSource[] = all.slice(start, end).map((period) => ({ board, period }));
  const more = { before: start > 0, after: Math.max(start, end) < all.length };
  const cursorOf = ({ period }: PeriodSource) => Buffer.from(`p:${period.key}`).toString('base64url');
  return { ...connect(nodes, cursorOf, more), totalCount: all.length };
}
