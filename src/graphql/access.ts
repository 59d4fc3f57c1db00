import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import { LaurelError } from '../core/errors.ts';
import type { Context } from './context.ts';

/** Who calls: anybody, or the holder of the API key. */
export type Caller = 'anonymous' | 'admin';

/** Who may use a root field. Anything not named here is refused to everybody (rule A1). */
const permissions: Readonly<Record<string, readonly Caller[]>> = {
  'Query.node': ['anonymous', 'admin'],
  'Query.nodes': ['anonymous', 'admin'],
  'Query.leaderboard': ['anonymous', 'admin'],
  'Query.leaderboards': ['anonymous', 'admin'],
  'Query.member': ['anonymous', 'admin'],
  'Mutation.createLeaderboard': ['admin'],
  'Mutation.updateLeaderboard': ['admin'],
  'Mutation.deleteLeaderboard': ['admin'],
  'Mutation.createSeason': ['admin'],
  'Mutation.updateSeason': ['admin'],
  'Mutation.endSeason': ['admin'],
  'Mutation.closePeriod': ['admin'],
  'Mutation.correctEntry': ['admin'],
  'Mutation.createSnapshot': ['admin'],
  'Mutation.submitScore': ['admin'],
  'Mutation.submitScores': ['admin'],
  'Mutation.setSortKey': ['admin'],
  'Mutation.removeEntry': ['admin'],
  'Mutation.upsertMembers': ['admin'],
  'Mutation.removeMember': ['admin'],
  'Subscription.rankChanged': ['anonymous', 'admin'],
  'Subscription.entriesChanged': ['anonymous', 'admin'],
  'Subscription.entriesAroundChanged': ['anonymous', 'admin'],
  'Subscription.periodChanged': ['anonymous', 'admin'],
  'Subscription.scoreApplied': ['anonymous', 'admin'],
};

/** Everything about a caller that decides what it may see, as text: only those with the same text may share an answer. */
export const viewpointOf = (caller: Caller): string => caller;

export const permitted = (caller: Caller, action: string): boolean =>
  Object.hasOwn(permissions, action) && permissions[action]?.includes(caller) === true;

function authorize(caller: Caller, action: string): void {
  if (permitted(caller, action)) return;
  const advice =
    caller === 'anonymous' ? 'Send the API key as "Authorization: Bearer …".' : 'This key does not allow it.';
  throw new LaurelError('FORBIDDEN', `${action} is not allowed. ${advice}`);
}

/** Puts the check before every root field of a schema: a resolver cannot forget it. */
export function guard(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      const action = `${type?.name}.${field.name}`;
      const { subscribe, resolve = defaultFieldResolver } = field;
      if (subscribe) {
        field.subscribe = (root, args, context: Context, info) => {
          authorize(context.caller, action);
          return subscribe(root, args, context, info);
        };
      } else {
        field.resolve = (root, args, context: Context, info) => {
          authorize(context.caller, action);
          return resolve(root, args, context, info);
        };
      }
    }
  }
  return schema;
}
