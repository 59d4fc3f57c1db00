import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatScore, highestStored, maxScale, parseScore } from '../../src/core/score.ts';
import { refusalOf } from '../support/refusal.ts';
import { seeded } from '../support/seed.ts';

const scales = Array.from({ length: maxScale + 1 }, (_, scale) => scale);

describe('S1: scores are exact decimals', () => {
  it.each([
    [0, 0, '0'],
    [-0, 0, '0'],
    [-0, 9, '0'],
    [7, 0, '7'],
    [-7, 0, '-7'],
    [1200, 0, '1200'],
    [0.1, 1, '1'],
    [-0.1, 1, '-1'],
    [12.5, 2, '1250'],
    [0.05, 2, '5'],
    [-0.05, 3, '-50'],
    [1.005, 3, '1005'],
    [4723.82, 2, '472382'],
    [0.3, 1, '3'],
    [1e-7, 7, '1'],
    [1e-7, 9, '100'],
    [1.5e-7, 9, '150'],
    [1e-9, 9, '1'],
    [999_999.999_999_999, 9, '999999999999999'],
    [-999_999.999_999_999, 9, '-999999999999999'],
    [99_999_999_999_999.9, 1, '999999999999999'],
    [2 ** 53 - 1, 0, '9007199254740991'],
    [1 - 2 ** 53, 0, '-9007199254740991'],
  ])('%d at scale %i is stored as %s', (score, scale, stored) => {
    expect(parseScore(score, scale)).toBe(stored);
    expect(Object.is(formatScore(stored, scale), score === 0 ? 0 : score)).toBe(true);
  });

  it.each([
    [0.1 + 0.2, 1],
    [0.1 + 0.2, 9],
    [0.5, 0],
    [1.05, 1],
    [1e-7, 6],
    [-1e-7, 0],
    [1e-10, 9],
    [1.000_000_000_1, 9],
    [5e-324, 9],
    [2.5, 0],
  ])('%d has more decimals than scale %i keeps', async (score, scale) => {
    expect(await refusalOf(() => parseScore(score, scale))).toBe('SCORE_TOO_PRECISE');
  });

  it.each([
    [2 ** 53, 0],
    [-(2 ** 53), 0],
    [1e21, 0],
    [1e21, 9],
    [-1e21, 0],
    [Number.MAX_VALUE, 0],
    [Number.MAX_VALUE, 9],
    [1e14, 1],
    [1_000_000, 9],
    [-1_000_000, 9],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0],
    [Number.NEGATIVE_INFINITY, 2],
  ])('%d is outside what scale %i holds', async (score, scale) => {
    expect(await refusalOf(() => parseScore(score, scale))).toBe('SCORE_OUT_OF_RANGE');
  });

  it('counts 0.1 + 0.2 as 0.3 where sums are made, in stored integers', () => {
    const sum = BigInt(parseScore(0.1, 1)) + BigInt(parseScore(0.2, 1));
    expect(formatScore(String(sum), 1)).toBe(0.3);
  });

  it.each(scales)(
    '20,000 stored integers go out as JSON and come back the same at scales 0 to 9: scale %i',
    (scale) => {
      const highest = highestStored(scale);
      // Half of them anywhere, half of them with few digits or next to an edge.
      const stored = fc.oneof(
        fc.maxSafeInteger().map((value) => value % (highest + 1)),
        fc.integer({ min: -2000, max: 2000 }),
        fc.integer({ min: 0, max: 2000 }).map((below) => highest - below),
        fc.integer({ min: 0, max: 2000 }).map((above) => above - highest),
      );
      fc.assert(
        fc.property(stored, (value) => {
          const text = String(value + 0);
          const json: number = JSON.parse(JSON.stringify(formatScore(text, scale)));
          expect(parseScore(json, scale)).toBe(text);
        }),
        seeded(2000),
      );
    },
  );
});
