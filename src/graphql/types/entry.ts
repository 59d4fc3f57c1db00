import type { Leaderboard } from '../../core/leaderboard.ts';
import type { Period } from '../../core/period.ts';
import type { Head } from '../../core/reading.ts';
import { formatScore, type ScoreText } from '../../core/score.ts';
import { findPeriod } from '../../core/scoring.ts';
import { type Standing, shownRank, topPercent } from '../../core/standing.ts';
import type { Change } from '../../core/submission.ts';
import { builder } from '../builder.ts';
import { Member } from './member.ts';
import { Period as PeriodType } from './period.ts';

/** One member's place in one period at one version. */
export interface EntrySource {
  readonly board: Leaderboard;
  readonly period: Period;
  readonly version: number;
  readonly entryCount: number;
  readonly memberId: string;
  readonly score: ScoreText;
  readonly index: number;
  readonly competitionRank: number;
  readonly tieCount: number;
}

export const entryOfStanding = (board: Leaderboard, period: Period, head: Head, standing: Standing): EntrySource => ({
  board,
  period,
  version: head.version,
  entryCount: head.entryCount,
  ...standing,
});

/** An entry as a write left it. */
export const entryOfChange = (board: Leaderboard, period: Period, memberId: string, change: Change): EntrySource => ({
  board,
  period,
  version: change.version,
  entryCount: change.total,
  memberId,
  score: change.score,
  index: change.index,
  competitionRank: change.rank,
  tieCount: change.ties,
});

export const Entry = builder.objectRef<EntrySource>('Entry');

builder.node(Entry, {
  description: "One member's place in one period.",
  id: { resolve: ({ board, period, memberId }) => `${board.key}/${period.key}/${memberId}` },
  loadWithoutCache: async (id, { scope }) => {
    const [key = '', periodKey = '', ...rest] = id.split('/');
    const board = await scope.board(key);
    const period = board && findPeriod(board, periodKey);
    if (!period) return null;
    const { head, standing } = await scope.read(key, period.key, { kind: 'entry', memberId: rest.join('/') });
    return standing && entryOfStanding(board, period, head, standing);
  },
  fields: (t) => ({
    memberId: t.exposeString('memberId', { description: 'The ranked member.' }),
    member: t.field({ type: Member, description: 'The ranked member, with the profile.', resolve: (entry) => entry }),
    period: t.field({ type: PeriodType, description: 'The period it stands in.', resolve: (entry) => entry }),
    version: t.expose('version', {
      type: 'SafeInt',
      description: "The period's version at which this was so: a cache can keep the higher of two.",
    }),
    score: t.float({
      description: 'Exact, with as many decimals as the board keeps.',
      resolve: ({ score, board }) => formatScore(score, board.scoreScale),
    }),
    rank: t.int({
      description: "1-based place shown to people, by the board's rank method.",
      resolve: ({ board, index, competitionRank }) => shownRank(board, { index, rank: competitionRank }),
    }),
    competitionRank: t.exposeInt('competitionRank', {
      description: 'The number of entries with a strictly better score, plus one.',
    }),
    index: t.exposeInt('index', { description: '0-based position in board order, different for every entry.' }),
    tieCount: t.exposeInt('tieCount', { description: 'How many entries have this score, this one included.' }),
    topPercent: t.float({
      description: 'The top so many percent it is in: 100 × competition rank / entry count.',
      resolve: ({ competitionRank, entryCount }) => topPercent(competitionRank, entryCount),
    }),
  }),
});
