import type { BoardEvent } from '../core/events.ts';

/** What a script told in one message, in its order; null for what is none of ours: others may share this Redis. */
export function decodeMessage(text: string): readonly BoardEvent[] | null {
  try {
    const events: unknown = JSON.parse(text);
    return Array.isArray(events) && events.every(isEvent) ? events : null;
  } catch {
    return null;
  }
}

const isEvent = (value: unknown): value is BoardEvent =>
  typeof value === 'object' && value !== null && 'changes' in value && Array.isArray(value.changes);
