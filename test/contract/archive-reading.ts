import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cursor } from '../../src/core/cursor.ts';
import { rankMethods, sortOrders, tieBreaks } from '../../src/core/leaderboard.ts';
import type { Read, Window } from '../../src/core/reading.ts';
import type { Standing } from '../../src/core/standing.ts';
import { type LiveStore, makeTwin, openLiveStore, type Twin, type TwinScore } from '../support/archive-twin.ts';
import { newBoard, put, readStandings, recordOfDay, someEntries, standingsOf, wholePage } from '../support/archived.ts';
import { runs, seeded } from '../support/seed.ts';
import type { ArchiveContext } from './archive-describe.ts';

/** Whose order by bytes, by UTF-16 and by a dictionary are three different ones; few, so that they are met again. */
const memberId = fc.oneof(
  fc.constantFrom(
    'a',
    'A',
    'b',
    'B',
    'ab',
    'a.b',
    'a~',
    'Z',
    'é',
    'z',
    'ż',
    '10',
    '9',
    '\u{FFFD}',
    '😀',
    '中',
    '-',
    '_',
  ),
  fc.string({ unit: fc.constantFrom('a', 'b', 'é', '~'), minLength: 1, maxLength: 3 }),
);

const score = fc.oneof(
  fc.integer({ min: -3, max: 6 }),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1, 1_000_003),
);

const scores: fc.Arbitrary<TwinScore[]> = fc.array(
  fc.record({
    memberId,
    score,
    sortKey: fc.constantFrom('', '1', '2', '22'),
    metadata: fc.option(fc.constant('{"n":1}'), { freq: 3 }),
  }),
  { maxLength: 60 },
);

const input = fc.record({
  sortOrder: fc.constantFrom(...sortOrders),
  tieBreak: fc.constantFrom(...tieBreaks),
  sortKeyOrder: fc.constantFrom('ASCENDING' as const, 'DESCENDING' as const),
  rankMethod: fc.constantFrom(...rankMethods),
  denseRanks: fc.boolean(),
});

const window: fc.Arbitrary<Window> = fc.oneof(
  fc.constant({ kind: 'all' as const }),
  fc.record({
    kind: fc.constant('scores' as const),
    minScore: fc.option(score.map(String)),
    maxScore: fc.option(score.map(String)),
  }),
  fc.record({ kind: fc.constant('rank' as const), rank: fc.integer({ min: 1, max: 12 }) }),
);

/** Where a cursor may point: at an entry, at a score it no longer has, or at somebody who is gone or never was. */
const place = fc.record({
  nth: fc.nat(80),
  otherScore: fc.option(score, { freq: 2 }),
  otherMember: fc.option(fc.oneof(memberId, fc.constantFrom('\0', 'a\0', 'é\0b', '\u{1}', '.', '~')), { freq: 2 }),
  cut: fc.boolean(),
});
type PlaceOf = typeof place extends fc.Arbitrary<infer T> ? T : never;

const count = fc.nat(8);
const size = fc.oneof(
  fc.record({ first: count, last: fc.constant(null) }),
  fc.record({ first: fc.constant(null), last: count }),
);
const around = fc.record({ above: count, below: count, fill: fc.boolean() });

/** Pages whose cursors are made when the entries are known. */
const pageRead = fc
  .tuple(window, fc.option(place), fc.option(place), fc.nat(4), size)
  .map(([of, after, before, offset, sizes]) => (cursor: (place: PlaceOf | null) => Cursor | null): Read => {
    return { kind: 'page', window: of, after: cursor(after), before: cursor(before), offset, ...sizes };
  });

const plainRead: fc.Arbitrary<Read> = fc.oneof(
  fc.tuple(memberId, around).map(([id, more]): Read => ({ kind: 'around', centre: { memberId: id }, ...more })),
  fc.tuple(score, around).map(([at, more]): Read => ({ kind: 'around', centre: { score: String(at) }, ...more })),
  memberId.map((id): Read => ({ kind: 'entry', memberId: id })),
  fc.array(memberId, { minLength: 1, maxLength: 6 }).map((memberIds): Read => ({ kind: 'list', memberIds })),
  score.map((at): Read => ({ kind: 'position', score: String(at) })),
  fc.integer({ min: 1, max: 20 }).map((buckets): Read => ({ kind: 'histogram', buckets })),
  fc.constant<Read>({ kind: 'head' }),
);

const cursorsOf =
  ({ board, period, record }: Twin, standings: readonly Standing[]) =>
  (at: PlaceOf | null): Cursor | null => {
    if (!at) return null;
    const entry = standings[at.nth % Math.max(1, standings.length)];
    const prefix = entry ? entry.ordered.slice(0, entry.ordered.length - entry.memberId.length) : '';
    const member = at.otherMember === null ? (entry?.ordered ?? 'a') : (at.cut ? '' : prefix) + at.otherMember;
    const { epoch, version } = record;
    const where = { board: board.key, incarnation: board.incarnation, period, epoch, version, index: at.nth };
    return { ...where, score: String(at.otherScore ?? entry?.score ?? 0), member };
  };

