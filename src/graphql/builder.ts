import SchemaBuilder, { PothosValidationError } from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import RelayPlugin, { resolveNodes } from '@pothos/plugin-relay';
import type { GraphQLResolveInfo } from 'graphql';
import { DateTimeResolver, JSONObjectResolver, SafeIntResolver, TimeZoneResolver } from 'graphql-scalars';
import { LaurelError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import type { Context } from './context.ts';

interface Scalar<Input, Output = Input> {
  Input: Input;
  Output: Output;
}

interface SchemaTypes {
  Context: Context;
  DefaultFieldNullability: false;
  Scalars: {
    ID: Scalar<string>;
    DateTime: Scalar<Date>;
    SafeInt: Scalar<number>;
    JSONObject: Scalar<Readonly<Record<string, unknown>>>;
    TimeZone: Scalar<string>;
  };
}

interface GlobalId {
  readonly typename: string;
  readonly id: string;
}

/** The schema builder without types: each file of `types/` adds its own. */
export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [RelayPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  relay: {
    cursorType: 'String',
    clientMutationId: 'omit',
    // Split at the first colon: a member id may begin with one.
    encodeGlobalID: (typename, id) => Buffer.from(`${typename}:${id}`).toString('base64'),
    decodeGlobalID: (globalId) => {
      const [, typename, id] = /^(\w+):(.+)$/s.exec(Buffer.from(globalId, 'base64').toString()) ?? [];
      if (!typename || !id) throw new PothosValidationError(`Invalid global ID: ${globalId.slice(0, 80)}`);
      return { typename, id };
    },
    brandLoadedObjects: true,
    nodeTypeOptions: { description: 'An object with a global id.' },
    pageInfoTypeOptions: { description: 'Where a page lies in its list, after the Relay connection specification.' },
    nodeQueryOptions: {
      description: 'The object with a global id; null where there is none.',
      nullable: true,
      args: { id: { description: 'Its global id.' } },
    },
    nodesQueryOptions: {
      description: 'The objects with these global ids, in their order; null where there is none.',
      args: { ids: { description: `Their global ids, up to ${limits.pageSize}.` } },
      complexity: ({ ids }) => ({ field: 1, multiplier: Math.max(1, ids.length) }),
      resolve: (_, { ids }, context, info) => {
        if (ids.length <= limits.pageSize) return ids.map((id) => loadNode(id, context, info));
        throw new LaurelError('PAGE_TOO_LARGE', `At most ${limits.pageSize} objects can be asked for at a time.`);
      },
    },
    idFieldOptions: { description: 'Its global id: no other object has it.' },
    hasNextPageFieldOptions: { description: 'Whether more follows the page.' },
    hasPreviousPageFieldOptions: { description: 'Whether more comes before the page.' },
    startCursorFieldOptions: { description: 'The first cursor of the page; null on an empty one.' },
    endCursorFieldOptions: { description: 'The last cursor of the page; null on an empty one.' },
    firstArgOptions: { description: `How many from the beginning, up to ${limits.pageSize}.` },
    lastArgOptions: { description: `How many from the end, up to ${limits.pageSize}.` },
    afterArgOptions: { description: 'Only what follows this cursor.' },
    beforeArgOptions: { description: 'Only what comes before this cursor.' },
  },
  complexity: {
    defaultComplexity: 1,
    defaultListMultiplier: 1,
    // Enforced before execution, for subscriptions too: see cost.ts.
    disabled: true,
  },
});

/** One by one: what is asked of a board must not wait until an entry beside it is read, or it is read apart (rule P5). */
async function loadNode(id: GlobalId, context: Context, info: GraphQLResolveInfo): Promise<unknown> {
  return (await resolveNodes(builder, context, info, [id]))[0];
}

builder.addScalarType('DateTime', DateTimeResolver);
builder.addScalarType('SafeInt', SafeIntResolver);
builder.addScalarType('JSONObject', JSONObjectResolver);
builder.addScalarType('TimeZone', TimeZoneResolver);

builder.queryType({ description: 'What can be read.' });
builder.mutationType({ description: 'What can be changed. Each field is done before the next one begins.' });
builder.subscriptionType({ description: 'What can be watched: the state now, then its changes.' });

/** Epoch milliseconds → DateTime. */
export const toDate = (instant: number | null): Date | null => (instant === null ? null : new Date(instant));
