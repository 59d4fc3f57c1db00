import { LaurelError } from '../../core/errors.ts';
import type { Leaderboard } from '../../core/leaderboard.ts';
import { limits } from '../../core/limits.ts';
import type { Position } from '../../core/reading.ts';
import { formatScore, parseScore } from '../../core/score.ts';
import { hypotheticalRanks, shownRank, topPercent } from '../../core/standing.ts';
import { builder } from '../builder.ts';
import { atLeastOne, pageAt } from './entries.ts';
import { Period } from './period.ts';

const HypotheticalRank = builder.objectRef<{ board: Leaderboard; position: Position }>('HypotheticalRank').implement({
  description: 'Where a new entry with a score would stand, all others as they are.',
  fields: (t) => ({
    rank: t.int({
      description: "By the board's rank method.",
      resolve: ({ board, position }) =>
        shownRank({ rankMethod: position.head.rankMethod ?? board.rankMethod }, hypotheticalRanks(position)),
    }),
    competitionRank: t.int({
      description: 'Entries strictly better, plus one.',
      resolve: ({ position }) => hypotheticalRanks(position).competitionRank,
    }),
    denseRank: t.int({
      nullable: true,
      description: 'Distinct better scores, plus one; null where the board keeps no complete index of them.',
      resolve: ({ position }) => position.denseRank,
    }),
    index: t.int({
      description: 'The best position that the tie-break could give it.',
      resolve: ({ position }) => position.better,
    }),
    tieCount: t.int({ description: 'Entries that have this score now.', resolve: ({ position }) => position.ties }),
    topPercent: t.float({
      description: '100 × competition rank / entry count, the new entry included.',
      resolve: ({ position: { better, head } }) => topPercent(better + 1, head.entryCount + 1),
    }),
  }),
});

interface Bucket {
  readonly minScore: number;
  readonly maxScore: number;
  readonly count: number;
}

const ScoreBucket = builder.objectRef<Bucket>('ScoreBucket').implement({
  description: 'A range of scores, and how many entries have one in it.',
  fields: (t) => ({
    minScore: t.exposeFloat('minScore', { description: 'The lowest score of the range.' }),
    maxScore: t.exposeFloat('maxScore', { description: 'The highest score of the range.' }),
    count: t.exposeInt('count', { description: 'Exact.' }),
  }),
});

builder.objectFields(Period, (t) => ({
  rankOf: t.field({
    type: HypotheticalRank,
    description: 'Where a new entry with this score would stand.',
    args: { score: t.arg.float({ required: true, description: 'The score.' }) },
    resolve: async ({ board, period }, { score }, { scope }) => {
      const stored = parseScore(score, board.scoreScale);
      return { board, position: await scope.read(board.key, period.key, { kind: 'position', score: stored }) };
    },
  }),
  scoreFor: t.float({
    nullable: true,
    description: 'The score that stands at a place: that of the entry at index rank − 1; null past the end.',
    args: { rank: t.arg.int({ required: true, description: '1-based.' }) },
    resolve: async ({ board, period }, { rank }, { scope }) => {
      const { standings } = await scope.read(board.key, period.key, pageAt(atLeastOne(rank) - 1));
      return standings[0] && formatScore(standings[0].score, board.scoreScale);
    },
  }),
  scoreHistogram: t.field({
    type: [ScoreBucket],
    description: 'Exact counts in ranges of equal width, from the lowest score to the highest. None without entries.',
    complexity: ({ buckets }) => ({ field: buckets, multiplier: Math.max(1, buckets) }),
    args: {
      buckets: t.arg.int({
        required: true,
        defaultValue: 10,
        description: `How many, up to ${limits.histogramBuckets}; fewer where there are not as many different scores.`,
      }),
    },
    resolve: async ({ board, period }, { buckets }, { scope }): Promise<Bucket[]> => {
      if (buckets < 1 || buckets > limits.histogramBuckets) {
        throw new LaurelError('BAD_INPUT', `buckets must be from 1 to ${limits.histogramBuckets}.`);
      }
      const histogram = await scope.read(board.key, period.key, { kind: 'histogram', buckets });
      if (!histogram) return [];
      const { lowest, width, counts } = histogram;
      const score = (stored: number) => formatScore(String(stored), board.scoreScale);
      return counts.map((count, i) => ({
        minScore: score(lowest + i * width),
        maxScore: score(lowest + (i + 1) * width - 1),
        count,
      }));
    },
  }),
}));
