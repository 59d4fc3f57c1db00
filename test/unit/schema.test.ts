import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { errorMeanings } from '../../src/core/errors.ts';
import { schema } from '../../src/graphql/schema.ts';

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
);

/** A type and all that it names, with their descriptions. */
function described(type: GraphQLNamedType): [string, string | null | undefined][] {
  const own: [string, string | null | undefined] = [type.name, type.description];
  if (isEnumType(type))
    return [
      own,
      ...type
        .getValues()
        .map((v) => [`${type.name}.${v.name}`, v.description] as const)
        .map(pair),
    ];
  if (isInputObjectType(type))
    return [own, ...Object.values(type.getFields()).map((f) => pair([`${type.name}.${f.name}`, f.description]))];
  if (!isObjectType(type) && !isInterfaceType(type)) return [own];
  return [
    own,
    ...Object.values(type.getFields()).flatMap((field) => [
      pair([`${type.name}.${field.name}`, field.description]),
      ...field.args.map((arg) => pair([`${type.name}.${field.name}(${arg.name})`, arg.description])),
    ]),
  ];
}

const pair = ([name, text]: readonly [string, string | null | undefined]): [string, string | null | undefined] => [
  name,
  text,
];

describe('the schema', () => {
  it('is what schema.graphql says: run "npm run schema" after a change', () => {
    const committed = readFileSync(join(import.meta.dirname, '../../schema.graphql'), 'utf8');
    expect(`${printSchema(lexicographicSortSchema(schema))}\n`).toBe(committed);
  });

  it('describes every type, field, argument, enum value and input field', () => {
    const all = types.flatMap(described);
    expect(all.length).toBeGreaterThan(300);
    expect(all.filter(([, description]) => !description?.trim()).map(([name]) => name)).toEqual([]);
  });

  it('has as ErrorCode exactly the codes of the code', () => {
    const type = schema.getType('ErrorCode');
    const values = isEnumType(type) ? type.getValues().map(({ name, description }) => [name, description]) : [];
    expect(Object.fromEntries(values)).toEqual(errorMeanings);
  });

  it('has for every connection what Relay asks: edges, nodes, pageInfo, totalCount', () => {
    const connections = types.filter(({ name }) => name.endsWith('Connection'));
    expect(connections.map(({ name }) => name).sort()).toEqual([
      'EntryConnection',
      'LeaderboardConnection',
      'PeriodConnection',
    ]);
    for (const type of connections) {
      const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
      const shape = Object.fromEntries(fields.map((field) => [field.name, String(field.type)]));
      const node = type.name.replace('Connection', '');
      expect(shape).toMatchObject({
        edges: `[${node}Edge!]!`,
        nodes: `[${node}!]!`,
        pageInfo: 'PageInfo!',
        totalCount: 'Int!',
      });
    }
  });
});
