import { getPeriod } from '../../core/calendar.ts';
import type { LaurelError } from '../../core/errors.ts';
import { errorMeanings } from '../../core/errors.ts';
import type { Leaderboard } from '../../core/leaderboard.ts';
import { formatScore } from '../../core/score.ts';
import { ranksOf, shownRank } from '../../core/standing.ts';
import type { Change, Skip, Submitted } from '../../core/submission.ts';
import { builder } from '../builder.ts';
import { Entry, entryOfWrite } from './entry.ts';
import { Cadence, ChangeOutcome, ErrorCode } from './enums.ts';
import { Period } from './period.ts';

/** A submission's result with what is needed to show it. */
export interface SubmissionSource {
  readonly board: Leaderboard;
  readonly submitted: Submitted;
}

interface ChangeSource {
  readonly board: Leaderboard;
  readonly change: Change;
}

const EntryChange = builder.objectRef<ChangeSource>('EntryChange').implement({
  description: 'What a submission did to one period.',
  fields: (t) => ({
    period: t.field({
      type: Period,
      description: 'Which period.',
      resolve: ({ board, change }) => ({ board, period: getPeriod(board, change.period) }),
    }),
    outcome: t.field({ type: ChangeOutcome, description: 'What happened.', resolve: ({ change }) => change.outcome }),
    applied: t.boolean({
      description: 'Whether the entry was made or moved.',
      resolve: ({ change }) => change.outcome === 'APPLIED',
    }),
    late: t.boolean({ description: 'Whether the period had ended already.', resolve: ({ change }) => change.late }),
    version: t.field({
      type: 'SafeInt',
      description: "The period's version after the submission.",
      resolve: ({ change }) => change.version,
    }),
    entry: t.field({
      type: Entry,
      nullable: true,
      description: 'The entry as this write left it: the stored one, not the attempted. Null below the cut.',
      resolve: ({ board, change }) =>
        change.entry && entryOfWrite(board, getPeriod(board, change.period), change.version, change.entry),
    }),
    previousScore: t.float({
      nullable: true,
      description: 'The score before; null where there was no entry.',
      resolve: ({ board, change: { before } }) => before && formatScore(before.score, board.scoreScale),
    }),
    previousRank: t.int({
      nullable: true,
      description: "The rank before, by the board's method.",
      resolve: ({ board, change: { before } }) => before && shownRank(board, ranksOf(before)),
    }),
    previousIndex: t.int({
      nullable: true,
      description: 'The index before.',
      resolve: ({ change }) => change.before?.index,
    }),
  }),
});

const SkippedPeriod = builder.objectRef<Skip>('SkippedPeriod').implement({
  description: 'A period that did not take the score, and why.',
  fields: (t) => ({
    period: t.exposeString('period', {
      nullable: true,
      description: "The period's key; null where there is none, between seasons.",
    }),
    cadence: t.expose('cadence', { type: Cadence, description: 'Its cadence.' }),
    code: t.expose('code', { type: ErrorCode, description: 'Why, for programs.' }),
    message: t.string({ description: 'Why, for people.', resolve: ({ code }) => errorMeanings[code] }),
  }),
});

export const SubmitScorePayload = builder.objectRef<SubmissionSource>('SubmitScorePayload').implement({
  description: 'What became of one score.',
  fields: (t) => ({
    submissionId: t.id({ description: 'Names it in logs and events.', resolve: ({ submitted }) => submitted.id }),
    applied: t.boolean({ description: 'Whether any entry changed.', resolve: ({ submitted }) => submitted.applied }),
    duplicate: t.boolean({
      description: 'Whether this is the first result of a submission that was sent again.',
      resolve: ({ submitted }) => submitted.duplicate,
    }),
    changes: t.field({
      type: [EntryChange],
      description: 'Each period that took it.',
      resolve: ({ board, submitted }) => submitted.changes.map((change) => ({ board, change })),
    }),
    skipped: t.field({
      type: [SkippedPeriod],
      description: 'Each period that did not.',
      resolve: ({ submitted }) => [...submitted.skipped],
    }),
  }),
});

/** A refusal as data: graphql-js would throw an Error that it meets as a value. */
type Refusal = Pick<LaurelError, 'code' | 'message'>;

const SubmitError = builder.objectRef<Refusal>('SubmitError').implement({
  description: 'Why one score of a batch was refused.',
  fields: (t) => ({
    code: t.expose('code', { type: ErrorCode, description: 'For programs.' }),
    message: t.exposeString('message', { description: 'For people.' }),
  }),
});

/** One score of a batch: exactly one of the two. */
export interface OutcomeSource {
  readonly payload: SubmissionSource | null;
  readonly error: Refusal | null;
}

export const SubmitOutcome = builder.objectRef<OutcomeSource>('SubmitOutcome').implement({
  description: 'What became of one score of a batch: a payload or an error.',
  fields: (t) => ({
    payload: t.expose('payload', { type: SubmitScorePayload, nullable: true, description: 'The result.' }),
    error: t.expose('error', { type: SubmitError, nullable: true, description: 'Why it was refused.' }),
  }),
});
