import { beforeAll, describe, expect, it } from 'vitest';
import type { Cursor } from '../../src/core/cursor.ts';
import { rankMethods, type SortOrder, sortOrders, type TieBreak, tieBreaks } from '../../src/core/leaderboard.ts';
import { driftOf, type PageRead, type Window } from '../../src/core/reading.ts';
import type { Standing } from '../../src/core/standing.ts';
import { type KnownPlace, MirroredBoard, shown } from '../support/mirrored-board.ts';
import { noon, TestBoard, wholePage } from '../support/store.ts';
import type { StoreContext } from './describe-store.ts';

/** Ids whose order by bytes is another than any language's. */
const ids = ['B', 'a', 'Zebra', 'zoo', 'é', 'e', 'ä', 'Ω', '李', '😀', '\ufffd', '-', '_', 'a b', '10', '9', 'aa', 'A'];
const sortKeys = ['b', 'a', '', 'ab', 'é', '~', '.', 'B', 'a b'];

/** A board with small and large tie groups. */
async function makeBoard(context: StoreContext, sortOrder: SortOrder, tieBreak: TieBreak): Promise<MirroredBoard> {
  const board = await MirroredBoard.make(context.store, { sortOrder, tieBreak, denseRanks: true });
  for (const [i, memberId] of ids.entries()) {
    const score = [0, 0, 0, 0, -5, 7, 7][i % 7] ?? 0;
    // Times that do not grow with arrival, some of them equal.
    await board.write(memberId, score, noon - 1000 * ((i * 5) % 7), sortKeys[(i * 4) % sortKeys.length] ?? '');
  }
  return board;
}

const kinds = sortOrders.flatMap((sortOrder) => tieBreaks.map((tieBreak) => [sortOrder, tieBreak] as const));

