import { expect, it } from 'vitest';
import { LaurelError } from '../../src/core/errors.ts';
import type { Leaderboard } from '../../src/core/leaderboard.ts';
import { limits } from '../../src/core/limits.ts';
import { StaleBoard } from '../../src/core/ports.ts';
import type { PeriodRead } from '../../src/core/reading.ts';
import { type Reading, SharedReads } from '../../src/redis/shared-reads.ts';
import { until } from '../support/until.ts';

const boards = { one: { key: 'one' } as Leaderboard, two: { key: 'two' } as Leaderboard };

/** So many reads, each of a member of its own. */
const reads = (name: string, count = 1): PeriodRead[] =>
  Array.from({ length: count }, (_, i) => ({ period: 'all', read: { kind: 'entry', memberId: `${name}${i}` } }));

const idsOf = (asked: readonly PeriodRead[]) =>
  asked.map(({ read }) => (read.kind === 'entry' ? read.memberId : read.kind));

/** Answers each read with its member's id, and refuses a call with a member who is called `bad…`. */
function shared() {
  const calls: [string, string[]][] = [];
  const underWay = { now: 0, most: 0 };
  const answer = async (board: Leaderboard, asked: readonly PeriodRead[]): Promise<Reading> => {
    calls.push([board.key, idsOf(asked)]);
    underWay.now += 1;
    underWay.most = Math.max(underWay.most, underWay.now);
    await turn();
    underWay.now -= 1;
    if (idsOf(asked).some((id) => id.startsWith('bad'))) throw new Error('bad');
    return { heads: new Map(), answers: idsOf(asked) };
  };
  return { calls, underWay, reads: new SharedReads(answer) };
}

