import { limits } from '../../core/limits.ts';
import type { ScoreInput as ScoreInputShape } from '../../core/submission.ts';
import { builder } from '../builder.ts';
import { ScorePolicy } from './enums.ts';

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** What is said of one score, whether it is sent alone or among others. */
const scoreFields = (t: InputFields) => ({
  memberId: t.string({ required: true, description: '1 to 128 bytes of UTF-8: a stable id, not a name.' }),
  score: t.float({ required: true, description: "With no more decimals than the board's scoreScale." }),
  scorePolicy: t.field({ type: ScorePolicy, description: "Instead of the board's, for this score." }),
  occurredAt: t.field({ type: 'DateTime', description: 'When it happened; without it, now. It decides the periods.' }),
  sortKey: t.string({
    description:
      'On SORT_KEY boards: decides between equal scores; without it and `sortName` the entry keeps the one it has.',
  }),
  sortName: t.string({ description: 'On SORT_KEY boards: a name to make the key of, where no `sortKey` is sent.' }),
  metadata: t.field({
    type: 'JSONObject',
    description: `Kept with the score, and shown while that score is; up to ${limits.metadataBytes} bytes as JSON.`,
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
    sortKey: input.sortKey ?? undefined,
    sortName: input.sortName ?? undefined,
    metadata: input.metadata ?? undefined,
    idempotencyKey: input.idempotencyKey ?? undefined,
  };
}