/** What differs by right: whether Redis holds it, and what became of it. */
const comparable = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (key, value) => (['closed', 'held', 'rankMethod'].includes(key) ? undefined : value)),
  );

export function describeArchiveReading(context: ArchiveContext): void {
  describe('reading', () => {
    let store: LiveStore;
    beforeAll(async () => {
      store = await openLiveStore();
    });
    afterAll(() => store.close());

    it('T4: answers any read of any period as the live store does', { timeout: 120_000 }, async () => {
      const reads = fc.tuple(
        fc.array(pageRead, { minLength: 10, maxLength: 20 }),
        fc.array(plainRead, { minLength: 10, maxLength: 20 }),
      );
      await fc.assert(
        fc.asyncProperty(input, scores, reads, async (rules, given, [pages, others]) => {
          const all = { ...rules, denseRanks: rules.denseRanks || rules.rankMethod === 'DENSE' };
          const twin = await makeTwin(store, context.archive, all, given);
          const standings = await readStandings(context.archive, twin.board, twin.period);
          const cursor = cursorsOf(twin, standings);
          const asked = [wholePage, ...pages.map((make) => make(cursor)), ...others];
          const named = asked.map((one) => ({ period: twin.period, read: one }));
          const live = await store.entries.read(twin.board, named);
          const archived = await context.archive.read(twin.board, named);
          for (const [i, one] of asked.entries()) {
            expect({ read: one, answer: comparable(archived[i]) }).toEqual({ read: one, answer: comparable(live[i]) });
          }
          await store.definitions.remove(twin.board);
        }),
        seeded(runs(60)),
      );
    });

    it('R4: thousands of entries in tie groups of all sizes: the same, page by page both ways', async () => {
      const given = Array.from({ length: 3000 }, (_, i) => ({
        ...{ memberId: `m${(i * 7919) % 3000}`, score: i < 1500 ? 7 : Math.floor(Math.sqrt(i)), sortKey: '' },
        metadata: null,
      }));
      const twin = await makeTwin(store, context.archive, { tieBreak: 'EARLIEST', rankMethod: 'DENSE' }, given);
      const cursor = cursorsOf(twin, await readStandings(context.archive, twin.board, twin.period));
      const at = (nth: number) => cursor({ nth, otherScore: null, otherMember: null, cut: false });
      for (let nth = 0; nth < 3000; nth += 97) {
        for (const read of [
          { ...wholePage, after: at(nth), first: 50 },
          { ...wholePage, before: at(nth), first: null, last: 50 },
          { kind: 'histogram' as const, buckets: 1 + (nth % 100) },
          { ...wholePage, window: { kind: 'rank' as const, rank: nth + 1 }, first: 5 },
        ]) {
          expect(comparable(await twin.archived(read))).toEqual(comparable(await twin.live(read)));
        }
      }
    });

    it('P5: reads of several periods at once, and of one revision among them', async () => {
      const board = newBoard();
      const days = [20_001, 20_002, 20_003].map((day) => recordOfDay(board, day, day % 10));
      for (const record of days) await put(context.archive, record, standingsOf(board, someEntries(record.entryCount)));
      const head = { kind: 'head' as const };
      const entry = { kind: 'entry' as const, memberId: 'm0' };
      const answers = await context.archive.read(board, [
        { period: '2024-10-07', read: head },
        { period: '2024-10-05', read: entry },
        { period: 'all', read: { kind: 'periods' } },
        { period: '2024-10-07~1', read: wholePage },
        { period: 'all', read: { kind: 'closed' } },
        { period: 'all', read: { kind: 'indexing' } },
      ]);
      const { epoch, version, closedAt, entryCount } = days[2] ?? recordOfDay(board, 0, 0);
      const closed = { epoch, version, closedAt, entryCount, archived: true, revision: 1 };
      expect(answers[0]).toEqual({ epoch, version, entryCount, held: false, closed, rankMethod: board.rankMethod });
      expect(answers[1].standing).toMatchObject({ memberId: 'm0', index: 0 });
      expect(answers[3].standings).toHaveLength(3);
      expect([answers[2], answers[4], answers[5]]).toEqual([[], new Map(), new Map()]);
      expect(await context.archive.read(board, [])).toEqual([]);
    });

    it('refuses what it does not hold', async () => {
      const board = newBoard();
      const record = recordOfDay(board, 20_001, 1);
      await put(context.archive, record, standingsOf(board, someEntries(1)));
      for (const period of ['2024-10-06', `${record.period}~2`, `${record.period}~`, '~1', `${record.period}~01x`]) {
        const reading = context.archive.read(board, [
          { period: record.period, read: wholePage },
          { period, read: wholePage },
        ]);
        await expect(reading).rejects.toMatchObject({ code: 'PERIOD_EXPIRED' });
        expect(await context.archive.find(board, period)).toBeNull();
      }
    });
  });
}
