import { LaurelError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { checkMemberId } from '../../core/member.ts';
import type { Cadence as CadenceName } from '../../core/period.ts';
import type { Taken } from '../../live/audience.ts';
import type { Fed } from '../../live/feed.ts';
import type { FeedEvent } from '../../live/log-feed.ts';
import type { ViewSpec, ViewState } from '../../live/view.ts';
import { builder } from '../builder.ts';
import { Cadence, UpdateMode } from './enums.ts';
import { EntriesUpdate, RankUpdate } from './live-update.ts';
import { ScoreEvent } from './score-event.ts';

type SubscriptionFields = Parameters<Parameters<typeof builder.subscriptionField>[1]>[0];

const periodArgs = (t: SubscriptionFields) => ({
  leaderboard: t.arg.string({ required: true, description: "The board's key." }),
  cadence: t.arg({
    type: Cadence,
    description: "Follow the current period of this cadence over its edge. By default the board's first.",
  }),
  period: t.arg.string({ description: 'Stay with this period instead.' }),
});

/** `since` and `throttleMs` are heeded where frames are sent (live.ts): who differs in nothing else shares its frames. */
const stateArgs = (t: SubscriptionFields) => ({
  ...periodArgs(t),
  since: t.arg.string({
    description: 'The position of the last state you had: the first one is left out if nothing has changed since.',
  }),
  throttleMs: t.arg.int({
    required: true,
    defaultValue: 0,
    description: 'Least time between two states, 0 to 60,000 milliseconds.',
  }),
});

const modeArg = (t: SubscriptionFields) =>
  t.arg({
    type: UpdateMode,
    required: true,
    defaultValue: 'STATE',
    description: 'Whether states that follow from the one before are told whole or by their changes.',
  });

const selection = (args: { cadence?: CadenceName | null | undefined; period?: string | null | undefined }) => ({
  cadence: args.cadence ?? null,
  period: args.period ?? null,
});

/** How many entries a window may hold. */
function checkWindow(size: number, least: number, name: string): void {
  if (least < 0 || size < 1 || size > limits.windowSize) {
    throw new LaurelError('PAGE_TOO_LARGE', `${name} must be from 1 to ${limits.windowSize}.`);
  }
}

builder.subscriptionField('rankChanged', (t) =>
  t.field({
    type: RankUpdate,
    description: "One member's rank: now, then whenever it changes.",
    args: { memberId: t.arg.string({ required: true, description: 'The member to watch.' }), ...stateArgs(t) },
    subscribe: (_, args, { services: { hub } }) => {
      const window: ViewSpec['window'] = { kind: 'member', memberId: checkMemberId(args.memberId) };
      return hub.watch(args.leaderboard, { ...selection(args), window }) as never;
    },
    resolve: (taken: Taken<ViewState>) => ({ taken }),
  }),
);

builder.subscriptionField('entriesChanged', (t) =>
  t.field({
    type: EntriesUpdate,
    description: 'The first entries: now, then whenever they change.',
    complexity: ({ first }) => ({ field: 1, multiplier: Math.max(1, first) }),
    args: {
      first: t.arg.int({ required: true, defaultValue: 10, description: `How many, up to ${limits.windowSize}.` }),
      mode: modeArg(t),
      ...stateArgs(t),
    },
    subscribe: (_, args, { services: { hub } }) => {
      checkWindow(args.first, args.first, 'first');
      const window: ViewSpec['window'] = { kind: 'top', first: args.first };
      return hub.watch(args.leaderboard, { ...selection(args), window }) as never;
    },
    resolve: (taken: Taken<ViewState>, { mode }) => ({ taken, mode }),
  }),
);

builder.subscriptionField('entriesAroundChanged', (t) =>
  t.field({
    type: EntriesUpdate,
    description: 'The entries around a member: now, then whenever they change. None while it is not ranked.',
    complexity: ({ above, below }) => ({ field: 1, multiplier: Math.max(1, above + below + 1) }),
    args: {
      memberId: t.arg.string({ required: true, description: 'The member in the middle.' }),
      above: t.arg.int({ required: true, defaultValue: 5, description: 'Entries before it.' }),
      below: t.arg.int({ required: true, defaultValue: 5, description: 'Entries after it.' }),
      mode: modeArg(t),
      ...stateArgs(t),
    },
    subscribe: (_, args, { services: { hub } }) => {
      const { above, below } = args;
      checkWindow(above + below + 1, Math.min(above, below), 'above + below + 1');
      const window: ViewSpec['window'] = { kind: 'around', memberId: checkMemberId(args.memberId), above, below };
      return hub.watch(args.leaderboard, { ...selection(args), window }) as never;
    },
    resolve: (taken: Taken<ViewState>, { mode }) => ({ taken, mode }),
  }),
);

builder.subscriptionField('scoreApplied', (t) =>
  t.field({
    type: ScoreEvent,
    description: 'Every applied change of a period, in order, from now on.',
    args: {
      ...periodArgs(t),
      since: t.arg.string({
        description:
          'The position of the last event you had: those after it come first, all of them, or the first with `gap`.',
      }),
    },
    subscribe: (_, args, { services: { hub } }) =>
      hub.feed(args.leaderboard, selection(args), args.since ?? null) as never,
    resolve: (fed: Fed<FeedEvent>) => fed,
  }),
);
