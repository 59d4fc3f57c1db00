import { expect } from 'vitest';
import { Boards } from '../../src/core/boards.ts';
import { type Cursor, decodeCursor, encodeCursor } from '../../src/core/cursor.ts';
import { LaurelError } from '../../src/core/errors.ts';
import { decodeOrdered } from '../../src/core/order.ts';
import { driftOf, type Page, type PageRead } from '../../src/core/reading.ts';
import { type Scored, Scoring } from '../../src/core/scoring.ts';
import type { ScoreInput } from '../../src/core/submission.ts';
import {
  memberIds,
  numberOf,
  type RandomBoard,
  type RandomInput,
  type RandomPage,
  type RandomStep,
} from './generators.ts';
import { shown } from './mirrored-board.ts';
import { OracleBoard, type OracleEntry, type OracleInput } from './oracle.ts';
import { type Store, TestBoard, wholePage } from './store.ts';

/** A cursor that a page returned, and what the oracle knew of its place then. */
interface SeenPlace {
  readonly period: string;
  /** As a client would hold it. */
  readonly text: string;
  readonly entry: OracleEntry;
  readonly version: number;
  readonly before: number;
  readonly through: number;
}

const seenPlaces = 60;

/** A board and its oracle, taken through the same steps, and compared after each. */
export class ModelRun {
  readonly #one: TestBoard;
  readonly #scoring: Scoring;
  readonly #boards: Boards;
  readonly #drawn: RandomBoard;
  readonly #oracle: OracleBoard;
  readonly #keyed: OracleInput[] = [];
  #seen: SeenPlace[] = [];
  #changes = 0;

  private constructor(one: TestBoard, drawn: RandomBoard) {
    this.#one = one;
    this.#drawn = drawn;
    this.#boards = new Boards(one.store.definitions);
    this.#scoring = new Scoring(this.#boards, one.store.entries, () => one.now);
    this.#oracle = new OracleBoard(drawn.rules);
  }

