import { afterAll, beforeAll, expect, it } from 'vitest';
import { DenseIndex } from '../../src/core/dense-index.ts';
import { openPeriods, type Periods } from '../support/periods.ts';

let laurel: Periods;

beforeAll(async () => {
  laurel = await openPeriods(Date.parse('2026-05-10T12:00:00Z'));
});

afterAll(() => laurel.stop());

/** A board as it was before its rules changed, and it has entries. */
async function outdatedBoard(key: string) {
  const board = await laurel.boards.create(key, { cadences: ['DAILY', 'ALL_TIME'] });
  await laurel.scoring.submit(key, { memberId: 'ann', score: 5 });
  await laurel.boards.update(key, { title: 'Changed', denseRanks: true });
  return board;
}

it('a career is read from the board as it is now', async () => {
  const board = await outdatedBoard('career');
  const appearances = await laurel.past.career(board, 'ann', 'DAILY');
  expect(appearances).toMatchObject([{ period: { key: '2026-05-10' }, standing: { score: '5', index: 0 } }]);
});

it('so is how far its dense index is built', async () => {
  const board = await outdatedBoard('dense');
  const index = new DenseIndex(laurel.boards, laurel.entries, { info: () => {} });
  expect(await index.progress(board)).toBe(0);
  await index.build(board.key);
  expect(await index.progress(board)).toBe(1);
});
