import { guard } from './access.ts';
import { builder } from './builder.ts';
import { readOwnWrites } from './own-writes.ts';
import './types/career.ts';
import './types/entries.ts';
import './types/explanation.ts';
import './types/figures.ts';
import './types/leaderboard-mutations.ts';
import './types/mutations.ts';
import './types/period-mutations.ts';
import './types/period-subscription.ts';
import './types/periods.ts';
import './types/subscription.ts';

/** The API, every root field behind the access check. */
export const schema = guard(readOwnWrites(builder.toSchema()));
