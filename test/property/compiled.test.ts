import fc from 'fast-check';
import { type ExecutionResult, execute, parse, validate } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { expect, it } from 'vitest';
import { createContext } from '../../src/graphql/context.ts';
import { maskError } from '../../src/graphql/mask.ts';
import { schema } from '../../src/graphql/schema.ts';
import { globalId, newBoardKey } from '../support/graphql-client.ts';
import { openLive } from '../support/live-operations.ts';
import { type Pools, RandomQuery } from '../support/random-operation.ts';
import { runs, seeded } from '../support/seed.ts';

/** Whether a place is not there any more, since something above or beside it failed. */
function isNulled(data: unknown, [name, ...rest]: readonly (string | number)[]): boolean {
  if (data === null || data === undefined) return true;
  return name !== undefined && isNulled((data as Record<string | number, unknown>)[name], rest);
}

/**
 * What a caller is sent, errors in an order that does not depend on what was ready first. Where several nulled the same
 * thing around them, it is open which of them are told, if any is.
 */
function sent({ data, errors = [] }: ExecutionResult) {
  const told = errors.filter(({ path = [] }) => !isNulled(data, path.slice(0, -1)));
  const texts = told.map((error) => JSON.stringify(maskError(error, null, () => {})));
  return { data: JSON.stringify(data), errors: texts.sort(), failed: errors.length > 0 };
}

it('a compiled operation says what graphql-js says', async () => {
  const now = Date.UTC(2026, 10, 30, 12);
  const { services, boards, scoring, profiles } = await openLive({ clock: () => now });
  const key = newBoardKey();
  await boards.create(key, { cadences: ['ALL_TIME', 'YEARLY'], tieBreak: 'EARLIEST', scoreScale: 1, denseRanks: true });
  const members = ['ann', 'bob', 'eve', 'zoë'];
  const scores = members.map((memberId, i) => ({ memberId, score: Math.floor(i / 2) + 0.5, metadata: { level: i } }));
  await scoring.submitAll(key, scores);
  await profiles.save(new Map([['ann', { displayName: 'Ann', avatarUrl: null, attributes: { team: 'red' } }]]));
  const ids = ['Leaderboard', 'Period', 'Entry', 'Member'].map((type, i) =>
    globalId(type, [key, `${key}/all`, `${key}/2026/ann`, 'ann'][i] ?? ''),
  );
  const [small, texts] = [
    [0, 1, 2, 5, 101, -1],
    ['', 'nonsense'],
  ];
  const pools: Pools = {
    ...{ id: [...ids, 'nonsense'], ids: [...ids, 'nonsense', globalId('Entry', 'x/all/y')] },
    ...{
      key: [key, key, 'all', '2026', 'no-such-thing'],
      memberId: [...members, 'nobody'],
      memberIds: [...members, 'nobody'],
    },
    ...{
      first: small,
      last: small,
      offset: small,
      above: small,
      below: small,
      index: small,
      rank: small,
      buckets: small,
      next: small,
    },
    ...{ score: [0, 0.5, 1.5, 9, 0.25], minScore: [0, 0.5], maxScore: [1.5, 9], fill: [true, false] },
    ...{ after: texts, before: texts, from: ['2026-05-01T00:00:00Z'], to: ['2027-01-01T00:00:00Z'], toRank: [1, 3] },
  };
  let executed = 0;
  const compare = async (query: RandomQuery) => {
    const document = parse(query.text);
    expect(validate(schema, document), query.text).toEqual([]);
    const compiled = compileQuery(schema, document);
    if (!isCompiledQuery(compiled)) throw new Error(`not compiled: ${query.text}`);
    const context = () => createContext(services, { caller: 'anonymous', requestId: 'test' });
    const expected = await execute({ schema, document, variableValues: query.variables, contextValue: context() });
    const made = await compiled.query(null, context(), query.variables);
    expect('data' in made).toBe('data' in expected);
    // Refused variables are left to graphql-js (graphql/execution.ts).
    if (expected.data === undefined) return;
    executed += 1;
    expect(sent(made), query.text).toEqual(sent(expected));
  };
  const queries = fc.asyncProperty(fc.gen(), (generate) => compare(new RandomQuery(generate, fc, pools)));
  const count = runs(300);
  await fc.assert(queries, seeded(count));
  expect(executed).toBeGreaterThan(0.9 * count);
});
