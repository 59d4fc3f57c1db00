import { formatScore } from '../../core/score.ts';
import { shownRank } from '../../core/standing.ts';
import type { Taken } from '../../live/audience.ts';
import { positionOf } from '../../live/position.ts';
import type { ViewState } from '../../live/view.ts';
import { follows, type WindowChange as WindowChangeShape, windowChanges } from '../../live/window-changes.ts';
import { builder } from '../builder.ts';
import { Entry, entryOfStanding } from './entry.ts';
import { type UpdateMode, WindowChangeKind } from './enums.ts';
import { namedEntries, passingOf } from './passing.ts';
import { Period } from './period.ts';

/** A state as one subscriber is shown it. */
export interface Update {
  readonly taken: Taken<ViewState>;
}

export interface ModalUpdate extends Update {
  readonly mode: typeof UpdateMode.$inferType;
}

const entriesOf = ({ board, period, head, standings }: ViewState) =>
  standings.map((standing) => entryOfStanding(board, period, head, standing));

/** What every state of a subscription says of itself. */
const LiveUpdate = builder.interfaceRef<Update>('LiveUpdate').implement({
  description: 'A state of something watched. States that a slow reader could not take are left out: `version` jumps.',
  fields: (t) => ({
    position: t.string({
      description: 'Where this state stands: pass it as `since` to go on from it.',
      resolve: ({ taken: { value } }) => positionOf(value.period.key, value.head),
    }),
    version: t.field({
      type: 'SafeInt',
      description: "The period's version.",
      resolve: ({ taken: { value } }) => value.head.version,
    }),
    entryCount: t.int({
      description: 'How many members are ranked in the period.',
      resolve: ({ taken: { value } }) => value.head.entryCount,
    }),
    resync: t.boolean({
      description:
        'Whether this state does not follow from the one you had before: versions began anew, the period is another, or `since` was another state.',
      resolve: ({ taken: { value, previous, resumed } }) => (previous ? previous.line !== value.line : resumed),
    }),
    stale: t.boolean({
      description: 'Whether Redis could not be read for a while: this is how things stood then.',
      resolve: ({ taken: { value } }) => value.stale,
    }),
    period: t.field({ type: Period, description: 'The period that is shown.', resolve: ({ taken }) => taken.value }),
  }),
});

/** The state before, where this one follows from it. */
const previousOf = ({ taken: { value, previous } }: Update) =>
  previous && previous.line === value.line ? previous : null;

export const RankUpdate = builder.objectRef<Update>('RankUpdate').implement({
  description: "A state of one member's place.",
  interfaces: [LiveUpdate],
  fields: (t) => ({
    entry: t.field({
      type: Entry,
      nullable: true,
      description: 'The entry; null while the member is not ranked.',
      resolve: ({ taken }) => entriesOf(taken.value)[0],
    }),
    previousRank: t.int({
      nullable: true,
      description: 'The rank in the state before this one; null where there was none.',
      resolve: (update) => {
        const previous = previousOf(update);
        return previous?.standings[0] && shownRank(previous.board, previous.standings[0]);
      },
    }),
    previousScore: t.float({
      nullable: true,
      description: 'The score in the state before this one; null where there was none.',
      resolve: (update) => {
        const previous = previousOf(update);
        return previous?.standings[0] && formatScore(previous.standings[0].score, previous.board.scoreScale);
      },
    }),
    passedByCount: t.int({
      nullable: true,
      description:
        'How many are before the member now who were behind it, or not ranked, in the state before this one. Exact; null where it cannot be told: at first, after a gap, and without an entry then or now.',
      resolve: ({ taken }) => passingOf(taken)?.passedBy.count,
    }),
    passedBy: t.field({
      type: [Entry],
      complexity: { field: 1, multiplier: 10 },
      description: 'Some of them, nearest first, at most 10, as they stand when this is sent.',
      resolve: ({ taken }, _, { scope }) => namedEntries(taken, 'passedBy', scope),
    }),
    passedCount: t.int({
      nullable: true,
      description: 'How many are behind the member now, or not ranked any more, who were before it; else as above.',
      resolve: ({ taken }) => passingOf(taken)?.passed.count,
    }),
    passed: t.field({
      type: [Entry],
      complexity: { field: 1, multiplier: 10 },
      description: 'Some of them, nearest first, at most 10, as they stand when this is sent.',
      resolve: ({ taken }, _, { scope }) => namedEntries(taken, 'passed', scope),
    }),
  }),
});

interface ChangeSource {
  readonly state: ViewState;
  readonly change: WindowChangeShape;
}

const WindowChange = builder.objectRef<ChangeSource>('WindowChange').implement({
  description: 'What happened to one member of a window since the state before.',
  fields: (t) => ({
    kind: t.field({ type: WindowChangeKind, description: 'What happened.', resolve: ({ change }) => change.kind }),
    memberId: t.string({ description: 'To whom.', resolve: ({ change }) => change.memberId }),
    entry: t.field({
      type: Entry,
      nullable: true,
      description: 'The entry now; null for one that left.',
      resolve: ({ state: { board, period, head }, change: { standing } }) =>
        standing && entryOfStanding(board, period, head, standing),
    }),
    index: t.int({
      nullable: true,
      description: 'Its index now; null for one that left.',
      resolve: ({ change }) => change.standing?.index,
    }),
    previousIndex: t.int({
      nullable: true,
      description: 'Its index in the state before; null for one that entered.',
      resolve: ({ change }) => change.previousIndex,
    }),
  }),
});

export const EntriesUpdate = builder.objectRef<ModalUpdate>('EntriesUpdate').implement({
  description: 'A state of some consecutive entries of a period.',
  interfaces: [LiveUpdate],
  fields: (t) => ({
    entries: t.field({
      type: [Entry],
      nullable: true,
      description: 'In board order. Null in a patch: the `changes` lead to it from the state before.',
      resolve: ({ taken, mode }) =>
        mode === 'PATCH' && follows(taken.value, taken.previous) ? null : entriesOf(taken.value),
    }),
    changes: t.field({
      type: [WindowChange],
      description: 'What changed since the state before this one; empty where this one does not follow from it.',
      resolve: ({ taken: { value, previous } }) =>
        follows(value, previous) ? windowChanges(value, previous).map((change) => ({ state: value, change })) : [],
    }),
  }),
});
