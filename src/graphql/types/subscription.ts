import { getPeriod } from '../../core/calendar.ts';
import { LaurelError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { checkMemberId } from '../../core/member.ts';
import { formatScore } from '../../core/score.ts';
import { ranksOf, shownRank } from '../../core/standing.ts';
import type { Fed } from '../../live/feed.ts';
import { type FeedEvent, positionOf } from '../../live/hub.ts';
import type { Taken } from '../../live/latest.ts';
import type { WindowState } from '../../live/window.ts';
import { builder } from '../builder.ts';
import { renew } from '../context.ts';
import { Entry, entryOfStanding } from './entry.ts';
import { Cadence, ScoreEventKind } from './enums.ts';
import { Period } from './period.ts';

const entriesOf = ({ board, period, head, standings }: WindowState) =>
  standings.map((standing) => entryOfStanding(board, period, head, standing));

/** What every state of a subscription says of itself. */
const updateInterface = builder.interfaceRef<Taken<WindowState>>('LiveUpdate').implement({
  description: 'A state of something watched. States that a slow reader could not take are left out: `version` jumps.',
  fields: (t) => ({
    position: t.string({
      description: 'Where this state stands: pass it as `since` to go on from it.',
      resolve: ({ value }) => positionOf(value.period.key, value.head),
    }),
    version: t.field({
      type: 'SafeInt',
      description: "The period's version.",
      resolve: ({ value }) => value.head.version,
    }),
    resync: t.boolean({
      description: 'Whether this state does not follow from the one before: versions may have begun anew.',
      resolve: ({ value }) => value.resync,
    }),
    stale: t.boolean({
      description: 'Whether Redis could not be read for a while: this is how things stood then.',
      resolve: ({ value }) => value.stale,
    }),
    period: t.field({ type: Period, description: 'The period that is shown.', resolve: ({ value }) => value }),
  }),
});

const RankUpdate = builder.objectRef<Taken<WindowState>>('RankUpdate').implement({
  description: "A state of one member's place.",
  interfaces: [updateInterface],
  fields: (t) => ({
    entry: t.field({
      type: Entry,
      nullable: true,
      description: 'The entry; null while the member is not ranked.',
      resolve: ({ value }) => entriesOf(value)[0],
    }),
    previousRank: t.int({
      nullable: true,
      description: 'The rank in the state before this one; null where there was none.',
      resolve: ({ previous }) => {
        const standing = previous?.standings[0];
        return standing ? shownRank(previous.board, standing) : null;
      },
    }),
    previousScore: t.float({
      nullable: true,
      description: 'The score in the state before this one; null where there was none.',
      resolve: ({ previous }) => {
        const standing = previous?.standings[0];
        return standing ? formatScore(standing.score, previous.board.scoreScale) : null;
      },
    }),
  }),
});

const EntriesUpdate = builder.objectRef<Taken<WindowState>>('EntriesUpdate').implement({
  description: 'A state of the first entries of a period.',
  interfaces: [updateInterface],
  fields: (t) => ({
    entries: t.field({ type: [Entry], description: 'In board order.', resolve: ({ value }) => entriesOf(value) }),
  }),
});

const periodArgs = (t: Parameters<Parameters<typeof builder.subscriptionField>[1]>[0]) => ({
  leaderboard: t.arg.string({ required: true, description: "The board's key." }),
  cadence: t.arg({
    type: Cadence,
    description: "Follow the current period of this cadence over its edge. By default the board's first.",
  }),
  period: t.arg.string({ description: 'Stay with this period instead.' }),
});

const stateArgs = (t: Parameters<Parameters<typeof builder.subscriptionField>[1]>[0]) => ({
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

interface StateArgs {
  readonly leaderboard: string;
  readonly cadence?: WindowState['period']['cadence'] | null | undefined;
  readonly period?: string | null | undefined;
  readonly since?: string | null | undefined;
  readonly throttleMs: number;
}

function watchOptions({ since, throttleMs }: StateArgs) {
  if (throttleMs < 0 || throttleMs > 60_000) {
    throw new LaurelError('BAD_INPUT', 'throttleMs must be from 0 to 60000 milliseconds.');
  }
  return { since: since ?? null, throttleMs };
}

const selection = ({ cadence, period }: Pick<StateArgs, 'cadence' | 'period'>) => ({
  cadence: cadence ?? null,
  period: period ?? null,
});

builder.subscriptionField('rankChanged', (t) =>
  t.field({
    type: RankUpdate,
    description: "One member's rank: now, then whenever it changes.",
    args: { memberId: t.arg.string({ required: true, description: 'The member to watch.' }), ...stateArgs(t) },
    subscribe: (_, args, { services: { hub } }) => {
      const view = { kind: 'member', memberId: checkMemberId(args.memberId) } as const;
      return hub.watch(args.leaderboard, { ...selection(args), view }, watchOptions(args));
    },
    resolve: (taken: Taken<WindowState>, _, context) => {
      renew(context);
      return taken;
    },
  }),
);

builder.subscriptionField('entriesChanged', (t) =>
  t.field({
    type: EntriesUpdate,
    description: 'The first entries: now, then whenever they change.',
    complexity: ({ first }) => ({ field: 1, multiplier: Math.max(1, first) }),
    args: {
      first: t.arg.int({ required: true, defaultValue: 10, description: `How many, up to ${limits.windowSize}.` }),
      ...stateArgs(t),
    },
    subscribe: (_, args, { services: { hub } }) => {
      if (args.first < 1 || args.first > limits.windowSize) {
        throw new LaurelError('PAGE_TOO_LARGE', `first must be from 1 to ${limits.windowSize}.`);
      }
      const view = { kind: 'top', first: args.first } as const;
      return hub.watch(args.leaderboard, { ...selection(args), view }, watchOptions(args));
    },
    resolve: (taken: Taken<WindowState>, _, context) => {
      renew(context);
      return taken;
    },
  }),
);

const ScoreEvent = builder.objectRef<Fed<FeedEvent>>('ScoreEvent').implement({
  description: 'One applied change of a period.',
  fields: (t) => ({
    position: t.string({
      description: 'Where the period stands after it, opaque.',
      resolve: ({ event: { event, change } }) => positionOf(change.period, { ...event, version: change.version }),
    }),
    version: t.field({
      type: 'SafeInt',
      description: 'The period after it.',
      resolve: ({ event }) => event.change.version,
    }),
    period: t.field({
      type: Period,
      description: 'The period it happened in.',
      resolve: ({ event: { board, change } }) => ({ board, period: getPeriod(board, change.period) }),
    }),
    kind: t.field({
      type: ScoreEventKind,
      description: 'What happened.',
      resolve: ({ event }) => event.change.outcome,
    }),
    memberId: t.string({
      description: 'Whose entry.',
      resolve: ({ event: { event, change } }) => change.member ?? event.member,
    }),
    score: t.float({
      nullable: true,
      description: 'The score after it; null where the entry is gone.',
      resolve: ({ event: { board, change } }) => change.entry && formatScore(change.entry.score, board.scoreScale),
    }),
    previousScore: t.float({
      nullable: true,
      description: 'The score before it; null where there was no entry.',
      resolve: ({ event: { board, change } }) => change.before && formatScore(change.before.score, board.scoreScale),
    }),
    rank: t.int({
      nullable: true,
      description: 'The rank after it; null where the entry is gone.',
      resolve: ({ event: { board, change } }) => change.entry && shownRank(board, ranksOf(change.entry)),
    }),
    previousRank: t.int({
      nullable: true,
      description: 'The rank before it; null where there was no entry.',
      resolve: ({ event: { board, change } }) => change.before && shownRank(board, ranksOf(change.before)),
    }),
    occurredAt: t.field({
      type: 'DateTime',
      description: 'When the event happened.',
      resolve: ({ event }) => new Date(event.event.at),
    }),
    gap: t.boolean({ description: 'Whether events before this one were lost.', resolve: ({ gap }) => gap }),
  }),
});

builder.subscriptionField('scoreApplied', (t) =>
  t.field({
    type: ScoreEvent,
    description: 'Every applied change of a period, in order, from now on.',
    args: periodArgs(t),
    subscribe: (_, args, { services: { hub } }) => hub.feed(args.leaderboard, selection(args)),
    resolve: (fed: Fed<FeedEvent>, _, context) => {
      renew(context);
      return fed;
    },
  }),
);
