import type { Boards } from '../core/boards.ts';
import type { Closing } from '../core/closing.ts';
import type { DenseIndex } from '../core/dense-index.ts';
import type { Past } from '../core/past.ts';
import type { Clock, ProfileSource, ProfileStore, SettledReads } from '../core/ports.ts';
import type { Scoring } from '../core/scoring.ts';
import type { Seasons } from '../core/seasons.ts';
import type { Hub } from '../live/hub.ts';
import type { Caller } from './access.ts';
import { RequestScope } from './scope.ts';

/** What the composition root hands to the API. */
export interface Services {
  readonly boards: Boards;
  readonly scoring: Scoring;
  readonly entries: SettledReads;
  readonly profiles: ProfileSource;
  /** Null where profiles come from the user's own endpoint. */
  readonly profileStore: ProfileStore | null;
  readonly hub: Hub;
  readonly denseIndex: DenseIndex;
  readonly seasons: Seasons;
  readonly closing: Closing;
  readonly past: Past;
  readonly clock: Clock;
}

/** What the transport knows of a request before it is read. */
export interface Request {
  readonly caller: Caller;
  readonly requestId: string;
}

/** What a resolver works with: one for each operation, and for each event of a subscription. */
export interface Context extends Request {
  readonly services: Services;
  scope: RequestScope;
  /** The one instant of this request, epoch milliseconds. */
  now: number;
}

const moment = ({ boards, entries, profiles, clock }: Services) => ({
  scope: new RequestScope(boards, entries, profiles),
  now: clock(),
});

export const createContext = (services: Services, { caller, requestId }: Request): Context => ({
  services,
  caller,
  requestId,
  ...moment(services),
});

/** Forgets what was read before a mutation's field, whose answer shall show what it wrote. The instant stays. */
export function forget(context: Context): void {
  const { boards, entries, profiles } = context.services;
  context.scope = new RequestScope(boards, entries, profiles);
}
