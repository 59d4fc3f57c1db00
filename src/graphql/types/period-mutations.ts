import type { Leaderboard as LeaderboardShape } from '../../core/leaderboard.ts';
import { limits } from '../../core/limits.ts';
import { builder } from '../builder.ts';
import { Leaderboard } from './leaderboard.ts';
import { Period, type PeriodSource } from './period.ts';

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const boardField = (t: InputFields) => t.string({ required: true, description: "The board's key." });
const periodField = (t: InputFields) => t.string({ required: true, description: "The period's key." });

const boardPayload = (name: string, description: string) =>
  builder.objectRef<{ leaderboard: LeaderboardShape }>(name).implement({
    description,
    fields: (t) => ({ leaderboard: t.expose('leaderboard', { type: Leaderboard, description: 'The board.' }) }),
  });

const periodPayload = (name: string, description: string) =>
  builder.objectRef<PeriodSource>(name).implement({
    description,
    fields: (t) => ({ period: t.field({ type: Period, description: 'The period.', resolve: (source) => source }) }),
  });

const CreateSeasonInput = builder.inputType('CreateSeasonInput', {
  description: 'A season of a board with the cadence SEASON. Seasons do not overlap.',
  fields: (t) => ({
    leaderboard: boardField(t),
    key: t.string({
      required: true,
      description: 'Its name: [a-z0-9][a-z0-9_-]{0,63}, and not like the key of a calendar period.',
    }),
    startsAt: t.field({ type: 'DateTime', required: true, description: 'Its first instant.' }),
    endsAt: t.field({ type: 'DateTime', required: true, description: 'The first instant after it.' }),
  }),
});

builder.mutationField('createSeason', (t) =>
  t.field({
    type: boardPayload('CreateSeasonPayload', 'The board with its new season.'),
    description: 'Adds a season to a board with the cadence SEASON.',
    args: { input: t.arg({ type: CreateSeasonInput, required: true, description: 'The season.' }) },
    resolve: async (_, { input: { leaderboard, key, startsAt, endsAt } }, { services: { seasons } }) => {
      const season = { key, startsAt: startsAt.getTime(), endsAt: endsAt.getTime() };
      return { leaderboard: await seasons.create(leaderboard, season) };
    },
  }),
);

const UpdateSeasonInput = builder.inputType('UpdateSeasonInput', {
  description: 'New edges for a season that has not begun; what is left out stays.',
  fields: (t) => ({
    leaderboard: boardField(t),
    key: t.string({ required: true, description: "The season's key." }),
    startsAt: t.field({ type: 'DateTime', description: 'Its first instant.' }),
    endsAt: t.field({ type: 'DateTime', description: 'The first instant after it.' }),
  }),
});

builder.mutationField('updateSeason', (t) =>
  t.field({
    type: boardPayload('UpdateSeasonPayload', 'The board with its moved season.'),
    description: 'Moves a season that has not begun.',
    args: { input: t.arg({ type: UpdateSeasonInput, required: true, description: 'The new edges.' }) },
    resolve: async (_, { input: { leaderboard, key, startsAt, endsAt } }, { services: { seasons } }) => {
      const edges = { startsAt: startsAt?.getTime(), endsAt: endsAt?.getTime() };
      return { leaderboard: await seasons.move(leaderboard, key, edges) };
    },
  }),
);

const EndSeasonInput = builder.inputType('EndSeasonInput', {
  description: 'Which season to end.',
  fields: (t) => ({
    leaderboard: boardField(t),
    key: t.string({ required: true, description: "The season's key." }),
  }),
});

builder.mutationField('endSeason', (t) =>
  t.field({
    type: boardPayload('EndSeasonPayload', 'The board with its ended season.'),
    description: "Ends a running season now. It closes when the board's grace is over.",
    args: { input: t.arg({ type: EndSeasonInput, required: true, description: 'Which season.' }) },
    resolve: async (_, { input: { leaderboard, key } }, { services: { seasons } }) => ({
      leaderboard: await seasons.end(leaderboard, key),
    }),
  }),
);

const ClosePeriodInput = builder.inputType('ClosePeriodInput', {
  description: 'Which period to close.',
  fields: (t) => ({ leaderboard: boardField(t), period: periodField(t) }),
});

builder.mutationField('closePeriod', (t) =>
  t.field({
    type: periodPayload('ClosePeriodPayload', 'The closed period.'),
    description:
      'Closes a period that has ended, without waiting for the rest of its grace, and returns when it is archived.',
    args: { input: t.arg({ type: ClosePeriodInput, required: true, description: 'Which period.' }) },
    resolve: (_, { input: { leaderboard, period } }, { services: { closing } }) =>
      closing.closeNow(leaderboard, period),
  }),
);

const CorrectEntryInput = builder.inputType('CorrectEntryInput', {
  description: 'What is right in an archived period.',
  fields: (t) => ({
    leaderboard: boardField(t),
    period: periodField(t),
    memberId: t.string({ required: true, description: 'Whose entry.' }),
    score: t.float({ description: 'The right score; null or none takes the entry out.' }),
  }),
});

builder.mutationField('correctEntry', (t) =>
  t.field({
    type: periodPayload('CorrectEntryPayload', 'The period, now at its new revision.'),
    description:
      'Corrects an archived period by making a new revision of it, which is read from then on. Older ones stay readable as `key~revision`.',
    args: { input: t.arg({ type: CorrectEntryInput, required: true, description: 'The correction.' }) },
    resolve: (_, { input: { leaderboard, period, memberId, score } }, { services: { past } }) =>
      past.correct(leaderboard, period, memberId, score ?? null),
  }),
);

const CreateSnapshotInput = builder.inputType('CreateSnapshotInput', {
  description: 'What to copy, and for how long.',
  fields: (t) => ({
    leaderboard: boardField(t),
    period: periodField(t),
    ttlSeconds: t.int({
      required: true,
      defaultValue: 3600,
      description: 'How long the copy is kept, 1 second to a year.',
    }),
  }),
});

builder.mutationField('createSnapshot', (t) =>
  t.field({
    type: periodPayload('CreateSnapshotPayload', 'The copy.'),
    description: `Makes a closed copy of a period as it is now, for strict paging, reports and audits: its key is \`key@version\`. Up to ${limits.snapshotEntries.toLocaleString('en')} entries, since the copy is one step of Redis.`,
    args: { input: t.arg({ type: CreateSnapshotInput, required: true, description: 'Of what.' }) },
    resolve: (_, { input: { leaderboard, period, ttlSeconds } }, { services: { past } }) =>
      past.snapshot(leaderboard, period, ttlSeconds),
  }),
);
