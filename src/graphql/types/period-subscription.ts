import type { Fed } from '../../live/feed.ts';
import { type PeriodSeen, watchPeriods } from '../../live/period-watch.ts';
import { builder } from '../builder.ts';
import { renew } from '../context.ts';
import { PeriodState } from './enums.ts';
import { Period } from './period.ts';

const PeriodUpdate = builder.objectRef<Fed<PeriodSeen>>('PeriodUpdate').implement({
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
    subscribe: (_, { leaderboard }, { services }) => watchPeriods(leaderboard, services),
    resolve: (fed: Fed<PeriodSeen>, _, context) => {
      renew(context);
      return fed;
    },
  }),
);
