import type { BoardEvent } from '../core/events.ts';
import { decodeEvent, type RawEvent } from './changes.ts';

/** What a script told in one message, in its order; null for what is none of ours: others may share this Redis. */
export function decodeMessage(text: string): readonly BoardEvent[] | null {
  try {
    const message: unknown = JSON.parse(text);
    if (!Array.isArray(message)) return null;
    const [epoch, ...events]: unknown[] = message;
    if (typeof epoch !== 'string' || events.length === 0 || !events.every(isEvent)) return null;
    return events.map((event) => decodeEvent(epoch, event));
  } catch {
    return null;
  }
}

const isEvent = (value: unknown): value is RawEvent =>
  Array.isArray(value) && typeof value[0] === 'string' && Array.isArray(value[3]);
