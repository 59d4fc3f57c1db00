import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { boards, steps, stepsPerRun } from '../support/generators.ts';
import { ModelRun } from '../support/model-run.ts';
import { runs, seeded } from '../support/seed.ts';
import { openStore, type Store } from '../support/store.ts';

/**
 * Random boards go through random steps beside a naive oracle: outcomes, orders, ranks, pages, drift and messages are
 * the same after each. A failure shows its seed: LAUREL_SEED=… npx vitest run --project property goes there again.
 * LAUREL_RUNS is the number of boards.
 */
let store: Store;

beforeAll(async () => {
  store = await openStore(inject('redisUrl'));
});

afterAll(() => store.close());

const usualRuns = 250;
const timeoutMs = 60_000 + runs(usualRuns) * 1000;

describe('random boards do what a sorted array does', () => {
  it(`S1–S5, R1–R5, P1–P4, T1, T2: up to ${stepsPerRun} steps each`, { timeout: timeoutMs }, async () => {
    await fc.assert(
      fc.asyncProperty(boards, steps, (board, each) => ModelRun.take(store, board, each)),
      { ...seeded(runs(usualRuns)), endOnFailure: process.env.LAUREL_SHRINK === 'no' },
    );
    expect(store.errors).toEqual([]);
  });
});
