import type {
  RankMethod,
  ScorePolicy,
  SortKeyOrder,
  SortKeyType,
  SortOrder,
  TieBreak,
} from '../../src/core/leaderboard.ts';
import type { Cadence } from '../../src/core/period.ts';
import { cutOf, endOf } from './oracle-calendar.ts';

/**
 * What Laurel should do, done naively: entries in an array that is sorted anew each time, ranks by counting. Of src/ it
 * takes nothing but the names of types, so that a mistake there is not made here too.
 */

export interface OracleRules {
  readonly sortOrder: SortOrder;
  readonly scorePolicy: ScorePolicy;
  readonly tieBreak: TieBreak;
  readonly sortKeyType: SortKeyType;
  readonly sortKeyOrder: SortKeyOrder;
  readonly rankMethod: RankMethod;
  readonly denseRanks: boolean;
  readonly maxEntries: number | null;
  /** Stored integers, like every score here. */
  readonly minScore: bigint;
  readonly maxScore: bigint;
  readonly cadences: readonly Cadence[];
  /** Of a zone without daylight saving time. */
  readonly zoneOffsetMs: number;
  readonly graceMs: number;
  readonly backfill: boolean;
}

type OrderRules = Pick<OracleRules, 'sortOrder' | 'tieBreak' | 'sortKeyType' | 'sortKeyOrder'>;

export interface OracleEntry {
  readonly memberId: string;
  readonly score: bigint;
  /** Event time of what reached the score, and the version that wrote it. */
  readonly reachedAt: number;
  readonly sequence: number;
  /** Null: never given one. */
  readonly sortKey: string | null;
  readonly metadata: string | null;
}

type Compare = (a: OracleEntry, b: OracleEntry) => number;

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const byValue = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);

/** Negative where `a` comes first by score. */
const scoreOrder: Record<SortOrder, Compare> = {
  HIGH_TO_LOW: (a, b) => byValue(b.score, a.score),
  LOW_TO_HIGH: (a, b) => byValue(a.score, b.score),
};

const reachedOrder: Compare = (a, b) => a.reachedAt - b.reachedAt || a.sequence - b.sequence;

/** Entries without a key come as those with the least one. */
const sortKeyOrder: Record<SortKeyType, Compare> = {
  TEXT: (a, b) => byBytes(a.sortKey ?? '', b.sortKey ?? ''),
  INTEGER: (a, b) => byValue(BigInt(a.sortKey ?? -(2n ** 64n)), BigInt(b.sortKey ?? -(2n ** 64n))),
};

/** Negative where `a` comes first among equal scores, if the rule decides at all. */
const tieOrder: Record<TieBreak, (rules: OrderRules) => Compare> = {
  MEMBER_ID: () => () => 0,
  EARLIEST: () => reachedOrder,
  LATEST: () => (a, b) => reachedOrder(b, a),
  SORT_KEY: ({ sortKeyType, sortKeyOrder: direction }) => {
    const compare = sortKeyOrder[sortKeyType];
    return direction === 'ASCENDING' ? compare : (a, b) => compare(b, a);
  },
};

/** Ids go in the direction in which Redis reads. */
const memberOrder: Record<SortOrder, Compare> = {
  HIGH_TO_LOW: (a, b) => byBytes(b.memberId, a.memberId),
  LOW_TO_HIGH: (a, b) => byBytes(a.memberId, b.memberId),
};

function compareBy(rules: OrderRules): Compare {
  const [byScore, byTie, byMember] = [
    scoreOrder[rules.sortOrder],
    tieOrder[rules.tieBreak](rules),
    memberOrder[rules.sortOrder],
  ];
  return (a, b) => byScore(a, b) || byTie(a, b) || byMember(a, b);
}

export interface OracleStanding {
  readonly memberId: string;
  readonly score: string;
  readonly index: number;
  readonly competitionRank: number;
  readonly tieCount: number;
  readonly denseRank: number | null;
  readonly reachedAt: number | null;
  readonly metadata: string | null;
}

export interface OraclePageRead {
  readonly window:
    | { readonly kind: 'all' }
    | { readonly kind: 'scores'; readonly minScore: string | null; readonly maxScore: string | null }
    | { readonly kind: 'rank'; readonly rank: number };
  readonly after: OracleEntry | null;
  readonly before: OracleEntry | null;
  readonly offset: number;
  readonly first: number | null;
  readonly last: number | null;
}

