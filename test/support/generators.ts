import fc from 'fast-check';
import {
  type LeaderboardInput,
  rankMethods,
  scorePolicies,
  sortKeyOrders,
  sortKeyTypes,
  sortOrders,
  tieBreaks,
} from '../../src/core/leaderboard.ts';
import { type Cadence, cadences } from '../../src/core/period.ts';
import type { OracleInput, OraclePageRead, OracleRules } from './oracle.ts';

/** Zones without daylight saving time: the oracle's calendar is plain arithmetic. */
const zones = { UTC: 0, 'Asia/Kolkata': 5.5, 'Etc/GMT+5': -5 } as const;
const hourMs = 3_600_000;

/** The largest stored integers, written down once more. */
const highest = (scale: number) => (scale === 0 ? 9_007_199_254_740_991n : 999_999_999_999_999n);

/** Stored integer → the number a caller would send. */
export function numberOf(stored: bigint, scale: number): number {
  const digits = String(stored < 0n ? -stored : stored).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return Number(`${stored < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`);
}

export interface RandomBoard {
  readonly input: LeaderboardInput;
  readonly rules: OracleRules;
  readonly scale: number;
}

const options = fc.record({
  sortOrder: fc.constantFrom(...sortOrders),
  scorePolicy: fc.constantFrom(...scorePolicies),
  tieBreak: fc.constantFrom(...tieBreaks),
  sortKeyType: fc.constantFrom(...sortKeyTypes),
  sortKeyOrder: fc.constantFrom(...sortKeyOrders),
  rankMethod: fc.constantFrom(...rankMethods),
  denseRanks: fc.boolean(),
  maxEntries: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, fc.integer({ min: 1, max: 5 })),
  scale: fc.constantFrom(0, 0, 1, 2, 9),
  bounds: fc.option(fc.tuple(fc.bigInt({ min: -6n, max: 0n }), fc.bigInt({ min: 1n, max: 6n }))),
  cadences: fc
    .uniqueArray(fc.constantFrom<Cadence>('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'), { maxLength: 2 })
    .map((some): Cadence[] => cadences.filter((cadence) => cadence === 'ALL_TIME' || some.includes(cadence))),
  timeZone: fc.constantFrom<keyof typeof zones>('UTC', 'Asia/Kolkata', 'Etc/GMT+5'),
  graceSeconds: fc.constantFrom(0, 0, 3600, 200_000),
  backfill: fc.boolean(),
});

/** Boards of every kind. */
export const boards: fc.Arbitrary<RandomBoard> = options.map((drawn) => {
  const { scale, bounds, maxEntries: cap, timeZone, graceSeconds, denseRanks: asked, ...same } = drawn;
  const maxEntries = same.scorePolicy === 'SUM' ? null : cap;
  const denseRanks = asked || same.rankMethod === 'DENSE';
  const [minScore, maxScore] = bounds ?? [-highest(scale), highest(scale)];
  return {
    scale,
    input: {
      ...same,
      denseRanks,
      timeZone,
      graceSeconds,
      scoreScale: scale,
      ...(maxEntries !== null && { maxEntries }),
      ...(bounds && { minScore: numberOf(minScore, scale), maxScore: numberOf(maxScore, scale) }),
    },
    rules: {
      ...same,
      denseRanks,
      maxEntries,
      minScore,
      maxScore,
      zoneOffsetMs: zones[timeZone] * hourMs,
      graceMs: graceSeconds * 1000,
    },
  };
});

/** Ids whose order by bytes is another than any language's. */
export const memberIds = ['a', 'B', 'b', 'aa', 'é', 'e', '李', '😀', '.', '~', '10', '9', 'ﬀ', 'u:1'] as const;

/** Some far more often than the others, so that much happens to them. */
const members = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...memberIds.slice(0, 3)) },
  { weight: 1, arbitrary: fc.constantFrom(...memberIds) },
);

/** Mostly few values, so that ties are many; now and then an edge of the range. */
const scores = fc.oneof(
  { weight: 12, arbitrary: fc.bigInt({ min: -1n, max: 2n }) },
  { weight: 4, arbitrary: fc.bigInt({ min: -4n, max: 4n }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...[0, 1].flatMap((scale) => [highest(scale), -highest(scale), highest(scale) - 3n])),
  },
);

