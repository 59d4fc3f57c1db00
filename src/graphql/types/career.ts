import type { Leaderboard as LeaderboardShape } from '../../core/leaderboard.ts';
import { limits } from '../../core/limits.ts';
import { checkMemberId } from '../../core/member.ts';
import type { Appearance } from '../../core/past.ts';
import { builder } from '../builder.ts';
import { checkCount } from '../paging.ts';
import { Entry, type EntrySource, entryOfStanding } from './entry.ts';
import { Cadence } from './enums.ts';
import { Leaderboard } from './leaderboard.ts';

interface CareerSource {
  readonly board: LeaderboardShape;
  /** Latest first. */
  readonly appearances: readonly Appearance[];
}

const entryOf = (board: LeaderboardShape, { period, head, standing }: Appearance): EntrySource =>
  entryOfStanding(board, period, head, standing);

/** The first of the appearances that nobody else beats. */
function best(
  { board, appearances }: CareerSource,
  beats: (a: Appearance, b: Appearance) => boolean,
): EntrySource | null {
  const [first, ...others] = appearances;
  if (!first) return null;
  return entryOf(
    board,
    others.reduce((leader, one) => (beats(one, leader) ? one : leader), first),
  );
}

const Career = builder.objectRef<CareerSource>('Career').implement({
  description: "A member's places over the periods of one cadence, the archive's among them.",
  fields: (t) => ({
    periodCount: t.int({
      description: `Periods in which the member was ranked, of the latest ${limits.careerPeriods}.`,
      resolve: ({ appearances }) => appearances.length,
    }),
    bestRank: t.field({
      type: Entry,
      nullable: true,
      description: 'The entry with the best competition rank; of several the latest.',
      resolve: (career) => best(career, (a, b) => a.standing.competitionRank < b.standing.competitionRank),
    }),
    bestScore: t.field({
      type: Entry,
      nullable: true,
      description: 'The entry with the best score; of several the latest.',
      resolve: (career) =>
        best(career, (a, b) => {
          const [one, other] = [Number(a.standing.score), Number(b.standing.score)];
          return career.board.sortOrder === 'HIGH_TO_LOW' ? one > other : one < other;
        }),
    }),
    entries: t.field({
      type: [Entry],
      description: 'Rank per period as a series: the latest first.',
      complexity: ({ first }) => ({ field: 1, multiplier: Math.max(1, first) }),
      args: { first: t.arg.int({ required: true, defaultValue: 20, description: `Up to ${limits.pageSize}.` }) },
      resolve: ({ board, appearances }, { first }) =>
        appearances.slice(0, checkCount(first, 'first')).map((appearance) => entryOf(board, appearance)),
    }),
  }),
});

builder.objectField(Leaderboard, 'career', (t) =>
  t.field({
    type: Career,
    description: 'How a member fared over the periods of a cadence, those in the archive included.',
    // It reads every period of the cadence.
    complexity: 2_000,
    args: {
      memberId: t.arg.string({ required: true, description: 'Whose.' }),
      cadence: t.arg({ type: Cadence, description: "By default the board's first." }),
    },
    resolve: async (board, { memberId, cadence }, { scope, services: { past } }) => {
      const chosen = cadence ?? board.cadences[0] ?? 'ALL_TIME';
      return { board, appearances: await scope.track(past.career(board, checkMemberId(memberId), chosen)) };
    },
  }),
);
