import type { BoardEvent } from '../core/events.ts';

/** A message as a script wrote it. */
export function decodeMessage(text: string): BoardEvent {
  const parsed: BoardEvent = JSON.parse(text);
  // Lua's empty table encodes as an object.
  return { ...parsed, changes: Array.isArray(parsed.changes) ? parsed.changes : [] };
}
