import { expect, test } from 'vitest';
import { LaurelError } from '../../src/core/errors.ts';
import { makeRules } from '../../src/core/leaderboard.ts';
import type { EntryStore } from '../../src/core/ports.ts';
import type { PeriodRead } from '../../src/core/reading.ts';
import { ask } from '../../src/live/ask.ts';

const rules = makeRules('asked', {});
const board = { ...rules, key: 'asked', version: 1, incarnation: 'i', epoch: 'e' } as Parameters<EntryStore['read']>[0];

/** A store that answers each read with its period and kind, but cannot read some periods. */
function storeWithout(failing: Readonly<Record<string, LaurelError | Error>>) {
  const calls: number[] = [];
  const read = async (_: unknown, reads: readonly PeriodRead[]) => {
    calls.push(reads.length);
    for (const { period } of reads) if (failing[period]) throw failing[period];
    return reads.map(({ period, read: { kind } }) => `${period} ${kind}`);
  };
  return { calls, entries: { read } as unknown as EntryStore };
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

test.each(['ARCHIVE_UNAVAILABLE', 'PERIOD_EXPIRED'] as const)('%s keeps nobody from other periods', async (code) => {
  const error = new LaurelError(code, 'no');
  const { answers, heads, failed } = await ask(storeWithout({ b: error }).entries, board, reads);
  expect(answers).toEqual(['a entry', undefined, 'a entry', 'c entry']);
  expect([...heads.keys()]).toEqual(['a', 'c']);
  expect([...failed]).toEqual([['b', error]]);
});

test('what is not a matter of one period is thrown', async () => {
  const away = new LaurelError('STORE_UNAVAILABLE', 'no');
  await expect(ask(storeWithout({ b: away }).entries, board, reads)).rejects.toBe(away);
});
