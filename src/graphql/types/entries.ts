import { LaurelError } from '../../core/errors.ts';
import type { Leaderboard } from '../../core/leaderboard.ts';
import { limits } from '../../core/limits.ts';
import { checkMemberId } from '../../core/member.ts';
import type { PageRead, Window } from '../../core/reading.ts';
import { parseScore } from '../../core/score.ts';
import { builder } from '../builder.ts';
import { checkCount, pageComplexity } from '../paging.ts';
import { Entry, type EntrySource, entryOfStanding } from './entry.ts';
import { EntryConnection, entryPage, pageRead } from './entry-page.ts';
import { Period } from './period.ts';

const ListedEntry = builder.objectRef<{ place: number; entry: EntrySource }>('ListedEntry').implement({
  description: 'One of the entries that were asked for by member.',
  fields: (t) => ({
    place: t.exposeInt('place', { description: '1-based place among those asked for.' }),
    entry: t.expose('entry', { type: Entry, description: 'The entry, with its rank in the whole period.' }),
  }),
});

builder.objectFields(Period, (t) => ({
  entries: t.field({
    type: EntryConnection,
    description:
      'The ranking, in board order: all of it, or a range of scores. Ranks are those of the whole period on every page.',
    complexity: pageComplexity,
    args: {
      ...t.arg.connectionArgs(),
      offset: t.arg.int({ description: 'Skip so many entries: numbered pages. Excludes cursors and `last`.' }),
      minScore: t.arg.float({ description: 'Only entries with at least this score.' }),
      maxScore: t.arg.float({ description: 'Only entries with at most this score.' }),
    },
    resolve: async (source, args, { scope }) => {
      const { board, period } = source;
      const read = pageRead(scoreWindow(board, args.minScore ?? null, args.maxScore ?? null), args);
      return entryPage(source, await scope.read(board.key, period.key, read), read);
    },
  }),
  entriesRanked: t.field({
    type: EntryConnection,
    description: "All entries that share a rank, by the board's method. None where no entry has it.",
    complexity: pageComplexity,
    args: { rank: t.arg.int({ required: true, description: '1-based.' }), ...t.arg.connectionArgs() },
    resolve: async (source, { rank, ...args }, { scope }) => {
      const read = pageRead({ kind: 'rank', rank: atLeastOne(rank) }, args);
      return entryPage(source, await scope.read(source.board.key, source.period.key, read), read);
    },
  }),
  entry: t.field({
    type: Entry,
    nullable: true,
    description: "One member's entry; null where the member is not ranked.",
    args: { memberId: t.arg.string({ required: true, description: 'The ranked member.' }) },
    resolve: async ({ board, period }, { memberId }, { scope }) => {
      const read = { kind: 'entry', memberId: checkMemberId(memberId) } as const;
      const { head, standing } = await scope.read(board.key, period.key, read);
      return standing && entryOfStanding(board, period, head, standing);
    },
  }),
  entryAt: t.field({
    type: Entry,
    nullable: true,
    description: 'The entry at a position in board order; null past the end.',
    args: { index: t.arg.int({ required: true, description: '0-based, in board order.' }) },
    resolve: async ({ board, period }, { index }, { scope }) => {
      if (index < 0) throw new LaurelError('BAD_INPUT', 'index must not be negative.');
      const { head, standings } = await scope.read(board.key, period.key, pageAt(index));
      return standings[0] && entryOfStanding(board, period, head, standings[0]);
    },
  }),
  entriesOf: t.field({
    type: [ListedEntry],
    description:
      'The entries of these members, best first, with their ranks in the whole period; who is not ranked is left out.',
    complexity: ({ memberIds }) => ({ field: 1, multiplier: Math.max(1, memberIds.length) }),
    args: {
      memberIds: t.arg.stringList({ required: true, description: `Friends, a team: up to ${limits.listSize}.` }),
    },
    resolve: async ({ board, period }, { memberIds }, { scope }) => {
      if (memberIds.length > limits.listSize) {
        throw new LaurelError('PAGE_TOO_LARGE', `At most ${limits.listSize} members can be asked for at a time.`);
      }
      const read = { kind: 'list', memberIds: [...new Set(memberIds.map(checkMemberId))] } as const;
      const { head, standings } = await scope.read(board.key, period.key, read);
      return standings
        .filter((standing) => standing !== null)
        .sort((a, b) => a.index - b.index)
        .map((standing, i) => ({ place: i + 1, entry: entryOfStanding(board, period, head, standing) }));
    },
  }),
  entriesAround: t.field({
    type: EntryConnection,
    nullable: true,
    description:
      'The entries around a member, or around where a score would stand: a page to go on from. Null where the member is not ranked.',
    complexity: ({ above, below }) => ({ field: 1, multiplier: Math.max(1, above + below + 1) }),
    args: {
      memberId: t.arg.string({ description: 'Whom to centre on. Pass this or `score`.' }),
      score: t.arg.float({ description: 'Centre on the best place a new entry with this score could have.' }),
      above: t.arg.int({ required: true, defaultValue: 5, description: 'Entries before the place.' }),
      below: t.arg.int({ required: true, defaultValue: 5, description: 'Entries after the place.' }),
      fill: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'At either end of the board, show more of the other side rather than fewer entries.',
      }),
    },
    resolve: async (source, { memberId, score, above, below, fill }, { scope }) => {
      checkCount(above, 'above');
      checkCount(below, 'below');
      checkCount(above + below + 1, 'above + below + 1');
      const centre = centreOf(source.board, memberId ?? null, score ?? null);
      const page = await scope.read(source.board.key, source.period.key, {
        kind: 'around',
        centre,
        above,
        below,
        fill,
      });
      return page && entryPage(source, page, null);
    },
  }),
}));

/** One entry by position. */
export const pageAt = (index: number): PageRead => ({
  kind: 'page',
  window: { kind: 'all' },
  after: null,
  before: null,
  offset: index,
  first: 1,
  last: null,
});

export function atLeastOne(rank: number): number {
  if (rank >= 1) return rank;
  throw new LaurelError('BAD_INPUT', 'rank must be 1 or more.');
}

function scoreWindow(board: Leaderboard, minScore: number | null, maxScore: number | null): Window {
  if (minScore === null && maxScore === null) return { kind: 'all' };
  const stored = (score: number | null) => (score === null ? null : parseScore(score, board.scoreScale));
  return { kind: 'scores', minScore: stored(minScore), maxScore: stored(maxScore) };
}

function centreOf(board: Leaderboard, memberId: string | null, score: number | null) {
  if ((memberId === null) === (score === null)) {
    throw new LaurelError('BAD_INPUT', 'Pass memberId or score: one of them.');
  }
  if (memberId !== null) return { memberId: checkMemberId(memberId) };
  return { score: parseScore(score ?? 0, board.scoreScale) };
}
