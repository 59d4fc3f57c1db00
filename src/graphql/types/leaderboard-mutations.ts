import type { Leaderboard as LeaderboardShape } from '../../core/leaderboard.ts';
import { limits } from '../../core/limits.ts';
import { builder } from '../builder.ts';
import { Cadence, RankMethod, ScorePolicy, SortKeyOrder, SortKeyType, SortOrder, TieBreak } from './enums.ts';
import { Leaderboard } from './leaderboard.ts';

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const keyField = (t: InputFields) => t.string({ required: true, description: "The board's key." });

const changeableFields = (t: InputFields) => ({
  title: t.string({
    description: `Its name for people, up to ${limits.titleBytes} bytes; its key if it never got one.`,
  }),
  minScore: t.float({ description: 'The lowest score it accepts; null for no bound.' }),
  maxScore: t.float({ description: 'The highest score it accepts; null for no bound.' }),
});

/** How names become sort keys: it may change, for keys derived from then on. */
const nameFields = (t: InputFields) => ({
  sortLocale: t.string({ description: 'BCP 47 tag by whose rules a `sortName` becomes a sort key. By default en.' }),
  naturalNumbers: t.boolean({
    description: 'Whether a `sortName` orders numbers by value: 9 before 10. By default false.',
  }),
});

/** How long closed periods are kept, and where. */
const retentionFields = (t: InputFields) => ({
  retentionSeconds: t.int({
    description: 'How long Redis keeps a period after it closed, from a minute. By default 90 days.',
  }),
  archive: t.boolean({
    description:
      'Whether closed periods go into the archive. By default true; else they are gone when Redis lets them go.',
  }),
  archiveRetentionSeconds: t.field({
    type: 'SafeInt',
    description: 'How long the archive keeps a period after it closed. By default, and where null: for ever.',
  }),
});

const CreateLeaderboardInput = builder.inputType('CreateLeaderboardInput', {
  description: 'A new board. What UpdateLeaderboardInput does not have is fixed while the board lives.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'Its name in the API: [a-z0-9][a-z0-9_-]{0,63}.' }),
    ...changeableFields(t),
    sortOrder: t.field({ type: SortOrder, defaultValue: 'HIGH_TO_LOW', description: 'Which scores come first.' }),
    scorePolicy: t.field({
      type: ScorePolicy,
      defaultValue: 'BEST',
      description: 'What a new score does to the old one.',
    }),
    tieBreak: t.field({ type: TieBreak, defaultValue: 'MEMBER_ID', description: 'What decides between equal scores.' }),
    rankMethod: t.field({
      type: RankMethod,
      defaultValue: 'COMPETITION',
      description: 'How equal scores share a rank.',
    }),
    sortKeyType: t.field({
      type: SortKeyType,
      defaultValue: 'TEXT',
      description: 'Where the tie-break is SORT_KEY: what the keys are.',
    }),
    sortKeyOrder: t.field({
      type: SortKeyOrder,
      defaultValue: 'ASCENDING',
      description: 'Where the tie-break is SORT_KEY: which key comes first.',
    }),
    denseRanks: t.boolean({
      description:
        'Keep an index of distinct scores, which `denseRank` needs. By default only where rankMethod is DENSE.',
    }),
    maxEntries: t.int({
      description: 'Keep the best so many entries and forget the others. Not with SUM. By default all are kept.',
    }),
    ...nameFields(t),
    ...retentionFields(t),
    scoreScale: t.int({ defaultValue: 0, description: 'Decimals of a score, 0 to 9.' }),
    cadences: t.field({ type: [Cadence], defaultValue: ['ALL_TIME'], description: 'How scores are cut by time.' }),
    dayStartsAt: t.string({
      description: 'Local time HH:MM at which a day, and with it every calendar period, begins. By default 00:00.',
    }),
    timeZone: t.field({
      type: 'TimeZone',
      defaultValue: 'UTC',
      description: 'IANA time zone in which its days begin.',
    }),
    graceSeconds: t.int({
      defaultValue: 0,
      description: 'How long an ended period accepts late scores; then it closes.',
    }),
  }),
});

