import { expect, test } from 'vitest';
import { LaurelError } from '../../src/core/errors.ts';
import { makeRules } from '../../src/core/leaderboard.ts';
import type { PeriodRead } from '../../src/core/reading.ts';
import { ask } from '../../src/live/ask.ts';

const board = { ...makeRules('asked', {}), key: 'asked', version: 1, incarnation: 'i', epoch: 'e' };

/** A store that answers each read with its period and kind, but cannot read some periods. */
function storeWithout(failing: Readonly<Record<string, LaurelError>>) {
  const calls: number[] = [];
  const readSettled = async (_: unknown, reads: readonly PeriodRead[]) => {
    calls.push(reads.length);
    return reads.map(({ period, read: { kind } }) => failing[period] ?? `${period} ${kind}`);
  };
  return { calls, entries: { readSettled } };
}

const reads = ['a', 'b', 'a', 'c'].map(
  (period, i): PeriodRead => ({ period, read: { kind: 'entry', memberId: `m${i}` } }),
);

test('one call reads all, with the head of each period', async () => {
  const { calls, entries } = storeWithout({});
  const { answers, heads, failed } = await ask(entries, board, reads);
  expect(answers).toEqual(['a entry', 'b entry', 'a entry', 'c entry']);
  expect([...heads]).toEqual(['a', 'b', 'c'].map((period) => [period, `${period} head`]));
  expect([...failed]).toEqual([]);
  expect(calls).toEqual([7]);
});

test('a period that cannot be read keeps nobody from the others', async () => {
  const error = new LaurelError('PERIOD_EXPIRED', 'no');
  const { answers, heads, failed } = await ask(storeWithout({ b: error }).entries, board, reads);
  expect(answers).toEqual(['a entry', error, 'a entry', 'c entry']);
  expect([...heads.keys()]).toEqual(['a', 'c']);
  expect([...failed]).toEqual([['b', error]]);
});
