import type { BoardEvent } from '../core/events.ts';

/** A message as a script wrote it; null for what is none: others may share this Redis. */
export function decodeMessage(text: string): BoardEvent | null {
  try {
    const parsed: BoardEvent = JSON.parse(text);
    // Lua's empty table encodes as an object.
    return { ...parsed, changes: Array.isArray(parsed.changes) ? parsed.changes : [] };
  } catch {
    return null;
  }
}
