import fc from 'fast-check';
import { type ExecutionArgs, type ExecutionResult, execute, parse, validate } from 'graphql';
import { expect, it } from 'vitest';
import { createContext } from '../../src/graphql/context.ts';
import { executor, planOf } from '../../src/graphql/plan.ts';
import { schema } from '../../src/graphql/schema.ts';
import { globalId, newBoardKey } from '../support/graphql-client.ts';
import { openLive } from '../support/live-operations.ts';
import { type Pools, RandomSubscription } from '../support/random-operation.ts';
import { runs, seeded } from '../support/seed.ts';

const now = Date.UTC(2026, 10, 30, 12);

/** A board of four, and what its subscriptions have to tell after a fifth came in. */
async function openBoard() {
  const { services, boards, hub, scoring, profiles } = await openLive({ clock: () => now });
  const key = newBoardKey();
  await boards.create(key, { cadences: ['ALL_TIME', 'YEARLY'], tieBreak: 'EARLIEST', scoreScale: 1, denseRanks: true });
  await scoring.submitAll(
    key,
    ['ann', 'bob', 'eve', 'zoë'].map((memberId, i) => ({
      memberId,
      score: Math.floor(i / 2) + 0.5,
      metadata: { level: i },
    })),
  );
  await profiles.save(new Map([['ann', { displayName: 'Ann', avatarUrl: null, attributes: { team: 'red' } }]]));
  const current = { cadence: null, period: null };
  const top = await hub.watch(key, { ...current, window: { kind: 'top', first: 3 } });
  const mine = await hub.watch(key, { ...current, window: { kind: 'member', memberId: 'ann' } });
  const [feed, turns] = [await hub.feed(key, current, null), await hub.turns(key)];
  const first = { top: await top.next(), mine: await mine.next() };
  await scoring.submit(key, { memberId: 'new', score: 9.5 });
  const then = { top: await top.next(), mine: await mine.next() };
  const events = [(await feed.next()).value, (await turns.next()).value];
  for (const source of [top, mine, feed, turns]) void source.return?.();
  const taken = (which: 'top' | 'mine') => [
    { value: first[which].value, previous: null, resumed: true },
    { value: then[which].value, previous: first[which].value, resumed: false },
  ];
  const byField: Record<string, readonly unknown[]> = {
    rankChanged: taken('mine'),
    entriesChanged: taken('top'),
    entriesAroundChanged: taken('top'),
    scoreApplied: [events[0]],
    periodChanged: [events[1]],
  };
  return { key, services, eventsOf: (field: string) => byField[field] ?? [] };
}

/** What the arguments of each name may be, sensible or not. */
function poolsOf(key: string): Pools {
  const small = [0, 1, 2, 5, 101, -1];
  const numbers = ['first', 'last', 'offset', 'above', 'below', 'index', 'rank', 'buckets', 'next', 'throttleMs'];
  return {
    ...Object.fromEntries(numbers.map((name) => [name, small])),
    leaderboard: [key],
    key: [key, 'all', '2026', 'no-such-thing'],
    period: ['all', '2026'],
    memberId: ['ann', 'bob', 'nobody'],
    memberIds: ['ann', 'zoë', 'nobody'],
    ids: [globalId('Leaderboard', key), 'nonsense'],
    since: ['', 'nonsense'],
    after: ['', 'nonsense'],
    before: ['', 'nonsense'],
    score: [0, 0.5, 1.5, 9, 0.25],
    minScore: [0, 0.5],
    maxScore: [1.5, 9],
    fill: [true, false],
  };
}

const sent = ({ data, errors = [] }: ExecutionResult) =>
  JSON.stringify([data, errors.map(({ message, path }) => JSON.stringify([message, path])).sort()]);

it('a plan makes of an event what graphql-js makes of it, or leaves it to it', async () => {
  const { key, services, eventsOf } = await openBoard();
  const context = () => createContext(services, { caller: 'anonymous', requestId: 'test' });
  const pools = poolsOf(key);
  let [events, planned] = [0, 0];
  const compare = async (subscription: RandomSubscription) => {
    const document = parse(subscription.text);
    expect(validate(schema, document), subscription.text).toEqual([]);
    const args: ExecutionArgs = { schema, document, variableValues: subscription.variables };
    const [plan, run] = [planOf(args), executor(args)];
    for (const rootValue of eventsOf(subscription.field)) {
      const expected = await execute({ ...args, rootValue, contextValue: context() });
      const data = (await plan?.(rootValue, context())) ?? null;
      if (data) expect(sent({ data }), subscription.text).toBe(sent(expected));
      expect(sent(await run(rootValue, context())), subscription.text).toBe(sent(expected));
      events += 1;
      if (data) planned += 1;
    }
  };
  const subscriptions = fc.asyncProperty(fc.gen(), (generate) => compare(new RandomSubscription(generate, fc, pools)));
  await fc.assert(subscriptions, seeded(runs(300)));
  expect(planned).toBeGreaterThan(0.8 * events);
});

it('an alias that objects treat as their own is left to graphql-js', async () => {
  const { key, services, eventsOf } = await openBoard();
  const document = parse(
    'subscription($key: String!) { scoreApplied(leaderboard: $key) { __proto__: score version } }',
  );
  const args: ExecutionArgs = { schema, document, variableValues: { key } };
  expect(planOf(args)).toBeNull();
  const [rootValue] = eventsOf('scoreApplied');
  const context = createContext(services, { caller: 'anonymous', requestId: 'test' });
  expect(JSON.stringify(await executor(args)(rootValue, context))).toBe(
    '{"data":{"scoreApplied":{"__proto__":9.5,"version":5}}}',
  );
});
