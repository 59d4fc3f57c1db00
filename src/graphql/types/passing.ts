import type { Cursor } from '../../core/cursor.ts';
import type { Page, PageRead } from '../../core/reading.ts';
import type { Taken } from '../../live/audience.ts';
import { type Spot, scoreOf } from '../../live/move.ts';
import { mostNamed, type Passing, passing } from '../../live/passing.ts';
import type { ViewState } from '../../live/view.ts';
import type { RequestScope } from '../scope.ts';
import { type EntrySource, entryOfStanding } from './entry.ts';

const known = new WeakMap<Taken<ViewState>, Passing | null>();

/** Who passed whom, worked out once for all fields that ask. */
export function passingOf(taken: Taken<ViewState>): Passing | null {
  // Read in any case: a frame that asks this is not the same for everybody.
  const { previous } = taken;
  let found = known.get(taken);
  if (found === undefined) {
    found = passing(taken.value, previous);
    known.set(taken, found);
  }
  return found;
}

/** Some of those who passed or were passed, as they stand now: those who moved by their ids, those who stood by place. */
export async function namedEntries(
  taken: Taken<ViewState>,
  which: keyof Passing,
  scope: RequestScope,
): Promise<EntrySource[]> {
  const passed = passingOf(taken)?.[which];
  if (!passed) return [];
  const { value, previous } = taken;
  const { board, period, recent } = value;
  const { movers, between } = passed;
  const [moved, stood] = await Promise.all([
    movers.length > 0 ? scope.read(board.key, period.key, { kind: 'list', memberIds: movers }) : null,
    between ? scope.read(board.key, period.key, pageBetween(value, between, which)) : null,
  ]);
  const moving = recent.movedAfter(previous?.head.version ?? 0);
  const member = value.standings[0]?.memberId;
  const still = (stood?.standings ?? []).filter(({ memberId }) => !moving.has(memberId) && memberId !== member);
  const entries = [
    ...(moved?.standings ?? []).flatMap((standing) =>
      standing && moved ? [entryOfStanding(board, period, moved.head, standing)] : [],
    ),
    ...still.map((standing) => entryOfStanding(board, period, (stood as Page).head, standing)),
  ];
  const nearest = which === 'passed' ? 1 : -1;
  return entries.sort((a, b) => nearest * (a.index - b.index)).slice(0, mostNamed);
}

/** More than are named: some of those between the places moved there only now. */
const mostRead = 4 * mostNamed;

function pageBetween(
  value: ViewState,
  { after, before }: { after: Spot; before: Spot },
  which: keyof Passing,
): PageRead {
  const { board, period, head } = value;
  const cursor = (spot: Spot): Cursor => ({
    ...{ board: board.key, incarnation: board.incarnation, period: period.key },
    ...{ epoch: head.epoch, version: head.version, index: 0 },
    score: scoreOf(board, spot.key),
    member: spot.ordered,
  });
  return {
    ...{ kind: 'page', window: { kind: 'all' }, after: cursor(after), before: cursor(before), offset: 0 },
    ...(which === 'passed' ? { first: mostRead, last: null } : { first: null, last: mostRead }),
  };
}
