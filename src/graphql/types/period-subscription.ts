import type { Fed } from '../../live/feed.ts';
import type { PeriodTurn } from '../../live/period-turns.ts';
import { builder } from '../builder.ts';
import { PeriodState } from './enums.ts';
import { Period } from './period.ts';

const PeriodUpdate = builder.objectRef<Fed<PeriodTurn>>('PeriodUpdate').implement({
  description: 'A period that has begun, ended or closed.',
  fields: (t) => ({
    period: t.field({ type: Period, description: 'Which.', resolve: ({ event }) => event }),
    state: t.field({ type: PeriodState, description: 'What it has become.', resolve: ({ event }) => event.state }),
    gap: t.boolean({
      description: 'Whether messages may have been lost before this: read `periods` to be sure.',
      resolve: ({ gap }) => gap,
    }),
  }),
});

builder.subscriptionField('periodChanged', (t) =>
  t.field({
    type: PeriodUpdate,
    description: "A board's current periods, then each that begins, ends or closes.",
    args: { leaderboard: t.arg.string({ required: true, description: "The board's key." }) },
    subscribe: (_, { leaderboard }, { services: { hub } }) => hub.turns(leaderboard) as never,
    resolve: (fed: Fed<PeriodTurn>) => fed,
  }),
);
