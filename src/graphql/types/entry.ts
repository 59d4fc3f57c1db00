import { findPeriod } from '../../core/calendar.ts';
import type { Leaderboard, RankMethod } from '../../core/leaderboard.ts';
import type { Period } from '../../core/period.ts';
import type { Head } from '../../core/reading.ts';
import { formatScore } from '../../core/score.ts';
import { type Standing, shownRank, standingOfWrite, topPercent } from '../../core/standing.ts';
import type { WrittenEntry } from '../../core/submission.ts';
import { builder, toDate } from '../builder.ts';
import { Member } from './member.ts';
import { Period as PeriodType } from './period.ts';

/** One member's place in one period at one version. */
export interface EntrySource extends Omit<Standing, 'ordered'> {
  readonly board: Leaderboard;
  readonly period: Period;
  readonly version: number;
  readonly entryCount: number;
  readonly rankMethod: RankMethod;
}

/** Field by field: there are as many as a page has entries, and a spread object costs as much as reading it. */
export function entryOfStanding(
  board: Leaderboard,
  period: Period,
  { version, entryCount, rankMethod = board.rankMethod }: Pick<Head, 'version' | 'entryCount' | 'rankMethod'>,
  { memberId, score, index, competitionRank, tieCount, denseRank, reachedAt, metadata }: Omit<Standing, 'ordered'>,
): EntrySource {
  return {
    board,
    period,
    version,
    entryCount,
    rankMethod,
    memberId,
    score,
    index,
    competitionRank,
    tieCount,
    denseRank,
    reachedAt,
    metadata,
  };
}

/** An entry as a write left it. */
export const entryOfWrite = (board: Leaderboard, period: Period, version: number, entry: WrittenEntry): EntrySource =>
  entryOfStanding(board, period, { version, entryCount: entry.total }, standingOfWrite(board, entry));

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
      resolve: (entry) => shownRank(entry, entry),
    }),
    competitionRank: t.exposeInt('competitionRank', { description: 'Entries strictly better, plus one.' }),
    denseRank: t.exposeInt('denseRank', {
      nullable: true,
      description: 'Distinct better scores, plus one; null where the board keeps no complete index of them.',
    }),
    index: t.exposeInt('index', { description: '0-based position in board order, different for every entry.' }),
    tieCount: t.exposeInt('tieCount', { description: 'How many entries have this score, this one included.' }),
    topPercent: t.float({
      description: 'The top so many percent it is in: 100 × competition rank / entry count.',
      resolve: ({ competitionRank, entryCount }) => topPercent(competitionRank, entryCount),
    }),
    reachedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the score was reached; null on boards whose tie-break is neither EARLIEST nor LATEST.',
      resolve: ({ reachedAt }) => toDate(reachedAt),
    }),
    metadata: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'The object that was sent with the score which is shown.',
      resolve: ({ metadata }) => (metadata === null ? null : JSON.parse(metadata)),
    }),
  }),
});
