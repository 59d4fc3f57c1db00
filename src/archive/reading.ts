import type { Place } from '../core/cursor.ts';
import type { AroundRead, HashRead, Head, Histogram, Page, PageRead, Position, Read, Window } from '../core/reading.ts';
import type { ScoreText } from '../core/score.ts';
import type { Standing } from '../core/standing.ts';
import type { StandingRow } from './database.ts';
import type { Found, Lookups } from './lookups.ts';
import { type Held, standingOf } from './records.ts';

/** A range of indexes: low included, high not. */
type Range = readonly [low: number, high: number];

/** Answers each kind of read as read.lua does, from the rows of one record. */
export class ArchivedPeriod {
  readonly #held: Held;
  readonly #lookups: Lookups;
  readonly #head: Head;
  readonly #total: number;
  readonly #descending: boolean;

  constructor(held: Held, lookups: Lookups) {
    const { epoch, version, entryCount, closedAt, revision, rules } = held.record;
    this.#held = held;
    this.#lookups = lookups;
    const closed = { closedAt, version, epoch, entryCount, archived: true, revision };
    this.#head = { epoch, version, entryCount, closed, held: false, rankMethod: rules.rankMethod };
    this.#total = entryCount;
    this.#descending = rules.sortOrder === 'HIGH_TO_LOW';
  }

  async read(read: Exclude<Read, HashRead>): Promise<unknown> {
    switch (read.kind) {
      case 'head':
        return this.#head;
      case 'page':
        return this.#page(read);
      case 'around':
        return this.#around(read);
      case 'entry':
        return { head: this.#head, standing: await this.#entry(read.memberId) };
      case 'list':
        return { head: this.#head, standings: await Promise.all(read.memberIds.map((id) => this.#entry(id))) };
      case 'position':
        return this.#position(read.score);
      case 'histogram':
        return this.#histogram(read.buckets);
    }
  }

  #find(place: { score: bigint; ordered: string } | { denseRank: number }): Promise<Found> {
    return this.#lookups.find({ recordId: this.#held.id, total: this.#total, place });
  }

  #rows(start: number, stop: number): Promise<StandingRow[]> {
    return start < stop ? this.#lookups.rows({ recordId: this.#held.id, start, stop }) : Promise.resolve([]);
  }

  /** The entry at an index. */
  async #rowAt(index: number): Promise<StandingRow | null> {
    if (index < 0 || index >= this.#total) return null;
    return (await this.#rows(index, index + 1))[0] ?? null;
  }

  /** Where scores strictly better than this one end. No member's text is empty, so this place is before all ties. */
  #betterThan(score: ScoreText): Promise<Found> {
    return this.#find({ score: BigInt(score) + (this.#descending ? 1n : 0n), ordered: '' });
  }