/** An input as drawn: what does not suit the board is left out when it is used. */
export interface RandomInput {
  readonly memberId: string;
  readonly score: bigint;
  readonly scorePolicy: OracleInput['scorePolicy'];
  /** Before now; undefined: the caller does not say. */
  readonly ageMs: number | undefined;
  readonly idempotencyKey: string | undefined;
  readonly sortKey: bigint | undefined;
  readonly metadata: number | undefined;
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const sortKeys = fc.oneof(fc.bigInt({ min: -1n, max: 1n }), fc.bigInt({ min: -12n, max: 12n }));

const inputs: fc.Arbitrary<RandomInput> = fc.record({
  memberId: members,
  score: scores,
  scorePolicy: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, fc.constantFrom(...scorePolicies)),
  ageMs: maybe(
    fc.oneof(
      fc.integer({ min: 0, max: 60 }).map((hours) => hours * hourMs),
      fc.integer({ min: 0, max: 20 * 24 * hourMs }),
    ),
  ),
  idempotencyKey: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.constantFrom('k1', 'k2', 'k3', 'k4')),
  sortKey: maybe(sortKeys),
  metadata: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fc.integer({ min: 0, max: 9 })),
});

const windows: fc.Arbitrary<OraclePageRead['window']> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'all' } as const) },
  fc.record({
    kind: fc.constant('scores' as const),
    minScore: fc.option(fc.integer({ min: -5, max: 5 }).map(String)),
    maxScore: fc.option(fc.integer({ min: -5, max: 5 }).map(String)),
  }),
  fc.record({ kind: fc.constant('rank' as const), rank: fc.integer({ min: 1, max: 9 }) }),
);

/** Which page to read; cursors are numbers that choose among those seen so far. */
export interface RandomPage {
  readonly window: OraclePageRead['window'];
  readonly after: number | null;
  readonly before: number | null;
  readonly offset: number;
  readonly size: { readonly first: number; readonly last: null } | { readonly first: null; readonly last: number };
}

const pages: fc.Arbitrary<RandomPage> = fc.record({
  window: windows,
  after: fc.option(fc.nat(), { freq: 2 }),
  before: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, fc.nat()),
  offset: fc.constantFrom(0, 0, 0, 1, 3),
  size: fc.oneof(
    fc.constantFrom(0, 1, 2, 5, 100).map((first) => ({ first, last: null })),
    fc.constantFrom(0, 1, 2, 5, 100).map((last) => ({ first: null, last })),
  ),
});

export type RandomStep =
  | { readonly kind: 'submit'; readonly inputs: readonly RandomInput[] }
  | { readonly kind: 'retry'; readonly which: number }
  | { readonly kind: 'rekey'; readonly memberId: string; readonly sortKey: bigint }
  | { readonly kind: 'remove'; readonly memberId: string }
  | { readonly kind: 'advance'; readonly ms: number }
  | { readonly kind: 'hold'; readonly on: boolean }
  | { readonly kind: 'page'; readonly period: number; readonly pages: readonly RandomPage[] }
  | {
      readonly kind: 'walk';
      readonly size: number;
      readonly forward: boolean;
      readonly writes: readonly RandomInput[];
    };

/** One thing that happens to a board. */
const step: fc.Arbitrary<RandomStep> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      inputs: fc.array(inputs, { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('retry' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rekey' as const), memberId: members, sortKey: sortKeys }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), memberId: members }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('advance' as const),
      ms: fc.integer({ min: 1, max: 60 }).map((h) => h * hourMs),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hold' as const), on: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('page' as const),
      period: fc.nat(),
      pages: fc.array(pages, { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('walk' as const),
      size: fc.integer({ min: 1, max: 4 }),
      forward: fc.boolean(),
      writes: fc.oneof(fc.constant([]), fc.array(inputs, { maxLength: 8 })),
    }),
  },
);

export const stepsPerRun = 40;

export const steps: fc.Arbitrary<RandomStep[]> = fc.array(step, { minLength: 5, maxLength: stepsPerRun, size: 'max' });