/** After all that is ready to run now. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

const answersOf = (asked: Promise<Reading>) => asked.then(({ answers }) => answers);

it('who asks alone is answered at once', async () => {
  const { calls, reads: source } = shared();
  const first = source.read(boards.one, reads('a', 2));
  expect(calls).toEqual([['one', ['a0', 'a1']]]);
  await first;
  expect(await answersOf(source.read(boards.one, reads('b')))).toEqual(['b0']);
});

it('who asks nothing costs nothing', async () => {
  const { calls, reads: source } = shared();
  expect(await answersOf(source.read(boards.one, []))).toEqual([]);
  expect(calls).toEqual([]);
});

it('those who ask meanwhile share calls, half of what is asked in each, and each gets its own answers', async () => {
  const { calls, reads: source } = shared();
  const asked = ['a', 'b', 'c'].map((name, i) => source.read(boards.one, reads(name, i + 1)));
  // Asked by what was ready to run: of the same moment.
  const later = Promise.resolve().then(() => source.read(boards.one, reads('d')));
  expect(await Promise.all([...asked, later].map(answersOf))).toEqual([
    ['a0'],
    ['b0', 'b1'],
    ['c0', 'c1', 'c2'],
    ['d0'],
  ]);
  expect(calls).toEqual([
    ['one', ['a0']],
    ['one', ['b0', 'b1', 'c0', 'c1', 'c2']],
    ['one', ['d0']],
  ]);
});

it("a shared call is bounded, and one asker's reads are not taken apart", async () => {
  const { calls, reads: source } = shared();
  const most = limits.sharedReads;
  const sizes = [1, most - 1, 1, 1, most + 5, most - 1, 2, most];
  await Promise.all(sizes.map((size, i) => source.read(boards.one, reads(`${i}-`, size))));
  expect(calls.map(([, ids]) => ids.length)).toEqual([1, most, 1, most + 5, most - 1, 2, most]);
});

it('each board has calls of its own, and is asked at once where it is not being read', async () => {
  const { calls, reads: source } = shared();
  const asked = [source.read(boards.one, reads('a')), source.read(boards.two, reads('b'))];
  asked.push(source.read(boards.one, reads('c')), source.read(boards.two, reads('d')));
  expect(await Promise.all(asked.map(answersOf))).toEqual([['a0'], ['b0'], ['c0'], ['d0']]);
  expect(calls).toEqual([
    ['one', ['a0']],
    ['two', ['b0']],
    ['one', ['c0']],
    ['two', ['d0']],
  ]);
});

it('at most three calls of a board are under way; who asks meanwhile goes with the next, after an answer or a failure', async () => {
  const calls: { ids: string[]; answer(): void; fail(error: Error): void }[] = [];
  const source = new SharedReads(
    (_, asked) =>
      new Promise<Reading>((resolve, reject) => {
        const ids = idsOf(asked);
        calls.push({ ids, answer: () => resolve({ heads: new Map(), answers: ids }), fail: reject });
      }),
  );
  const ask = (name: string) => answersOf(source.read(boards.one, reads(name)));
  const asked: Promise<readonly unknown[]>[] = [];
  for (const names of [['a'], ['b'], ['c'], ['d', 'e']]) {
    asked.push(...names.map(ask));
    await turn();
  }
  expect(calls.map(({ ids }) => ids)).toEqual([['a0'], ['b0'], ['c0']]);
  calls[1]?.answer();
  await turn();
  expect(calls[3]?.ids).toEqual(['d0', 'e0']);
  asked.push(ask('f'));
  await turn();
  expect(calls).toHaveLength(4);
  calls[0]?.fail(new Error('away'));
  await expect(asked[0]).rejects.toThrow('away');
  await turn();
  expect(calls[4]?.ids).toEqual(['f0']);
  for (const { answer } of calls) answer();
  expect(await Promise.all(asked.slice(1))).toEqual([['b0'], ['c0'], ['d0'], ['e0'], ['f0']]);
});

it("one asker's trouble is not another's, but what is wrong with the board is everybody's", async () => {
  const { reads: source } = shared();
  const asked = ['a', 'b', 'bad', 'c'].map((name) => source.read(boards.one, reads(name)));
  const settled = await Promise.allSettled(asked);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(await answersOf(source.read(boards.one, reads('d')))).toEqual(['d0']);
  const askedFor: string[] = [];
  const stale = new SharedReads(async (_, asked) => {
    askedFor.push(...idsOf(asked));
    throw new StaleBoard();
  });
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const refused = await Promise.allSettled(names.map((name) => stale.read(boards.one, reads(name))));
  expect(refused).toEqual(refused.map(() => ({ status: 'rejected', reason: expect.any(StaleBoard) })));
  expect(askedFor).toEqual(names.map((name) => `${name}0`));
});

it('who shared a call that failed is asked for alone, still with at most three calls under way', async () => {
  const { calls, underWay, reads: source } = shared();
  const names = Array.from({ length: 100 }, (_, i) => (i % 10 === 5 ? `bad${i}-` : `m${i}-`));
  const settled = await Promise.allSettled(names.map((name) => source.read(boards.one, reads(name))));
  expect(settled.map(({ status }) => status)).toEqual(
    names.map((name) => (name.startsWith('bad') ? 'rejected' : 'fulfilled')),
  );
  expect(underWay.most).toBeLessThanOrEqual(3);
  const timesAsked = names.map((name) => calls.filter(([, ids]) => ids.includes(`${name}0`)).length);
  expect(Math.max(...timesAsked)).toBe(2);
});

it('when the store cannot be reached, all who wait are told so, and who asks after that is answered', async () => {
  const fails: ((error: Error) => void)[] = [];
  let away = true;
  const source = new SharedReads((_, asked) => {
    if (away) return new Promise((_resolve, reject) => fails.push(reject));
    return Promise.resolve({ heads: new Map(), answers: idsOf(asked) });
  });
  const asked = Array.from({ length: 10 * limits.sharedReads }, (_, i) => source.read(boards.one, reads(`${i}-`)));
  const all = Promise.allSettled(asked);
  await until(() => fails.length === 3);
  for (const fail of fails) fail(new LaurelError('STORE_UNAVAILABLE', 'away'));
  const refused = { status: 'rejected', reason: expect.objectContaining({ code: 'STORE_UNAVAILABLE' }) };
  expect(await all).toEqual(asked.map(() => refused));
  expect(fails).toHaveLength(3);
  away = false;
  expect(await answersOf(source.read(boards.one, reads('a')))).toEqual(['a0']);
});

it('a reading that throws at once fails as others do, and keeps nobody after it', async () => {
  const source = new SharedReads((_, asked) => {
    if (idsOf(asked).some((id) => id.startsWith('bad'))) throw new Error('bad');
    return Promise.resolve({ heads: new Map(), answers: idsOf(asked) });
  });
  const names = ['bad', 'bad', 'a', 'bad', 'bad'];
  const settled = await Promise.allSettled(names.map((name) => source.read(boards.one, reads(name))));
  expect(settled.map(({ status }) => status)).toEqual(names.map((name) => (name === 'a' ? 'fulfilled' : 'rejected')));
  expect(await answersOf(source.read(boards.one, reads('b')))).toEqual(['b0']);
});