  /** Where scores at least as good as this one end: where its tie group does. */
  #atLeast(score: ScoreText): Promise<Found> {
    return this.#find({ score: BigInt(score) + (this.#descending ? 0n : 1n), ordered: '' });
  }

  /** Entries before a cursor's place, and at or before it; whether or not that member still has that score (P1). */
  async #seek(place: Place | null): Promise<Range | null> {
    if (!place) return null;
    const { index, row } = await this.#find({ score: BigInt(place.score), ordered: place.member });
    const held = row?.score === place.score && row.prefix + row.member_id === place.member;
    return [index, held ? index + 1 : index];
  }

  async #window(window: Window): Promise<Range> {
    if (window.kind === 'rank') return this.#rankWindow(window.rank);
    if (window.kind === 'all') return [0, this.#total];
    const { minScore, maxScore } = window;
    const [best, worst] = this.#descending ? [maxScore, minScore] : [minScore, maxScore];
    const [low, high] = await Promise.all([
      best === null ? 0 : this.#betterThan(best).then(({ index }) => index),
      worst === null ? this.#total : this.#atLeast(worst).then(({ index }) => index),
    ]);
    return [low, Math.max(low, high)];
  }

  /** By the method of the board as it was. */
  async #rankWindow(rank: number): Promise<Range> {
    const method = this.#held.record.rules.rankMethod;
    const row = method === 'DENSE' ? (await this.#find({ denseRank: rank })).row : await this.#rowAt(rank - 1);
    if (!row) return [0, 0];
    if (method === 'ORDINAL') return [rank - 1, rank];
    if ((method === 'DENSE' ? row.dense_rank : row.competition_rank) !== rank) return [0, 0];
    return [row.competition_rank - 1, row.competition_rank - 1 + row.tie_count];
  }

  /** A window, then what the cursors leave of it, then offset, then the first or last so many. */
  async #page({ window, after, before, offset, first, last }: PageRead): Promise<Page> {
    const [[low, high], from, to] = await Promise.all([this.#window(window), this.#seek(after), this.#seek(before)]);
    let start = (from ? Math.max(low, from[1]) : low) + offset;
    let stop = to ? Math.min(high, to[0]) : high;
    if (first !== null) stop = Math.min(stop, start + first);
    if (last !== null) start = Math.max(start, stop - last);
    start = Math.min(start, high);
    return this.#run(start, Math.max(stop, low, start), {
      low,
      high,
      after: from?.[1] ?? null,
      before: to?.[0] ?? null,
    });
  }

  async #run(start: number, stop: number, more: Pick<Page, 'low' | 'high' | 'after' | 'before'>): Promise<Page> {
    const rows = await this.#rows(start, stop);
    return { head: this.#head, standings: rows.map((row) => standingOf(this.#held.record, row)), start, ...more };
  }

  /** From so many above a member, or above where a score would stand, to so many below; with fill, full at both ends. */
  async #around({ centre, above, below, fill }: AroundRead): Promise<Page | null> {
    const total = this.#total;
    const isMember = 'memberId' in centre;
    const index = isMember ? (await this.#row(centre.memberId))?.idx : (await this.#betterThan(centre.score)).index;
    if (index === undefined) return null;
    const size = above + below + (isMember ? 1 : 0);
    let start = index - above;
    if (fill) start = Math.max(0, Math.min(start, total - size));
    const stop = Math.min(start + size, total);
    start = Math.min(Math.max(start, 0), total);
    return this.#run(start, Math.max(stop, start), { low: 0, high: total, after: null, before: null });
  }

  #row(memberId: string): Promise<StandingRow | null> {
    return this.#lookups.member({ recordId: this.#held.id, memberId });
  }

  async #entry(memberId: string): Promise<Standing | null> {
    const row = await this.#row(memberId);
    return row && standingOf(this.#held.record, row);
  }

  async #position(score: ScoreText): Promise<Position> {
    const [better, through] = await Promise.all([this.#betterThan(score), this.#atLeast(score)]);
    const denseRank = this.#held.record.rules.denseReady ? await this.#denseRankAt(better) : null;
    return { head: this.#head, better: better.index, ties: through.index - better.index, denseRank };
  }

  /** Distinct scores better than those from here on, plus one. */
  async #denseRankAt({ row }: Found): Promise<number | null> {
    if (row) return row.dense_rank;
    const last = await this.#rowAt(this.#total - 1);
    return (last?.dense_rank ?? 0) + 1;
  }

  async #histogram(buckets: number): Promise<Histogram | null> {
    const ends = await Promise.all([this.#rowAt(0), this.#rowAt(this.#total - 1)]);
    const [lowest, highest] = ends.map((row) => Number(row?.score)).sort((a, b) => a - b);
    if (ends[0] === null || lowest === undefined || highest === undefined) return null;
    const width = Math.ceil((highest - lowest + 1) / buckets);
    const edges: number[] = [];
    for (let i = 1; i < buckets && lowest + i * width <= highest; i += 1) edges.push(lowest + i * width);
    const below = [0, ...(await Promise.all(edges.map((edge) => this.#below(edge)))), this.#total];
    return { lowest, width, counts: below.slice(1).map((count, i) => count - (below[i] ?? 0)) };
  }

  /** Entries with less than a score. */
  async #below(score: number): Promise<number> {
    const { index } = await this.#find({ score: BigInt(score), ordered: '' });
    return this.#descending ? this.#total - index : index;
  }
}