export function describePages(context: StoreContext): void {
  describe.each(kinds)('pages of a board %s by %s', (sortOrder, tieBreak) => {
    let board: MirroredBoard;
    let places: KnownPlace[];

    beforeAll(async () => {
      board = await makeBoard(context, sortOrder, tieBreak);
      places = await board.places();
    });

    const all: Window = { kind: 'all' };
    const whole = { window: all, after: null, before: null, offset: 0, first: 100, last: null };
    const last = (count: number) => ({ first: null, last: count });
    const someOf = <T>(list: readonly T[], every: number) => list.filter((_, i) => i % every === 0);

    it('R1, R2, R4: are in one total order, with ranks of the whole period', async () => {
      const { standings, head } = await board.one.page();
      expect(standings.map(shown)).toEqual(board.oracle.standings());
      expect(head).toMatchObject({ version: ids.length, entryCount: ids.length });
      expect(new Set(standings.map(({ competitionRank }) => competitionRank)).size).toBe(3);
      expect(new Set(standings.map(({ denseRank }) => denseRank))).toEqual(new Set([1, 2, 3]));
    });

    it('P1: follow and precede every entry, with every combination of arguments', async () => {
      const edges = [null, ...someOf(places, 4)];
      const sizes = [0, 1, 4, 100].flatMap((size) => [{ first: size, last: null }, last(size)]);
      await board.compare(
        edges.flatMap((after) =>
          edges.flatMap((before) =>
            [0, 2, 50].flatMap((offset) => sizes.map((size) => ({ ...whole, ...size, after, before, offset }))),
          ),
        ),
      );
    });

    it('P1, R5: keep to a window of scores or of a rank, and global ranks in it', async () => {
      const scores = ['-9', '-5', '-1', '0', '3', '7', '9', null];
      const windows: Window[] = [
        ...scores.flatMap((minScore) => scores.map((maxScore) => ({ kind: 'scores', minScore, maxScore }) as const)),
        ...Array.from({ length: ids.length + 2 }, (_, i) => ({ kind: 'rank', rank: i + 1 }) as const),
      ];
      for (const rankMethod of rankMethods) {
        await board.one.update({ rankMethod });
        Object.assign(board.oracle.rules, { rankMethod });
        await board.compare(
          windows.flatMap((window) => [
            { ...whole, window },
            { ...whole, window, first: 2, offset: 1 },
            ...someOf(places, 5).flatMap((place) => [
              { ...whole, window, after: place, first: 2 },
              { ...whole, window, before: place, ...last(2) },
            ]),
          ]),
        );
      }
    });

    it('P1: go on at the same place after its member moved, left, and came back', async () => {
      const changing = await makeBoard(context, sortOrder, tieBreak);
      let known = await changing.places();
      const writes = [
        ['é', 9],
        ['Ω', -9],
        ['a', null],
        ['A', null],
        ['B', 7],
        ['a', 0],
        ['é', 0],
      ] as const;
      for (const [i, [memberId, score]] of writes.entries()) {
        if (score === null) await changing.remove(memberId);
        else await changing.write(memberId, score, noon + i * 100, sortKeys[i] ?? '');
        await changing.compare(
          known.flatMap((place) => [
            { ...whole, after: place },
            { ...whole, before: place, ...last(100) },
          ]),
        );
        known = [...known, ...(await changing.places())];
      }
    });

    it('P2: meet, walking forth and back by pages of any size', async () => {
      const { one } = board;
      const { standings: expected } = await one.page();
      const from = places[0]?.cursor as Cursor;
      const cursorOf = ({ index, score, ordered }: Standing) => ({ ...from, index, score, member: ordered });
      for (const size of [1, 2, 3, 5, 7, 17, 18, 19]) {
        const forth: Standing[] = [];
        const back: Standing[] = [];
        for (let after: Cursor | null = null; ; after = cursorOf(forth.at(-1) as Standing)) {
          const { standings } = await one.page({ after, first: size });
          if (standings.length === 0) break;
          forth.push(...standings);
        }
        for (let before: Cursor | null = null; ; before = cursorOf(back[0] as Standing)) {
          const { standings } = await one.page({ before, last: size });
          if (standings.length === 0) break;
          back.unshift(...standings);
        }
        expect([forth, back]).toEqual([expected, expected]);
      }
    });

    it('P3: say the version they were read at, and the drift since their cursor', async () => {
      const { one } = await makeBoard(context, sortOrder, tieBreak);
      const best = sortOrder === 'HIGH_TO_LOW' ? 100 : -100;
      const { head, standings } = await one.page({ first: 6 });
      const { index, score, ordered, memberId: own } = standings.at(-1) as Standing;
      const { key, incarnation } = one.board;
      const after: Cursor = { board: key, incarnation, period: 'all', ...head, index, score, member: ordered };
      const next: PageRead = { ...wholePage, after };
      const previous: PageRead = { ...wholePage, before: after, ...last(100) };
      const drifts = async () => {
        const [forth, back] = [await one.page(next), await one.page(previous)];
        expect(forth.head).toEqual(back.head);
        return [forth.head.version - head.version, driftOf(forth, next), driftOf(back, previous)];
      };
      const same = { changed: false, drift: 0 };
      expect(await drifts()).toEqual([0, same, same]);
      // Two pass from behind the cursor to before it.
      for (const { memberId } of (await one.page({ after })).standings.slice(0, 2)) await one.submit(memberId, best);
      expect(await drifts()).toEqual([2, { changed: true, drift: 2 }, { changed: true, drift: -2 }]);
      // The cursor's own member leaves to behind it.
      await one.submit(own, -best);
      expect(await drifts()).toEqual([3, { changed: true, drift: 1 }, { changed: true, drift: -2 }]);
    });

    it('P6: numbered pages cover the board, and past its end are empty', async () => {
      const { one } = board;
      const numbered: Standing[] = [];
      for (let offset = 0; offset <= ids.length; offset += 5) {
        numbered.push(...(await one.page({ offset, first: 5 })).standings);
      }
      expect(numbered).toEqual((await one.page()).standings);
      const size = ids.length;
      expect(await one.page({ offset: 1000, first: 5 })).toMatchObject({ standings: [], start: size, high: size });
      expect(await one.page({ first: 0 })).toMatchObject({ standings: [], start: 0, low: 0, high: size });
      expect(await one.page({ last: 0 })).toMatchObject({ standings: [], start: size, low: 0, high: size });
    });

    it('P6: of a period without entries are empty', async () => {
      const empty = { standings: [], start: 0, low: 0, high: 0 };
      const [first, second] = places.map(({ cursor }) => cursor);
      const { one } = board;
      expect(await one.page({}, '1999')).toMatchObject({ ...empty, head: { version: 0, entryCount: 0 } });
      expect(await one.page({ last: 5 }, '1999')).toMatchObject(empty);
      expect(await one.page({ after: first ?? null, before: second ?? null }, '1999')).toMatchObject(empty);
    });
  });

  it.each(sortOrders)('P1: follow and precede places that nobody ever held: %s', async (sortOrder) => {
    const board = await makeBoard(context, sortOrder, 'MEMBER_ID');
    const [some] = await board.places();
    if (!some) throw new Error('an empty board');
    const members = ids.flatMap((id) => [`${id}!`, [...id].slice(0, -1).join('') || '!', id]);
    const strangers = ['0', '7', '-5', '1', '-9007199254740991', '9007199254740991'].flatMap((score) =>
      members.map((member) => ({
        cursor: { ...some.cursor, score, member },
        entry: { ...some.entry, score: BigInt(score), memberId: member },
      })),
    );
    const whole = { window: { kind: 'all' }, after: null, before: null, offset: 0, first: 100, last: null } as const;
    await board.compare(
      strangers.flatMap((place, i) => [
        { ...whole, after: place, first: 3 },
        { ...whole, before: place, first: null, last: 3 },
        { ...whole, after: place, before: strangers[(i * 7) % strangers.length] ?? null },
      ]),
    );
  });

  it('P1: finds the place of a member gone from a tie group of thousands', async () => {
    const one = await TestBoard.make(context.store);
    const id = (i: number) => `m${String(i).padStart(4, '0')}`;
    await one.fill(Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [id(i), 1])));
    const { head } = await one.page({ first: 0 });
    const { key, incarnation } = one.board;
    for (const gone of [0, 1, 1499, 1500, 2998, 2999]) {
      await context.store.entries.removeEntry(one.board, id(gone), ['all'], { now: one.now, evenClosed: false });
      const after = { board: key, incarnation, period: 'all', ...head, index: 0, score: '1', member: id(gone) };
      const [next] = (await one.page({ after, first: 1 })).standings;
      const [previous] = (await one.page({ before: after, last: 1 })).standings;
      const left = (await one.page()).standings.map(({ memberId }) => memberId);
      expect(next?.memberId).toBe(left.find((memberId) => memberId < id(gone)));
      expect(previous?.memberId).toBe(left.findLast((memberId) => memberId > id(gone)));
    }
  });
}
