import { describe, expect, it } from 'vitest';
import type { Cursor } from '../../src/core/cursor.ts';
import { driftOf, type Page, type PageRead } from '../../src/core/reading.ts';

const cursor: Cursor = {
  board: 'b',
  incarnation: 'i',
  period: 'all',
  epoch: 'e',
  version: 5,
  index: 9,
  score: '1',
  member: 'm',
};
const read: PageRead = {
  kind: 'page',
  window: { kind: 'all' },
  after: null,
  before: null,
  offset: 0,
  first: 10,
  last: null,
};
const page = (version: number, places: { after?: number; before?: number }, epoch = 'e'): Page => ({
  head: { epoch, version, entryCount: 100, closed: null, held: true },
  standings: [],
  low: 0,
  high: 100,
  start: 0,
  after: places.after ?? null,
  before: places.before ?? null,
});

describe('P3: what changed since a cursor', () => {
  it('is nothing without a cursor', () => {
    expect(driftOf(page(7, {}), read)).toEqual({ changed: false, drift: 0 });
  });

  it('is nothing at the same version', () => {
    expect(driftOf(page(5, { after: 10 }), { ...read, after: cursor })).toEqual({ changed: false, drift: 0 });
    expect(driftOf(page(5, { before: 9 }), { ...read, before: cursor })).toEqual({ changed: false, drift: 0 });
  });

  it('counts entries that crossed into what was read before the cursor as positive, and out of it as negative', () => {
    expect(driftOf(page(7, { after: 12 }), { ...read, after: cursor })).toEqual({ changed: true, drift: 2 });
    expect(driftOf(page(7, { after: 9 }), { ...read, after: cursor })).toEqual({ changed: true, drift: -1 });
    expect(driftOf(page(7, { before: 6 }), { ...read, before: cursor })).toEqual({ changed: true, drift: 3 });
    expect(driftOf(page(7, { before: 10 }), { ...read, before: cursor })).toEqual({ changed: true, drift: -1 });
  });

  it('may be a change without drift', () => {
    expect(driftOf(page(6, { after: 10 }), { ...read, after: cursor })).toEqual({ changed: true, drift: 0 });
  });

  it('P4, T5: is a change without known drift after a new epoch, even at the same version', () => {
    expect(driftOf(page(5, { after: 10 }, 'new'), { ...read, after: cursor })).toEqual({ changed: true, drift: null });
  });

  it('is told of the after cursor where there are two', () => {
    const two = { ...read, after: cursor, before: { ...cursor, index: 50 } };
    expect(driftOf(page(7, { after: 11, before: 60 }), two)).toEqual({ changed: true, drift: 1 });
  });
});
