import { Temporal } from 'temporal-polyfill';
import { BadRow } from './row.ts';

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const localPattern = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?$/i;
const instantPattern = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)? ?(Z|[+-]\d{2}(:?\d{2})?)$/i;

/** Files are mostly sorted by time: the same text comes many times over, and one conversion costs some 20 µs. */
const remembered = 1000;

/**
 * Reads event times: ISO dates and times, and epoch seconds or milliseconds. What names no zone is meant in the
 * board's, so that a date falls into the day, month and year that it names.
 */
export function eventTimeReader(timeZone: string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const hit = known.get(text);
    if (hit !== undefined) return hit;
    const time = parseEventTime(text.trim(), timeZone);
    if (known.size >= remembered) known.clear();
    known.set(text, time);
    return time;
  };
}

function parseEventTime(text: string, timeZone: string): string {
  try {
    return new Date(epochMs(text, timeZone)).toISOString();
  } catch {
    throw new BadRow(`${JSON.stringify(text)} is not a time such as 2026-07-19, 2026-07-19T18:00:00Z or 1784484000`);
  }
}

function epochMs(text: string, timeZone: string): number {
  if (datePattern.test(text)) return Temporal.PlainDate.from(text).toZonedDateTime({ timeZone }).epochMilliseconds;
  if (localPattern.test(text)) return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).epochMilliseconds;
  if (instantPattern.test(text)) return Temporal.Instant.from(text.replace(/ (?=[Z+-])/i, '')).epochMilliseconds;
  if (/^\d{10}$/.test(text)) return Number(text) * 1000;
  if (/^\d{13}$/.test(text)) return Number(text);
  throw new RangeError('not a time');
}
