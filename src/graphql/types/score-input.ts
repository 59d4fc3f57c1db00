import { limits } from '../../core/limits.ts';
import type { ScoreInput as ScoreInputShape } from '../../core/submission.ts';
import { builder } from '../builder.ts';
import { ScorePolicy } from './enums.ts';

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** What is said of one score, whether it is sent alone or among others. */
const scoreFields = (t: InputFields) => ({
  memberId: t.string({
    required: true,
    description: 'Who scored: a stable id, not a name, of 1 to 128 bytes of UTF-8.',
  }),
  score: t.float({ required: true, description: "The score, with no more decimals than the board's scoreScale." }),
  scorePolicy: t.field({ type: ScorePolicy, description: "Used in place of the board's policy, for this score only." }),
  occurredAt: t.field({
    type: 'DateTime',
    description: 'When it happened; by default now. It decides which periods the score counts for.',
  }),
  idempotencyKey: t.string({
    description: `Makes a retry return the first result, for ${limits.idempotencyTtlMs / 3_600_000} hours.`,
  }),
});

export const SubmitScoreInput = builder.inputType('SubmitScoreInput', {
  description: 'One score for one board.',
  fields: (t) => ({
    leaderboard: t.string({ required: true, description: "The board's key." }),
    ...scoreFields(t),
  }),
});

export const ScoreInput = builder.inputType('ScoreInput', {
  description: 'One score of a batch.',
  fields: (t) => scoreFields(t),
});

/** GraphQL's null and Date → what the core takes. */
export function scoreOfInput(input: typeof ScoreInput.$inferInput): ScoreInputShape {
  return {
    memberId: input.memberId,
    score: input.score,
    scorePolicy: input.scorePolicy ?? undefined,
    occurredAt: input.occurredAt?.getTime(),
    idempotencyKey: input.idempotencyKey ?? undefined,
  };
}
