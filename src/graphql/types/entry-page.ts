import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { LaurelError } from '../../core/errors.ts';
import { driftOf, type Page, type PageRead, type Window } from '../../core/reading.ts';
import { builder } from '../builder.ts';
import { type PageArgs, pageSize } from '../paging.ts';
import { type Connection, connectionType } from './connection.ts';
import { Entry, type EntrySource, entryOfStanding } from './entry.ts';
import type { PeriodSource } from './period.ts';

interface EntryPage extends Connection<EntrySource> {
  /** Index in the period where the list begins. */
  readonly low: number;
  readonly version: number;
  readonly changed: boolean;
  readonly drift: number | null;
}

const { Connection: EntryConnection, Edge } = connectionType<EntrySource, EntryPage>('Entry', Entry, 'entries');

export { EntryConnection };

builder.objectFields(Edge, (t) => ({
  place: t.int({
    description: '1-based place within this list; the rank is that in the whole period.',
    resolve: ({ page, node }) => node.index - page.low + 1,
  }),
}));

builder.objectFields(EntryConnection, (t) => ({
  version: t.expose('version', { type: 'SafeInt', description: "The period's version the page was read at." }),
  changed: t.exposeBoolean('changed', { description: "Whether the period changed since the page's cursor was made." }),
  drift: t.exposeInt('drift', {
    nullable: true,
    description:
      "Net number of entries that crossed the page's cursor since it was made, into what was read before it (positive) or out of it; null where nobody can tell.",
  }),
}));

/** What a list field's arguments ask of the store. */
export function pageRead(window: Window, args: PageArgs & { offset?: number | null | undefined }): PageRead {
  const { first, last } = pageSize(args);
  const after = typeof args.after === 'string' ? decodeCursor(args.after) : null;
  const before = typeof args.before === 'string' ? decodeCursor(args.before) : null;
  const offset = args.offset ?? 0;
  if (offset < 0) throw new LaurelError('BAD_PAGE', 'offset must not be negative.');
  if (offset > 0 && (after || before || last !== null)) {
    throw new LaurelError('BAD_PAGE', 'offset excludes after, before and last; page one way or the other.');
  }
  return { kind: 'page', window, first, last, after, before, offset };
}

/** A page of the store as the API shows it, with cursors that know where they come from. */
export function entryPage({ board, period }: PeriodSource, page: Page, read: PageRead | null): EntryPage {
  const { head, standings, start, low, high } = page;
  const { changed, drift } = read ? driftOf(page, read) : { changed: false, drift: 0 };
  const { key, incarnation } = board;
  const { epoch, version } = head;
  const nodes = standings.map((standing) => entryOfStanding(board, period, head, standing));
  const cursorOf = ({ index, score }: EntrySource) => {
    const member = standings[index - start]?.ordered ?? '';
    return encodeCursor({ board: key, incarnation, period: period.key, epoch, version, index, score, member });
  };
  const more = { before: start > low, after: start + standings.length < high };
  return { nodes, cursorOf, more, totalCount: high - low, low, version, changed, drift };
}