const UpdateLeaderboardInput = builder.inputType('UpdateLeaderboardInput', {
  description: 'What to change of a board; what is left out stays. The other rules are fixed while the board lives.',
  fields: (t) => ({
    key: keyField(t),
    ...changeableFields(t),
    scorePolicy: t.field({ type: ScorePolicy, description: 'What a new score does to the old one.' }),
    rankMethod: t.field({
      type: RankMethod,
      description: 'How equal scores share a rank. DENSE once denseProgress is 1.',
    }),
    denseRanks: t.boolean({
      description:
        'Keep an index of distinct scores, which `denseRank` needs. It is built in the background: see denseProgress.',
    }),
    ...nameFields(t),
    ...retentionFields(t),
    graceSeconds: t.int({ description: 'How long an ended period accepts late scores; then it closes.' }),
    backfill: t.boolean({
      description:
        'While true, ended periods that never closed accept scores, and none closes: set it for an import of the past, and unset it after.',
    }),
  }),
});

const DeleteLeaderboardInput = builder.inputType('DeleteLeaderboardInput', {
  description: 'Which board to delete.',
  fields: (t) => ({ key: keyField(t) }),
});

const payload = (name: string, description: string) =>
  builder.objectRef<{ leaderboard: LeaderboardShape }>(name).implement({
    description,
    fields: (t) => ({ leaderboard: t.expose('leaderboard', { type: Leaderboard, description: 'The board.' }) }),
  });

/** Left out and null mean the same, except for the bounds: null removes one. */
function given<T extends object>(input: T) {
  const entries = Object.entries(input).filter(
    ([field, value]) => value !== null || /^((min|max)Score|archiveRetentionSeconds)$/.test(field),
  );
  return Object.fromEntries(entries) as {
    [K in keyof T]: K extends 'minScore' | 'maxScore' | 'archiveRetentionSeconds' ? T[K] : Exclude<T[K], null>;
  };
}

builder.mutationField('createLeaderboard', (t) =>
  t.field({
    type: payload('CreateLeaderboardPayload', 'The board as created.'),
    description: 'Creates a board.',
    args: { input: t.arg({ type: CreateLeaderboardInput, required: true, description: 'The new board.' }) },
    resolve: async (_, { input: { key, ...rules } }, { services }) => ({
      leaderboard: await services.boards.create(key, given(rules)),
    }),
  }),
);

builder.mutationField('updateLeaderboard', (t) =>
  t.field({
    type: payload('UpdateLeaderboardPayload', 'The board as changed.'),
    description: 'Changes what may change of a board.',
    args: { input: t.arg({ type: UpdateLeaderboardInput, required: true, description: 'The change.' }) },
    resolve: async (_, { input: { key, ...rules } }, { services: { boards, denseIndex } }) => {
      const leaderboard = await boards.update(key, given(rules));
      // In the background; should it fail, it is taken up again later.
      void denseIndex.build(key).catch(() => {});
      return { leaderboard };
    },
  }),
);

const DeleteLeaderboardPayload = builder.objectRef<{ key: string }>('DeleteLeaderboardPayload').implement({
  description: 'The board that is gone.',
  fields: (t) => ({ key: t.exposeString('key', { description: 'Its key.' }) }),
});

builder.mutationField('deleteLeaderboard', (t) =>
  t.field({
    type: DeleteLeaderboardPayload,
    description:
      'Deletes a board with all its periods, also those in the archive. One created after it under the same key shares nothing with it.',
    args: { input: t.arg({ type: DeleteLeaderboardInput, required: true, description: 'Which board.' }) },
    resolve: async (_, { input: { key } }, { services }) => {
      await services.past.removeBoard(key);
      return { key };
    },
  }),
);
