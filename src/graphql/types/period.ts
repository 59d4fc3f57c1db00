import { closesAt, type Leaderboard, stateOf } from '../../core/leaderboard.ts';
import type { Period as PeriodShape } from '../../core/period.ts';
import { findPeriod } from '../../core/scoring.ts';
import { builder, toDate } from '../builder.ts';
import { Cadence, PeriodState } from './enums.ts';
import { Leaderboard as LeaderboardType } from './leaderboard.ts';

/** One cut of one board. */
export interface PeriodSource {
  readonly board: Leaderboard;
  readonly period: PeriodShape;
}

export const Period = builder.objectRef<PeriodSource>('Period');

builder.node(Period, {
  description: 'One cut of one leaderboard by time, with its entries.',
  id: { resolve: ({ board, period }) => `${board.key}/${period.key}` },
  loadWithoutCache: async (id, { scope }) => {
    const [key = '', periodKey = ''] = id.split('/');
    const board = await scope.board(key);
    const period = board && findPeriod(board, periodKey);
    return period && { board, period };
  },
  fields: (t) => ({
    key: t.string({
      description: '`all`, `2026-11-30`, `2026-W49`, `2026-11`, `2026`.',
      resolve: ({ period }) => period.key,
    }),
    cadence: t.field({ type: Cadence, description: 'How it is cut.', resolve: ({ period }) => period.cadence }),
    state: t.field({
      type: PeriodState,
      description: 'Whether it accepts scores now.',
      resolve: ({ board, period }, _, { now }) => stateOf(board, period, now),
    }),
    leaderboard: t.field({
      type: LeaderboardType,
      description: 'The board it belongs to.',
      resolve: ({ board }) => board,
    }),
    startsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'First instant; null where it has no beginning.',
      resolve: ({ period }) => toDate(period.startsAt),
    }),
    endsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'First instant after it; null where it never ends.',
      resolve: ({ period }) => toDate(period.endsAt),
    }),
    closesAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: "When it stops accepting late scores: its end plus the board's grace; null where it never ends.",
      resolve: ({ board, period }) => toDate(closesAt(board, period)),
    }),
    version: t.field({
      type: 'SafeInt',
      description: 'Counts the applied changes.',
      resolve: async ({ board, period }, _, { scope }) =>
        (await scope.read(board.key, period.key, { kind: 'head' })).version,
    }),
    entryCount: t.int({
      description: 'How many members are ranked.',
      resolve: async ({ board, period }, _, { scope }) =>
        (await scope.read(board.key, period.key, { kind: 'head' })).entryCount,
    }),
  }),
});