type PeriodRules = OrderRules & Pick<OracleRules, 'rankMethod' | 'denseRanks'>;

export class OraclePeriod {
  readonly entries = new Map<string, OracleEntry>();
  version = 0;
  readonly rules: PeriodRules;

  constructor(rules: PeriodRules) {
    // A copy: a test may go on with other rules.
    this.rules = { ...rules };
  }

  order(): OracleEntry[] {
    return [...this.entries.values()].sort(compareBy(this.rules));
  }

  standings(): OracleStanding[] {
    const order = this.order();
    const { sortOrder, tieBreak, denseRanks } = this.rules;
    return order.map((entry, index) => {
      const better = order.filter((other) => scoreOrder[sortOrder](other, entry) < 0);
      return {
        memberId: entry.memberId,
        score: String(entry.score),
        index,
        competitionRank: better.length + 1,
        tieCount: order.filter(({ score }) => score === entry.score).length,
        denseRank: denseRanks ? new Set(better.map(({ score }) => score)).size + 1 : null,
        reachedAt: tieBreak === 'EARLIEST' || tieBreak === 'LATEST' ? entry.reachedAt : null,
        metadata: entry.metadata,
      };
    });
  }

  standing(memberId: string): OracleStanding | null {
    return this.standings().find((one) => one.memberId === memberId) ?? null;
  }

  /** Entries that come before a place, and those at it or before. */
  countTo(place: OracleEntry): { before: number; through: number } {
    const compare = compareBy(this.rules);
    const order = this.order();
    return {
      before: order.filter((entry) => compare(entry, place) < 0).length,
      through: order.filter((entry) => compare(entry, place) <= 0).length,
    };
  }

  /** The standings that a window lets through: always neighbours. */
  windowed(window: OraclePageRead['window']): OracleStanding[] {
    const standings = this.standings();
    const { rankMethod } = this.rules;
    const rankOf = (one: OracleStanding) =>
      ({ COMPETITION: one.competitionRank, ORDINAL: one.index + 1, DENSE: one.denseRank })[rankMethod];
    switch (window.kind) {
      case 'all':
        return standings;
      case 'rank':
        return standings.filter((one) => rankOf(one) === window.rank);
      case 'scores': {
        const [low, high] = [window.minScore, window.maxScore];
        return standings.filter(
          ({ score }) =>
            (low === null || BigInt(score) >= BigInt(low)) && (high === null || BigInt(score) <= BigInt(high)),
        );
      }
    }
  }

  page({ window, after, before, offset, first, last }: OraclePageRead) {
    const compare = compareBy(this.rules);
    const entryOf = ({ memberId }: OracleStanding) => this.entries.get(memberId) as OracleEntry;
    const whole = this.windowed(window);
    const between = whole
      .filter((one) => after === null || compare(entryOf(one), after) > 0)
      .filter((one) => before === null || compare(entryOf(one), before) < 0)
      .slice(offset);
    return {
      standings: last === null ? between.slice(0, first ?? 0) : between.slice(Math.max(0, between.length - last)),
      windowSize: whole.length,
      after: after && this.countTo(after).through,
      before: before && this.countTo(before).before,
    };
  }

  /** So many above a member to so many below; with `fill`, as many entries as that even at the ends. */
  around(memberId: string, above: number, below: number, fill: boolean): OracleStanding[] | null {
    const own = this.standing(memberId);
    return own && this.#near(own.index - above, own.index + below, above + below + 1, fill);
  }

  /** So many above where a score would stand to so many below. */
  aroundScore(score: bigint, above: number, below: number, fill: boolean): OracleStanding[] {
    const { better } = this.position(score);
    return this.#near(better - above, better + below - 1, above + below, fill);
  }

