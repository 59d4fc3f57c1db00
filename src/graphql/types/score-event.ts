import { getPeriod } from '../../core/calendar.ts';
import { formatScore } from '../../core/score.ts';
import { knownRank, ranksOf } from '../../core/standing.ts';
import type { Fed } from '../../live/feed.ts';
import type { FeedEvent } from '../../live/log-feed.ts';
import { positionOf } from '../../live/position.ts';
import { builder } from '../builder.ts';
import { ScoreEventKind } from './enums.ts';
import { Period } from './period.ts';

export const ScoreEvent = builder.objectRef<Fed<FeedEvent>>('ScoreEvent').implement({
  description: 'One applied change of a period.',
  fields: (t) => ({
    position: t.string({
      description: 'Where the period stands after it: pass it as `since` to go on from there.',
      resolve: ({ event: { event, change } }) => positionOf(change.period, { ...event, version: change.version }),
    }),
    version: t.field({
      type: 'SafeInt',
      description: 'The period after it.',
      resolve: ({ event }) => event.change.version,
    }),
    period: t.field({
      type: Period,
      description: 'The period it happened in.',
      resolve: ({ event: { board, change } }) => ({ board, period: getPeriod(board, change.period) }),
    }),
    kind: t.field({
      type: ScoreEventKind,
      description: 'What happened.',
      resolve: ({ event }) => event.change.outcome,
    }),
    memberId: t.string({
      description: 'Whose entry.',
      resolve: ({ event: { event, change } }) => change.member ?? event.member,
    }),
    score: t.float({
      nullable: true,
      description: 'The score after it; null where the entry is gone.',
      resolve: ({ event: { board, change } }) => change.entry && formatScore(change.entry.score, board.scoreScale),
    }),
    previousScore: t.float({
      nullable: true,
      description: 'The score before it; null where there was no entry.',
      resolve: ({ event: { board, change } }) => change.before && formatScore(change.before.score, board.scoreScale),
    }),
    rank: t.int({
      nullable: true,
      description:
        'The rank after it; null where the entry is gone, or where it was told before the board ranked by DENSE.',
      resolve: ({ event: { board, change } }) => change.entry && knownRank(board, ranksOf(change.entry)),
    }),
    previousRank: t.int({
      nullable: true,
      description: 'The rank before it; null where there was no entry, or where it cannot be told.',
      resolve: ({ event: { board, change } }) => change.before && knownRank(board, ranksOf(change.before)),
    }),
    occurredAt: t.field({
      type: 'DateTime',
      description: 'When the event happened.',
      resolve: ({ event }) => new Date(event.event.at),
    }),
    gap: t.boolean({ description: 'Whether events before this one were lost.', resolve: ({ gap }) => gap }),
  }),
});
