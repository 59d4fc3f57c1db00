import { getPeriod } from '../../core/calendar.ts';
import { LaurelError } from '../../core/errors.ts';
import type { Leaderboard } from '../../core/leaderboard.ts';
import { limits } from '../../core/limits.ts';
import type { Removal } from '../../core/submission.ts';
import { builder } from '../builder.ts';
import { Period } from './period.ts';
import { ScoreInput, SubmitScoreInput, scoreOfInput } from './score-input.ts';
import { type OutcomeSource, type SubmissionSource, SubmitOutcome, SubmitScorePayload } from './submission.ts';

builder.mutationField('submitScore', (t) =>
  t.field({
    type: SubmitScorePayload,
    description: 'Sends one score into all periods of a board that contain its event time, in one atomic step.',
    args: { input: t.arg({ type: SubmitScoreInput, required: true, description: 'The score.' }) },
    resolve: async (_, { input }, { services: { boards, scoring } }): Promise<SubmissionSource> => {
      const submitted = await scoring.submit(input.leaderboard, scoreOfInput(input));
      return { board: await boards.get(input.leaderboard), submitted };
    },
  }),
);

const SetSortKeyInput = builder.inputType('SetSortKeyInput', {
  description: 'Another sort key for an entry.',
  fields: (t) => ({
    leaderboard: t.string({ required: true, description: "The board's key." }),
    memberId: t.string({ required: true, description: 'Whose entry.' }),
    sortKey: t.string({ description: 'The key itself.' }),
    sortName: t.string({ description: 'A name to make the key of, where no `sortKey` is sent.' }),
  }),
});

builder.mutationField('setSortKey', (t) =>
  t.field({
    type: SubmitScorePayload,
    description: 'Gives an entry of a SORT_KEY board another key, in the current periods. Its score stays.',
    args: { input: t.arg({ type: SetSortKeyInput, required: true, description: 'The key.' }) },
    resolve: async (_, { input }, { services: { boards, scoring } }): Promise<SubmissionSource> => {
      const { leaderboard, memberId, sortKey, sortName } = input;
      const keys = { sortKey: sortKey ?? undefined, sortName: sortName ?? undefined };
      const submitted = await scoring.setSortKey(leaderboard, { memberId, ...keys });
      return { board: await boards.get(leaderboard), submitted };
    },
  }),
);

const BlockInput = builder.inputType('BlockInput', {
  description:
    'Makes a batch a block: one atomic step that is applied at most once for as long as the board lives. `from` and `to` name the block by content and place, for example by a hash of all rows before it, and of those and its own.',
  fields: (t) => ({
    from: t.string({ required: true, description: 'Where the block begins.' }),
    to: t.string({ required: true, description: 'Where it ends. Another `to` at the same `from` is BLOCK_CONFLICT.' }),
  }),
});

const SubmitScoresInput = builder.inputType('SubmitScoresInput', {
  description: 'Scores for one board.',
  fields: (t) => ({
    leaderboard: t.string({ required: true, description: "The board's key." }),
    scores: t.field({
      type: [ScoreInput],
      required: true,
      description: `The scores, up to ${limits.batchSize}; in a block up to ${limits.blockSize}.`,
    }),
    block: t.field({ type: BlockInput, description: 'Applies all of them in one step, once.' }),
  }),
});

const SubmitScoresPayload = builder.objectRef<{ outcomes: OutcomeSource[] }>('SubmitScoresPayload').implement({
  description: 'What became of a batch.',
  fields: (t) => ({
    duplicate: t.boolean({
      description: 'Whether every score of it had been applied before.',
      resolve: ({ outcomes }) =>
        outcomes.length > 0 && outcomes.every(({ payload }) => payload === null || payload.submitted.duplicate),
    }),
    outcomes: t.field({ type: [SubmitOutcome], description: 'In the order of the input.', resolve: (p) => p.outcomes }),
  }),
});

builder.mutationField('submitScores', (t) =>
  t.field({
    type: SubmitScoresPayload,
    description: 'Sends many scores, each with its own outcome: a bad one does not spoil the others.',
    args: { input: t.arg({ type: SubmitScoresInput, required: true, description: 'The scores.' }) },
    resolve: async (_, { input: { leaderboard, scores, block } }, { services: { boards, scoring } }) => {
      const scored = await scoring.submitAll(leaderboard, scores.map(scoreOfInput), block ?? undefined);
      const board = await boards.get(leaderboard);
      const outcomes = scored.map((submitted): OutcomeSource => {
        if (submitted instanceof LaurelError) {
          const { code, message } = submitted;
          return { payload: null, error: { code, message } };
        }
        return { payload: { board, submitted }, error: null };
      });
      return { outcomes };
    },
  }),
);

const RemoveEntryInput = builder.inputType('RemoveEntryInput', {
  description: 'Which entry to remove.',
  fields: (t) => ({
    leaderboard: t.string({ required: true, description: "The board's key." }),
    memberId: t.string({ required: true, description: 'Whose entry.' }),
    period: t.string({ description: 'From this period; without it, from all that still accept scores.' }),
  }),
});

const RemovedEntry = builder.objectRef<{ board: Leaderboard; removal: Removal }>('RemovedEntry').implement({
  description: 'An entry that was removed.',
  fields: (t) => ({
    period: t.field({
      type: Period,
      description: 'Where it stood.',
      resolve: ({ board, removal }) => ({ board, period: getPeriod(board, removal.period) }),
    }),
    previousIndex: t.int({ description: 'Its index before.', resolve: ({ removal }) => removal.before.index }),
    version: t.field({
      type: 'SafeInt',
      description: 'The period after it.',
      resolve: ({ removal }) => removal.version,
    }),
  }),
});

const RemoveEntryPayload = builder
  .objectRef<{ board: Leaderboard; removals: Removal[] }>('RemoveEntryPayload')
  .implement({
    description: 'What was removed.',
    fields: (t) => ({
      removed: t.field({
        type: [RemovedEntry],
        description: 'One for each period that held an entry.',
        resolve: ({ board, removals }) => removals.map((removal) => ({ board, removal })),
      }),
    }),
  });

builder.mutationField('removeEntry', (t) =>
  t.field({
    type: RemoveEntryPayload,
    description: "Removes a member's entry from one period, or from all that still accept scores.",
    args: { input: t.arg({ type: RemoveEntryInput, required: true, description: 'Which entry.' }) },
    resolve: (_, { input: { leaderboard, memberId, period } }, { services: { scoring } }) =>
      scoring.removeEntry(leaderboard, memberId, period ?? null),
  }),
);
