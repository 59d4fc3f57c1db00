import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import RelayPlugin from '@pothos/plugin-relay';
import { DateTimeResolver, JSONObjectResolver, SafeIntResolver, TimeZoneResolver } from 'graphql-scalars';
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

/** The schema builder without types: each file of `types/` adds its own. */
export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [RelayPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  relay: {
    cursorType: 'String',
    clientMutationId: 'omit',
    brandLoadedObjects: true,
    nodeTypeOptions: { description: 'An object with a global id.' },
    pageInfoTypeOptions: { description: 'Where a page lies in its list, after the Relay connection specification.' },
    nodeQueryOptions: { description: 'The object with a global id; null where there is none.', nullable: true },
    nodesQueryOptions: { description: 'The objects with these global ids, in their order; null where there is none.' },
  },
  complexity: {
    defaultComplexity: 1,
    defaultListMultiplier: 1,
    // Enforced before execution, for subscriptions too: see cost.ts.
    disabled: true,
  },
});

builder.addScalarType('DateTime', DateTimeResolver);
builder.addScalarType('SafeInt', SafeIntResolver);
builder.addScalarType('JSONObject', JSONObjectResolver);
builder.addScalarType('TimeZone', TimeZoneResolver);

builder.queryType({ description: 'What can be read.' });
builder.mutationType({ description: 'What can be changed. Each field is done before the next one begins.' });
builder.subscriptionType({ description: 'What can be watched: the state now, then its changes.' });

/** Epoch milliseconds → DateTime. */
export const toDate = (instant: number | null): Date | null => (instant === null ? null : new Date(instant));
