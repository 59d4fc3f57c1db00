import { GraphQLInt, GraphQLObjectType, GraphQLSchema, graphql, parse, subscribe } from 'graphql';
import { describe, expect, it } from 'vitest';
import { type Caller, guard, permitted } from '../../src/graphql/access.ts';
import { schema } from '../../src/graphql/schema.ts';

const callers: readonly Caller[] = ['anonymous', 'admin'];

const fieldsOf = (type: GraphQLObjectType | null | undefined) =>
  Object.keys(type?.getFields() ?? {}).map((field) => `${type?.name}.${field}`);

describe('rule A1: who may do what is decided in one place', () => {
  it.each([
    ...fieldsOf(schema.getQueryType()),
    ...fieldsOf(schema.getMutationType()),
    ...fieldsOf(schema.getSubscriptionType()),
  ])('%s is named in the table: the holder of the key may use it', (action) => {
    expect(permitted('admin', action)).toBe(true);
  });

  it.each(fieldsOf(schema.getMutationType()))('%s is refused to the anonymous', (action) => {
    expect(permitted('anonymous', action)).toBe(false);
  });

  it.each(['Query.unheardOf', 'constructor', '__proto__', 'toString', ''])(
    '%j, which is not named, is refused',
    (action) => {
      expect(callers.filter((caller) => permitted(caller, action))).toEqual([]);
    },
  );

  it('refuses every root field that is not named to everybody, subscriptions before they begin', async () => {
    const field = { type: GraphQLInt, resolve: () => 1 };
    let begun = false;
    const events = async function* () {
      begun = true;
      yield 1;
    };
    const unnamed = guard(
      new GraphQLSchema({
        query: new GraphQLObjectType({ name: 'Query', fields: { secret: field, bare: { type: GraphQLInt } } }),
        mutation: new GraphQLObjectType({ name: 'Mutation', fields: { change: field } }),
        subscription: new GraphQLObjectType({
          name: 'Subscription',
          fields: { watch: { ...field, subscribe: events } },
        }),
      }),
    );
    for (const caller of callers) {
      for (const source of ['{ secret }', '{ bare }', 'mutation { change }']) {
        const { data, errors } = await graphql({
          schema: unnamed,
          source,
          rootValue: { bare: 1 },
          contextValue: { caller },
        });
        expect(Object.values(data ?? {})).toEqual([null]);
        expect(errors?.[0]?.originalError).toMatchObject({ code: 'FORBIDDEN' });
      }
      const document = parse('subscription { watch }');
      const refused = await subscribe({ schema: unnamed, document, contextValue: { caller } });
      expect(refused).toMatchObject({ errors: [{ originalError: { code: 'FORBIDDEN' } }] });
    }
    expect(begun).toBe(false);
  });
});