  #near(low: number, high: number, size: number, fill: boolean): OracleStanding[] {
    const standings = this.standings();
    let [from, to] = [low, high];
    while (fill && to > standings.length - 1 && from > 0) [from, to] = [from - 1, to - 1];
    while (fill && from < 0) [from, to] = [from + 1, to + 1];
    return standings.filter(({ index }) => index >= from && index <= to).slice(0, size);
  }

  position(score: bigint) {
    const probe = { memberId: '', score, reachedAt: 0, sequence: 0, sortKey: null, metadata: null };
    const better = this.order().filter((entry) => scoreOrder[this.rules.sortOrder](entry, probe) < 0);
    return {
      better: better.length,
      ties: this.order().filter((entry) => entry.score === score).length,
      denseRank: this.rules.denseRanks ? new Set(better.map((entry) => entry.score)).size + 1 : null,
    };
  }
}

/** What a score leaves of an old one. */
const policies: Record<ScorePolicy, (old: bigint, given: bigint, order: SortOrder) => bigint> = {
  BEST: (old, score, order) => ((order === 'HIGH_TO_LOW' ? score > old : score < old) ? score : old),
  LATEST: (_, score) => score,
  SUM: (old, score) => old + score,
};

export interface OracleInput {
  readonly memberId: string;
  /** Null: only another sort key. */
  readonly score: bigint | null;
  readonly scorePolicy?: ScorePolicy | undefined;
  readonly occurredAt?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly sortKey?: string | undefined;
  readonly metadata?: string | undefined;
}

interface OraclePlace {
  readonly score: string;
  readonly index: number;
  readonly rank: number;
  readonly dense?: number;
}

export interface OracleChange {
  readonly period: string;
  readonly outcome: 'APPLIED' | 'UNCHANGED' | 'BELOW_CUT';
  readonly late: boolean;
  readonly version: number;
  readonly entry?: OraclePlace & { readonly ties: number; readonly total: number; readonly metadata?: string };
  readonly before?: OraclePlace;
}

export interface OracleResult {
  readonly applied: boolean;
  readonly duplicate: boolean;
  readonly changes: readonly OracleChange[];
  readonly skipped: readonly { period: string; cadence: Cadence; code: string }[];
}

export type OracleOutcome = OracleResult | { readonly refused: string };

const placeOf = ({ score, index, competitionRank, denseRank }: OracleStanding): OraclePlace => ({
  ...{ score, index, rank: competitionRank },
  ...(denseRank !== null && { dense: denseRank }),
});

/** What one submission would leave in one period. */
interface Plan {
  readonly key: string;
  readonly late: boolean;
  readonly old: OracleEntry | undefined;
  /** Null: nothing changes. */
  readonly next: OracleEntry | null;
  readonly attempted: bigint;
}

export class OracleBoard {
  rules: OracleRules;
  readonly periods = new Map<string, OraclePeriod>();
  readonly #remembered = new Map<string, { print: string; result: OracleResult }>();

  constructor(rules: OracleRules) {
    this.rules = rules;
  }

  period(key: string): OraclePeriod {
    return this.periods.get(key) ?? new OraclePeriod(this.rules);
  }

  submit(input: OracleInput, now: number): OracleOutcome {
    const { memberId, score, scorePolicy, occurredAt, sortKey, metadata, idempotencyKey } = input;
    const print = [memberId, score, scorePolicy, occurredAt, sortKey, metadata].map(String).join('\n');
    const first = idempotencyKey === undefined ? undefined : this.#remembered.get(idempotencyKey);
    if (first && first.print !== print) return { refused: 'IDEMPOTENCY_CONFLICT' };
    if (first) return { ...first.result, duplicate: true };
    const outcome = this.#apply(input, now);
    if (idempotencyKey !== undefined && !('refused' in outcome) && outcome.changes.length > 0) {
      this.#remembered.set(idempotencyKey, { print, result: outcome });
    }
    return outcome;
  }

