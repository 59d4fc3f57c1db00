import { LaurelError } from '../../core/errors.ts';
import type { Leaderboard as LeaderboardShape } from '../../core/leaderboard.ts';
import { formatScore } from '../../core/score.ts';
import { builder } from '../builder.ts';
import { pageComplexity, pageSize } from '../paging.ts';
import { connectionType } from './connection.ts';
import { Cadence, RankMethod, ScorePolicy, SortKeyOrder, SortKeyType, SortOrder, TieBreak } from './enums.ts';

export const Leaderboard = builder.objectRef<LeaderboardShape>('Leaderboard');

builder.node(Leaderboard, {
  description: 'A board: its rules, and its periods.',
  id: { resolve: (board) => board.key },
  loadWithoutCache: (key, { scope }) => scope.board(key),
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Its name in the API.' }),
    title: t.exposeString('title', { description: 'Its name for people.' }),
    sortOrder: t.expose('sortOrder', { type: SortOrder, description: 'Which scores come first.' }),
    scorePolicy: t.expose('scorePolicy', { type: ScorePolicy, description: 'What a new score does to the old one.' }),
    tieBreak: t.expose('tieBreak', { type: TieBreak, description: 'What decides between equal scores.' }),
    rankMethod: t.expose('rankMethod', {
      type: RankMethod,
      description: 'How equal scores share a rank: what `rank` shows.',
    }),
    sortKeyType: t.expose('sortKeyType', {
      type: SortKeyType,
      description: 'Where the tie-break is SORT_KEY: what the keys are.',
    }),
    sortKeyOrder: t.expose('sortKeyOrder', {
      type: SortKeyOrder,
      description: 'Where the tie-break is SORT_KEY: which key comes first.',
    }),
    sortLocale: t.exposeString('sortLocale', {
      description: 'BCP 47 tag by whose rules a `sortName` becomes a sort key.',
    }),
    naturalNumbers: t.exposeBoolean('naturalNumbers', {
      description: 'Whether a `sortName` orders numbers by value: 9 before 10.',
    }),
    denseRanks: t.exposeBoolean('denseRanks', {
      description: 'Whether it keeps an index of distinct scores, which `denseRank` needs.',
    }),
    denseProgress: t.float({
      nullable: true,
      description:
        'How much of that index is built, 0 to 1: dense ranks are shown when it is complete. Null where there is none.',
      resolve: (board, _, { scope, services }) => scope.track(services.denseIndex.progress(board)),
    }),
    maxEntries: t.exposeInt('maxEntries', {
      nullable: true,
      description: 'It keeps the best so many entries and forgets the others; null: it keeps all.',
    }),
    scoreScale: t.exposeInt('scoreScale', { description: 'Decimals of a score.' }),
    minScore: t.float({
      nullable: true,
      description: 'The lowest score it accepts; null for no bound.',
      resolve: ({ minScore, scoreScale }) => (minScore === null ? null : formatScore(minScore, scoreScale)),
    }),
    maxScore: t.float({
      nullable: true,
      description: 'The highest score it accepts; null for no bound.',
      resolve: ({ maxScore, scoreScale }) => (maxScore === null ? null : formatScore(maxScore, scoreScale)),
    }),
    cadences: t.field({
      type: [Cadence],
      description: 'How scores are cut by time.',
      resolve: (board) => [...board.cadences],
    }),
    timeZone: t.expose('timeZone', { type: 'TimeZone', description: 'IANA zone of its calendar.' }),
    graceSeconds: t.exposeInt('graceSeconds', {
      description: 'How long an ended period accepts late scores; then it closes.',
    }),
    dayStartsAt: t.string({
      description: 'Local time at which a day, and with it every calendar period, begins.',
      resolve: ({ dayStartMinutes }) =>
        [Math.floor(dayStartMinutes / 60), dayStartMinutes % 60].map((n) => String(n).padStart(2, '0')).join(':'),
    }),
    retentionSeconds: t.exposeInt('retentionSeconds', {
      description: 'How long Redis keeps a period after it closed.',
    }),
    archive: t.exposeBoolean('archive', { description: 'Whether closed periods go into the archive.' }),
    archiveRetentionSeconds: t.expose('archiveRetentionSeconds', {
      type: 'SafeInt',
      nullable: true,
      description: 'How long the archive keeps a period after it closed; null: for ever.',
    }),
    backfill: t.exposeBoolean('backfill', {
      description: 'The hold of a backfill: while true, ended periods accept scores, and none closes.',
    }),
  }),
});

builder.queryField('leaderboard', (t) =>
  t.field({
    type: Leaderboard,
    nullable: true,
    description: 'A board by key; null where there is none.',
    args: { key: t.arg.string({ required: true, description: 'Its key.' }) },
    resolve: (_, { key }, { scope }) => scope.board(key),
  }),
);

const { Connection: LeaderboardConnection } = connectionType('Leaderboard', Leaderboard, 'leaderboards');

builder.queryField('leaderboards', (t) =>
  t.field({
    type: LeaderboardConnection,
    description: 'All boards, in the order of their keys.',
    complexity: pageComplexity,
    args: t.arg.connectionArgs(),
    resolve: async (_, args, { scope, services: { boards } }) => {
      const { first, last } = pageSize(args);
      const [after, before] = [keyOfCursor(args.after), keyOfCursor(args.before)];
      const page = { after, before, count: first ?? last ?? 0, fromEnd: last !== null };
      const [list, totalCount] = await scope.track(Promise.all([boards.list(page), boards.count()]));
      const more = {
        before: last === null ? after !== null : list.more,
        after: last === null ? list.more : before !== null,
      };
      return { nodes: list.boards, cursorOf: (board: LeaderboardShape) => cursorOfKey(board.key), more, totalCount };
    },
  }),
);

const cursorOfKey = (key: string) => Buffer.from(`b:${key}`).toString('base64url');

function keyOfCursor(cursor: string | null | undefined): string | null {
  if (!cursor) return null;
  const text = Buffer.from(cursor, 'base64url').toString();
  if (/^b:[a-z0-9][a-z0-9_-]{0,63}$/.test(text)) return text.slice(2);
  throw new LaurelError('BAD_CURSOR', 'This cursor does not come from a list of leaderboards.');
}
