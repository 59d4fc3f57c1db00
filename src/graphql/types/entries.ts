import { type Cursor, decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { LaurelError } from '../../core/errors.ts';
import { checkMemberId } from '../../core/member.ts';
import { driftOf, type Page, type PageRead } from '../../core/reading.ts';
import { builder } from '../builder.ts';
import { checkCount, type PageArgs, pageComplexity, pageSize } from '../paging.ts';
import { type Connection, connect, connectionType } from './connection.ts';
import { Entry, type EntrySource, entryOfStanding } from './entry.ts';
import { Period, type PeriodSource } from './period.ts';

interface EntryPage extends Connection<EntrySource> {
  readonly version: number;
  readonly changed: boolean;
  readonly drift: number | null;
}

const EntryConnection = connectionType<EntrySource, EntryPage>('Entry', Entry, 'entries');

builder.objectFields(EntryConnection, (t) => ({
  version: t.expose('version', { type: 'SafeInt', description: "The period's version the page was read at." }),
  changed: t.exposeBoolean('changed', { description: "Whether the period changed since the page's cursor was made." }),
  drift: t.exposeInt('drift', {
    nullable: true,
    description:
      "Net number of entries that crossed the page's cursor since it was made, into what was read before it (positive) or out of it; null where nobody can tell.",
  }),
}));

builder.objectFields(Period, (t) => ({
  entries: t.field({
    type: EntryConnection,
    description: 'The ranking, in board order. Ranks are those of the whole period on every page.',
    complexity: pageComplexity,
    args: {
      ...t.arg.connectionArgs(),
      offset: t.arg.int({ description: 'How many entries to skip, for numbered pages. Excludes cursors and `last`.' }),
    },
    resolve: async (source, args, { scope }) => {
      const read = pageRead(args);
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
  entriesAround: t.field({
    type: EntryConnection,
    nullable: true,
    description: 'The entries around one member, with cursors to go on from; null where the member is not ranked.',
    complexity: ({ above, below }) => ({ field: 1, multiplier: Math.max(1, above + below + 1) }),
    args: {
      memberId: t.arg.string({ required: true, description: 'The member to centre on.' }),
      above: t.arg.int({ required: true, defaultValue: 5, description: 'Entries before the member.' }),
      below: t.arg.int({ required: true, defaultValue: 5, description: 'Entries after the member.' }),
      fill: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'At either end of the board, show more of the other side rather than fewer entries.',
      }),
    },
    resolve: async (source, { memberId, above, below, fill }, { scope }) => {
      checkCount(above, 'above');
      checkCount(below, 'below');
      checkCount(above + below + 1, 'above + below + 1');
      const read = { kind: 'around', memberId: checkMemberId(memberId), above, below, fill } as const;
      const page = await scope.read(source.board.key, source.period.key, read);
      return page && entryPage(source, page, null);
    },
  }),
}));

function pageRead(args: PageArgs & { offset?: number | null | undefined }): PageRead {
  const { first, last } = pageSize(args);
  const after = args.after ? decodeCursor(args.after) : null;
  const before = args.before ? decodeCursor(args.before) : null;
  const offset = args.offset ?? 0;
  if (offset < 0) throw new LaurelError('BAD_PAGE', 'offset must not be negative.');
  if (offset > 0 && (after || before || last !== null)) {
    throw new LaurelError('BAD_PAGE', 'offset excludes after, before and last; page one way or the other.');
  }
  return { kind: 'page', first, last, after, before, offset };
}

/** A page of the store as the API shows it, with cursors that know where they come from. */
function entryPage({ board, period }: PeriodSource, page: Page, read: PageRead | null): EntryPage {
  const { head, standings, start } = page;
  const { changed, drift } = read ? driftOf(page, read) : { changed: false, drift: 0 };
  const cursorOf = (index: number): Cursor => {
    const { score, ordered } = standings[index - start] ?? { score: '0', ordered: '' };
    const { key, incarnation } = board;
    const { epoch, version } = head;
    return { board: key, incarnation, period: period.key, epoch, version, index, score, member: ordered };
  };
  const entries = standings.map((standing) => entryOfStanding(board, period, head, standing));
  const more = { before: start > page.low, after: start + standings.length < page.high };
  return {
    ...connect(entries, (entry) => encodeCursor(cursorOf(entry.index)), more),
    totalCount: page.high - page.low,
    version: head.version,
    changed,
    drift,
  };
}
