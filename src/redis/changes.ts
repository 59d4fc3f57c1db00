import type { BoardEvent, ChangeEvent } from '../core/events.ts';
import type { Before, Change, Removal, WrittenEntry } from '../core/submission.ts';

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

type Made<T> = { -readonly [Field in keyof T]: T[Field] };

// Field by field: objects spread into others cost more than all else that a process does for a write.
function decodeBefore(raw: RawBefore, member: string): Before {
  const [score, index, rank, dense, ordered, dropped] = raw;
  const before: Made<Before> = { score, ordered: ordered || member, index, rank };
  if (dense) before.dense = dense;
  if (dropped) before.dropped = true;
  return before;
}

function decodeEntry(raw: RawEntry, member: string): WrittenEntry {
  const [score, index, rank, dense, ordered, ties, total, metadata] = raw;
  const entry: Made<WrittenEntry> = { score, ordered: ordered || member, index, rank, ties, total };
  if (dense) entry.dense = dense;
  if (metadata !== undefined) entry.metadata = metadata;
  return entry;
}

/** What a submission did to a period, for who made it. */
export function decodeChange(raw: RawChange<Change['outcome']>, member: string): Change {
  const [period, outcome, version, late, , before, entry] = raw;
  const change: Made<Change> = { period, outcome, version, late: late === 1 };
  if (before) change.before = decodeBefore(before, member);
  if (Array.isArray(entry)) change.entry = decodeEntry(entry, member);
  return change;
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
  const change: Made<ChangeEvent> = { period, outcome, version };
  if (typeof entry === 'string') change.member = entry;
  if (before) change.before = decodeBefore(before, whose);
  if (Array.isArray(entry)) change.entry = decodeEntry(entry, whose);
  if (annotated) change.annotated = true;
  return change;
}

export function decodeEvent(epoch: string, [id, member, at, changes, closed]: RawEvent): BoardEvent {
  const event = { epoch, id, member, at, changes: changes.map((raw) => decodeChangeEvent(raw, member)) };
  return closed === undefined ? event : { ...event, closed };
}