  static async take(store: Store, drawn: RandomBoard, steps: readonly RandomStep[]): Promise<void> {
    const run = new ModelRun(await TestBoard.make(store, drawn.input), drawn);
    for (const step of steps) {
      await run.#step(step);
      await run.#compare();
    }
    await run.#compareReads();
    await run.#compareLog();
    await store.definitions.remove(await run.#one.find());
  }

  async #step(step: RandomStep): Promise<void> {
    const { now, key } = this.#one;
    switch (step.kind) {
      case 'submit':
        return this.#submit(step.inputs.map((input) => this.#suited(input)));
      case 'retry': {
        const again = this.#keyed[step.which % Math.max(1, this.#keyed.length)];
        return again && this.#submit([again]);
      }
      case 'rekey': {
        if (this.#drawn.rules.tieBreak !== 'SORT_KEY') return;
        const input = { memberId: step.memberId, sortKey: String(step.sortKey) };
        const outcome = await this.#scoring.setSortKey(key, input);
        expect(this.#plain(outcome)).toEqual(this.#counted(this.#oracle.submit({ ...input, score: null }, now)));
        return;
      }
      case 'remove': {
        const { removals } = await this.#scoring.removeEntry(key, step.memberId, null);
        const expected = this.#oracle.remove(step.memberId, now);
        const byPeriod = (a: { period: string }, b: { period: string }) => (a.period < b.period ? -1 : 1);
        const plain = removals.map(({ before, ...removal }) => ({ ...removal, before: this.#placed(before) }));
        expect(plain.toSorted(byPeriod)).toEqual(expected.toSorted(byPeriod));
        if (expected.length > 0) this.#changes += 1;
        return;
      }
      case 'advance':
        this.#one.now += step.ms;
        return;
      case 'hold':
        this.#one.board = await this.#boards.update(key, { backfill: step.on });
        this.#oracle.rules = { ...this.#oracle.rules, backfill: step.on };
        return;
      case 'page':
        return this.#pages(step.period, step.pages);
      case 'walk':
        return this.#walk(step.size, step.forward, step.writes);
    }
  }

  /** What of a drawn input this board takes. */
  #suited({ ageMs, sortKey, metadata, ...input }: RandomInput): OracleInput {
    const { tieBreak, maxEntries } = this.#drawn.rules;
    const highest = this.#drawn.scale === 0 ? 9_007_199_254_740_991n : 999_999_999_999_999n;
    const isInRange = input.score <= highest && input.score >= -highest;
    return {
      ...input,
      score: isInRange ? input.score : 0n,
      scorePolicy: maxEntries !== null && input.scorePolicy === 'SUM' ? undefined : input.scorePolicy,
      occurredAt: ageMs === undefined ? undefined : this.#one.now - ageMs,
      sortKey: tieBreak === 'SORT_KEY' && sortKey !== undefined ? String(sortKey) : undefined,
      metadata: metadata === undefined ? undefined : JSON.stringify({ metadata }),
    };
  }

  async #submit(inputs: readonly OracleInput[]): Promise<void> {
    const sent = inputs.map(
      ({ score, metadata, ...input }): ScoreInput => ({
        ...input,
        score: numberOf(score ?? 0n, this.#drawn.scale),
        metadata: metadata === undefined ? undefined : JSON.parse(metadata),
      }),
    );
    const outcomes = await this.#scoring.submitAll(this.#one.key, sent);
    const expected = inputs.map((input) => this.#counted(this.#oracle.submit(input, this.#one.now)));
    expect(outcomes.map((outcome) => this.#plain(outcome))).toEqual(expected);
    this.#keyed.push(...inputs.filter(({ idempotencyKey }) => idempotencyKey !== undefined));
  }

  /** Counts the messages that an outcome stands for. */
  #counted<T extends object>(outcome: T): T {
    if ('applied' in outcome && outcome.applied && 'duplicate' in outcome && !outcome.duplicate) this.#changes += 1;
    return outcome;
  }

  /** An outcome as the oracle words it. */
  #plain(outcome: Scored): unknown {
    if (outcome instanceof LaurelError) return { refused: outcome.code };
    const { id: _, changes, ...rest } = outcome;
    return {
      ...rest,
      changes: changes.map(({ entry, before, ...change }) => ({
        ...change,
        ...(entry && { entry: this.#placed(entry) }),
        ...(before && { before: this.#placed(before) }),
      })),
    };
  }

  /** Without what only messages need: how the sorted set holds it, and whether the score went with it. */
  #placed<T extends { readonly ordered: string; readonly dropped?: boolean }>({ ordered, dropped: _, ...place }: T) {
    expect(memberIds).toContain(decodeOrdered(this.#one.board, ordered).memberId);
    return place;
  }

  /** The whole of every period, at one moment. */
  async #compare(): Promise<void> {
    const keys = [...this.#oracle.periods.keys()];
    const [periods, ...pages] = await this.#one.store.entries.read(this.#one.board, [
      { period: 'all', read: { kind: 'periods' } },
      ...keys.map((period) => ({ period, read: wholePage })),
    ]);
    expect((periods as readonly string[]).toSorted()).toEqual(keys.toSorted());
    for (const [i, key] of keys.entries()) {
      const page = pages[i] as Page;
      const period = this.#oracle.period(key);
      expect([key, page.standings.map(shown)]).toEqual([key, period.standings()]);
      expect(page.head).toMatchObject({ version: period.version, entryCount: period.entries.size });
    }
  }

  #cursorsOf(period: string, page: Page): SeenPlace[] {
    const { key, incarnation } = this.#one.board;
    const { epoch, version } = page.head;
    return page.standings.map(({ index, score, ordered, memberId }) => {
      const cursor: Cursor = { board: key, incarnation, period, epoch, version, index, score, member: ordered };
      const entry = this.#oracle.period(period).entries.get(memberId);
      if (!entry) throw new Error(`${memberId} is not ranked`);
      return { period, text: encodeCursor(cursor), entry, version, ...this.#oracle.period(period).countTo(entry) };
    });
  }

  /** Reads a page, compares it with the oracle, drift and all, and remembers its cursors. */
  async #page(
    key: string,
    given: Omit<RandomPage, 'after' | 'before'>,
    after: SeenPlace | null,
    before: SeenPlace | null,
  ) {
    const { window, offset, size } = given;
    const read: PageRead = {
      ...{ kind: 'page', window, offset, ...size },
      after: after && decodeCursor(after.text),
      before: before && decodeCursor(before.text),
    };
    const page = await this.#one.page(read, key);
    const period = this.#oracle.period(key);
    const places = { after: after?.entry ?? null, before: before?.entry ?? null };
    const expected = period.page({ window, offset, ...size, ...places });
    const { standings, low, high } = page;
    expect({
      standings: standings.map(shown),
      windowSize: high - low,
      after: page.after,
      before: page.before,
    }).toEqual(expected);
    // What crossed the place, counted by the oracle then and now.
    const from = after ?? before;
    const crossed = from && period.countTo(from.entry);
    const drift = from && crossed ? (after ? crossed.through - from.through : from.before - crossed.before) : 0;
    expect(driftOf(page, read)).toEqual({
      changed: from !== null && from.version !== period.version,
      drift: drift + 0,
    });
    const cursors = this.#cursorsOf(key, page);
    this.#seen = [...cursors, ...this.#seen].slice(0, seenPlaces);
    return cursors;
  }

  async #pages(which: number, pages: readonly RandomPage[]): Promise<void> {
    const keys = [...this.#oracle.periods.keys(), 'all'];
    const key = keys[which % keys.length] ?? 'all';
    for (const { after, before, ...page } of pages) {
      const seen = this.#seen.filter(({ period }) => period === key);
      const choose = (number: number | null) =>
        number === null ? null : (seen[number % Math.max(1, seen.length)] ?? null);
      await this.#page(key, page, choose(after), choose(before));
    }
  }

  /** Walks over a whole board by pages; with writes in between, or there and back. */
  async #walk(size: number, forward: boolean, writes: readonly RandomInput[]): Promise<void> {
    const left = [...writes];
    const walked: string[] = [];
    const page = {
      window: { kind: 'all' } as const,
      offset: 0,
      size: forward ? { first: size, last: null } : { first: null, last: size },
    };
    for (let place: SeenPlace | null = null; ; ) {
      const cursors: SeenPlace[] = await this.#page('all', page, forward ? place : null, forward ? null : place);
      const next = forward ? cursors.at(-1) : cursors[0];
      if (!next) break;
      const ids = cursors.map(({ entry }) => entry.memberId);
      walked.splice(forward ? walked.length : 0, 0, ...ids);
      place = next;
      const write = left.shift();
      if (write) await this.#submit([this.#suited(write)]);
    }
    // Without writes nobody is missed or met twice.
    const order = this.#oracle
      .period('all')
      .order()
      .map(({ memberId }) => memberId);
    if (writes.length === 0) expect(walked).toEqual(order);
  }

  /** Each member by itself, and around. */
  async #compareReads(): Promise<void> {
    const period = this.#oracle.period('all');
    const { entries } = this.#one.store;
    for (const memberId of memberIds) {
      const [entry, around, filled, position] = await entries.read(this.#one.board, [
        { period: 'all', read: { kind: 'entry', memberId } },
        { period: 'all', read: { kind: 'around', centre: { memberId }, above: 2, below: 1, fill: false } },
        { period: 'all', read: { kind: 'around', centre: { memberId }, above: 1, below: 3, fill: true } },
        { period: 'all', read: { kind: 'position', score: '1' } },
      ]);
      expect(entry.standing && shown(entry.standing)).toEqual(period.standing(memberId));
      expect(around?.standings.map(shown) ?? null).toEqual(period.around(memberId, 2, 1, false));
      expect(filled?.standings.map(shown) ?? null).toEqual(period.around(memberId, 1, 3, true));
      expect(position).toMatchObject(period.position(1n));
    }
  }

  /** One message for each change, and in them every version of every period once, in order. */
  async #compareLog(): Promise<void> {
    const log = await this.#one.log();
    expect(log).toHaveLength(this.#changes);
    for (const [key, { version }] of this.#oracle.periods) {
      const versions = log.flatMap(({ changes }) =>
        changes.filter(({ period }) => period === key).map((change) => change.version),
      );
      expect([key, versions]).toEqual([key, Array.from({ length: version }, (_, i) => i + 1)]);
    }
  }
}
