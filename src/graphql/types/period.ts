import { findPeriod } from '../../core/calendar.ts';
import { closesAt, fateOf, type Leaderboard, stateOf } from '../../core/leaderboard.ts';
import type { Period as PeriodShape } from '../../core/period.ts';
import type { Head } from '../../core/reading.ts';
import { builder, toDate } from '../builder.ts';
import type { Context } from '../context.ts';
import { Cadence, PeriodState } from './enums.ts';
import { Leaderboard as LeaderboardType } from './leaderboard.ts';

/** One cut of one board. */
export interface PeriodSource {
  readonly board: Leaderboard;
  readonly period: PeriodShape;
}

const headOf = ({ board, period }: PeriodSource, { scope }: Context): Promise<Head> =>
  scope.read(board.key, period.key, { kind: 'head' });

export const Period = builder.objectRef<PeriodSource>('Period');

builder.node(Period, {
  description:
    'One cut of one leaderboard by time, with its entries. One that closed has the same fields, from wherever it is read.',
  id: { resolve: ({ board, period }) => `${board.key}/${period.key}` },
  loadWithoutCache: async (id, { scope }) => {
    const [key = '', periodKey = ''] = id.split('/');
    const board = await scope.board(key);
    const period = board && findPeriod(board, periodKey);
    return period && { board, period };
  },
  fields: (t) => ({
    key: t.string({
      description:
        '`all`, `2026-11-30`, `2026-W49`, `2026-11`, `2026`, or that of a season; with `@version` a snapshot, with `~revision` an older revision.',
      resolve: ({ period }) => period.key,
    }),
    cadence: t.field({ type: Cadence, description: 'How it is cut.', resolve: ({ period }) => period.cadence }),
    state: t.field({
      type: PeriodState,
      description: 'Whether it accepts scores now, and where it is read from.',
      resolve: async (source, _, context) => {
        const { closed } = await headOf(source, context);
        return stateOf(source.board, source.period, context.now, fateOf(closed, context.now));
      },
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
    lengthSeconds: t.float({
      nullable: true,
      description:
        'How long it is: a day may have 23 or 25 hours, a season any milliseconds. Null where it never ends.',
      resolve: ({ period: { startsAt, endsAt } }) =>
        startsAt === null || endsAt === null ? null : (endsAt - startsAt) / 1000,
    }),
    closedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it closed and became final; null where it has not.',
      resolve: async (source, _, context) => toDate((await headOf(source, context)).closed?.closedAt || null),
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When Redis lets it go; from then on it is read from the archive, if the board has one. Null until it is archived.',
      resolve: async (source, _, context) => toDate((await headOf(source, context)).closed?.expiresAt ?? null),
    }),
    revision: t.int({
      nullable: true,
      description: '1 as it closed, and one more for each correction. Null where it has not closed.',
      resolve: async (source, _, context) => {
        const { closed } = await headOf(source, context);
        return closed && (closed.revision ?? 1);
      },
    }),
    version: t.field({
      type: 'SafeInt',
      description: 'Counts the applied changes.',
      resolve: async (source, _, context) => (await headOf(source, context)).version,
    }),
    entryCount: t.int({
      description: 'How many members are ranked.',
      resolve: async (source, _, context) => (await headOf(source, context)).entryCount,
    }),
  }),
});
