import type { BoardEvent, ChangeEvent } from '../core/events.ts';
import type { Before, Change, Place, Removal, WrittenEntry } from '../core/submission.ts';

/** Score, index, competition rank, dense rank, and how the ranking holds the member where not by the id alone. */
type RawPlace = [score: string, index: number, rank: number, dense: number, ordered: string | 0];
type RawBefore = [...RawPlace, dropped: 0 | 1];
type RawEntry = [...RawPlace, ties: number, total: number, metadata?: string];

/** What change.lua writes of a change; 0 stands for what there is not. */
export type RawChange<Outcome> = [
  period: string,
  outcome: Outcome,
  version: number,
  late: 0 | 1,
  annotated: 0 | 1,
  before: RawBefore | 0,
  /** A text: whose entry fell out. */
  entry: RawEntry | 0 | string,
];

export type RawEvent = [
  id: string,
  member: string,
  at: number,
  changes: RawChange<ChangeEvent['outcome']>[],
  closed?: string,
];

function decodePlace([score, index, rank, dense, ordered]: readonly [...RawPlace, ...unknown[]], member: string) {
  const place: Place & { score: string; ordered: string } = { score, ordered: ordered || member, index, rank };
  return dense ? { ...place, dense } : place;
}

function decodeBefore(raw: RawBefore, member: string): Before {
  const place = decodePlace(raw, member);
  return raw[5] ? { ...place, dropped: true } : place;
}

function decodeEntry(raw: RawEntry, member: string): WrittenEntry {
  const [, , , , , ties, total, metadata] = raw;
  const entry = { ...decodePlace(raw, member), ties, total };
  return metadata === undefined ? entry : { ...entry, metadata };
}

/** What a submission did to a period, for who made it. */
export function decodeChange(raw: RawChange<Change['outcome']>, member: string): Change {
  const [period, outcome, version, late, , before, entry] = raw;
  return {
    ...{ period, outcome, version, late: late === 1 },
    ...(before ? { before: decodeBefore(before, member) } : {}),
    ...(Array.isArray(entry) ? { entry: decodeEntry(entry, member) } : {}),
  };
}

/** What a removal did to a period. */
export function decodeRemoval([period, , version, , , before]: RawChange<'REMOVED'>, member: string): Removal {
  if (!before) throw new Error('remove.lua answered a removal of nothing');
  return { period, version, before: decodeBefore(before, member) };
}

/** What a message says of a period, for who hears of it. */
function decodeChangeEvent(raw: RawChange<ChangeEvent['outcome']>, member: string): ChangeEvent {
  const [period, outcome, version, , annotated, before, entry] = raw;
  const whose = typeof entry === 'string' ? entry : member;
  return {
    ...{ period, outcome, version },
    ...(typeof entry === 'string' ? { member: entry } : {}),
    ...(before ? { before: decodeBefore(before, whose) } : {}),
    ...(Array.isArray(entry) ? { entry: decodeEntry(entry, whose) } : {}),
    ...(annotated ? { annotated: true } : {}),
  };
}

export function decodeEvent(epoch: string, [id, member, at, changes, closed]: RawEvent): BoardEvent {
  const event = { epoch, id, member, at, changes: changes.map((raw) => decodeChangeEvent(raw, member)) };
  return closed === undefined ? event : { ...event, closed };
}