  #apply(input: OracleInput, now: number): OracleOutcome {
    const { cadences, zoneOffsetMs, backfill, graceMs, minScore, maxScore } = this.rules;
    const at = input.occurredAt ?? now;
    const cuts = cadences.map((cadence) => {
      const { key, end } = cutOf(cadence, at, zoneOffsetMs);
      const closed = end !== null && !backfill && now >= end + graceMs;
      const unranked = input.score === null && !this.period(key).entries.has(input.memberId);
      const code = closed ? 'PERIOD_CLOSED' : unranked ? 'NOT_RANKED' : null;
      return { cadence, key, late: end !== null && now >= end, code };
    });
    const plans = cuts.filter(({ code }) => code === null).map(({ key, late }) => this.#plan(key, late, input, at));
    if (input.score !== null && plans.some(({ attempted }) => attempted < minScore || attempted > maxScore)) {
      return { refused: 'SCORE_OUT_OF_RANGE' };
    }
    const changes = plans.map((plan) => this.#change(plan, input.memberId));
    return {
      applied: changes.some(({ outcome }) => outcome === 'APPLIED'),
      duplicate: false,
      changes,
      skipped: cuts.flatMap(({ key, cadence, code }) => (code === null ? [] : [{ period: key, cadence, code }])),
    };
  }

  #plan(key: string, late: boolean, input: OracleInput, at: number): Plan {
    const period = this.period(key);
    const old = period.entries.get(input.memberId);
    const policy = input.scorePolicy ?? this.rules.scorePolicy;
    const given = input.score ?? old?.score ?? 0n;
    const made = { memberId: input.memberId, sortKey: input.sortKey ?? old?.sortKey ?? null };
    const shown = { reachedAt: at, sequence: period.version + 1, metadata: input.metadata ?? null };
    if (!old) return { key, late, old, next: { ...made, ...shown, score: given }, attempted: given };
    const score = input.score === null ? old.score : policies[policy](old.score, given, this.rules.sortOrder);
    // Even a score that would not count must be one that the board accepts.
    const attempted = policy === 'SUM' && input.score !== null ? score : given;
    const rekeyed = input.sortKey !== undefined && this.#keyValue(input.sortKey) !== this.#keyValue(old.sortKey);
    const equal = input.score !== null && given === old.score && policy === 'BEST';
    const earlier = this.rules.tieBreak === 'EARLIEST' && equal && at < old.reachedAt;
    // A worse score can still bring another sort key: then the key is all that changes.
    const worse = score === old.score && given !== old.score && policy === 'BEST';
    if (score === old.score && !rekeyed && !earlier) return { key, late, old, next: null, attempted };
    if (input.score === null || worse) return { key, late, old, next: { ...old, ...made }, attempted };
    const reachedAt = policy === 'SUM' ? Math.max(at, old.reachedAt) : at;
    return { key, late, old, next: { ...made, ...shown, reachedAt, score }, attempted };
  }

  /** Two texts may name one key. */
  #keyValue(sortKey: string | null): string {
    if (this.rules.sortKeyType === 'TEXT') return sortKey ?? '';
    return sortKey === null ? 'none' : String(BigInt(sortKey));
  }

  #change({ key, late, old, next }: Plan, memberId: string): OracleChange {
    const period = this.period(key);
    const was = old && period.standing(memberId);
    const before = was ? { before: placeOf(was) } : {};
    if (next) period.entries.set(memberId, next);
    const surplus = this.rules.maxEntries === null ? undefined : period.order()[this.rules.maxEntries];
    if (surplus) period.entries.delete(surplus.memberId);
    if (surplus?.memberId === memberId)
      return { period: key, outcome: 'BELOW_CUT', late, version: period.version, ...before };
    if (next) {
      period.version += 1;
      this.periods.set(key, period);
    }
    const { version } = period;
    // What falls out is a change of its own.
    if (surplus) period.version += 1;
    const now = period.standing(memberId);
    if (!now) throw new Error('an entry just written is missing');
    const counts = { ties: now.tieCount, total: period.entries.size };
    const metadata = now.metadata === null ? {} : { metadata: now.metadata };
    const entry = { ...placeOf(now), ...counts, ...metadata };
    return { period: key, outcome: next ? 'APPLIED' : 'UNCHANGED', late, version, entry, ...before };
  }

  /** Takes a member out of periods that still accept scores, in any order. */
  remove(memberId: string, now: number) {
    const { zoneOffsetMs, graceMs, backfill, cadences } = this.rules;
    const removals = [];
    for (const [key, period] of this.periods) {
      const end = endOf(key, zoneOffsetMs, cadences);
      const standing = period.standing(memberId);
      if (!standing || (end !== null && !backfill && now >= end + graceMs)) continue;
      period.entries.delete(memberId);
      period.version += 1;
      removals.push({ period: key, version: period.version, before: placeOf(standing) });
    }
    return removals;
  }
}
