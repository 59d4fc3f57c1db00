import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { applyUpdate } from '../../docs/apply-patches.ts';
import type { BoardEvent } from '../../src/core/events.ts';
import type { LeaderboardInput } from '../../src/core/leaderboard.ts';
import { periodAt } from '../../src/core/period.ts';
import type { Standing } from '../../src/core/standing.ts';
import { passing } from '../../src/live/passing.ts';
import { PeriodViews } from '../../src/live/period-views.ts';
import { View, type ViewAnswer, type ViewSpec, type ViewState } from '../../src/live/view.ts';
import { windowChanges } from '../../src/live/window-changes.ts';
import { runs, seeded } from '../support/seed.ts';
import { openStore, type Store, TestBoard } from '../support/store.ts';
import { until } from '../support/until.ts';

let store: Store;
beforeAll(async () => {
  store = await openStore(inject('redisUrl'));
});
afterAll(() => store.close());

const members = [...'abcdefghij', 'é', '\u{1f600}', '￡'];
const member = fc.constantFrom(...members);

const rules: fc.Arbitrary<LeaderboardInput> = fc.record({
  sortOrder: fc.constantFrom('HIGH_TO_LOW', 'LOW_TO_HIGH'),
  scorePolicy: fc.constantFrom('BEST', 'LATEST'),
  tieBreak: fc.constantFrom('MEMBER_ID', 'EARLIEST', 'LATEST', 'SORT_KEY'),
  denseRanks: fc.boolean(),
  maxEntries: fc.constantFrom(undefined, 6, 9),
});

const write = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('score' as const),
      member,
      score: fc.integer({ min: -3, max: 3 }),
      metadata: fc.constantFrom(undefined, undefined, { note: 1 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), member }) },
);

const windows: ViewSpec['window'][] = [
  ...[1, 3, 8, 100].map((first) => ({ kind: 'top', first }) as const),
  ...members.map((memberId) => ({ kind: 'member', memberId }) as const),
  ...members.slice(0, 5).map((memberId) => ({ kind: 'around', memberId, above: 2, below: 1 }) as const),
  { kind: 'around', memberId: 'c', above: 0, below: 3 },
  { kind: 'around', memberId: 'd', above: 50, below: 49 },
];

/** The views of one board as a watch keeps them, and the messages that reach it. */
class Watched {
  readonly one: TestBoard;
  readonly watch = new PeriodViews(periodAt('ALL_TIME', 'UTC', 0));
  readonly views = windows.map((window) => new View({ cadence: null, period: null, window }));
  heard = 0;

  constructor(one: TestBoard) {
    this.one = one;
    for (const view of this.views) this.watch.add(view);
  }

  hear(event: BoardEvent): void {
    this.watch.hear(event);
    this.heard = event.changes.at(-1)?.version ?? this.heard;
  }

  /** What a direct read of each view finds. */
  async truth(): Promise<(readonly Standing[])[]> {
    const reads = this.views.map((view) => ({ period: 'all', read: view.read() }));
    const answers = (await this.one.store.entries.read(this.one.board, reads)) as readonly ViewAnswer[];
    return answers.map((answer) => {
      if (answer === null) return [];
      if ('standings' in answer) return answer.standings;
      return answer.standing ? [answer.standing] : [];
    });
  }

  /** Reads what moves have left unread. */
  async read(): Promise<number> {
    const unread = this.views.filter((view) => view.unread);
    const head = await this.one.head();
    for (const view of unread) {
      const [answer] = await this.one.store.entries.read(this.one.board, [{ period: 'all', read: view.read() }]);
      this.watch.take(view, head, answer as ViewAnswer);
    }
    return unread.length;
  }
}

type Write = typeof write extends fc.Arbitrary<infer W> ? W : never;

async function apply(one: TestBoard, input: Write): Promise<void> {
  const options = { occurredAt: one.now, ...('metadata' in input && input.metadata && { metadata: input.metadata }) };
  one.now += 1;
  if (input.kind === 'remove') {
    await one.store.entries.removeEntry(one.board, input.member, ['all'], { now: one.now, evenClosed: false });
  } else await one.attempt(input.member, input.score, options);
}

/** Who passed whom, by looking at whole rankings. */
function passedBetween(before: readonly Standing[], after: readonly Standing[], memberId: string) {
  const place = (list: readonly Standing[], id: string) => {
    const index = list.findIndex((standing) => standing.memberId === id);
    return index < 0 ? Number.POSITIVE_INFINITY : index;
  };
  const others = members.filter((id) => id !== memberId);
  const [was, is] = [place(before, memberId), place(after, memberId)];
  return {
    passedBy: others.filter((id) => place(before, id) > was && place(after, id) < is).length,
    passed: others.filter((id) => place(before, id) < was && place(after, id) > is).length,
  };
}

const batches = fc.array(fc.array(write, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });

test('L1, L2, R4: views kept by moves equal direct reads after every batch, and patches lead from one to the next', async () => {
  await fc.assert(
    fc.asyncProperty(rules, batches, async (input, writes) => {
      const one = await TestBoard.make(store, input);
      if (input.denseRanks) one.board = await store.definitions.update(one.board, { ...one.board, denseReady: true });
      const watched = new Watched(one);
      const stop = await store.bus.subscribe(one.key, { event: (event) => watched.hear(event), gap: () => {} });
      await watched.read();
      await watched.watch.show(one.board, false);
      const rankings = new Map<ViewState | null, readonly Standing[]>();
      const note = (all: readonly Standing[]) => {
        for (const { state } of watched.views) if (!rankings.has(state)) rankings.set(state, all);
      };
      note((await one.page()).standings);
      for (const batch of writes) {
        const shown = watched.views.map((view) => view.state as ViewState);
        for (const input of batch) await apply(one, input);
        const head = await one.head();
        await until(() => watched.heard >= head.version);
        watched.watch.drain(one.board);
        await watched.read();
        await watched.watch.show(one.board, true);
        const after = await truthOf(watched);
        for (const [i, view] of watched.views.entries()) {
          expect({ ...view.spec.window, standings: view.standings }).toEqual({
            ...view.spec.window,
            standings: after.views[i],
          });
          expect(view.state?.head.entryCount).toBe(head.entryCount);
          checkPatch(shown[i] as ViewState, view.state as ViewState);
          checkPassing(shown[i] as ViewState, view, rankings, after.all);
        }
        note(after.all);
      }
      stop();
    }),
    seeded(runs(40)),
  );
});

async function truthOf(watched: Watched) {
  return { views: await watched.truth(), all: (await watched.one.page()).standings };
}

function checkPatch(previous: ViewState, value: ViewState): void {
  const changes = windowChanges(value, previous).map(({ memberId, standing }) => ({ memberId, entry: standing }));
  const { version, entryCount } = value.head;
  const patched = applyUpdate(previous.standings, { version, entryCount, entries: null, changes });
  expect(patched).toEqual(value.standings);
}

function checkPassing(
  previous: ViewState,
  view: View,
  rankings: ReadonlyMap<ViewState | null, readonly Standing[]>,
  after: readonly Standing[],
): void {
  const { window } = view.spec;
  if (window.kind !== 'member' || view.state === previous) return;
  const found = passing(view.state as ViewState, previous);
  const ranked = previous.standings.length > 0 && view.standings.length > 0;
  if (!ranked) {
    expect(found).toBeNull();
    return;
  }
  const expected = passedBetween(rankings.get(previous) ?? [], after, window.memberId);
  expect({ passedBy: found?.passedBy.count, passed: found?.passed.count }).toEqual(expected);
}
