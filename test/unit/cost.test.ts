import { getIntrospectionQuery, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { costError } from '../../src/graphql/cost.ts';
import { schema } from '../../src/graphql/schema.ts';
import { globalId } from '../support/graphql-client.ts';

const codeOf = (query: string, variableValues: Record<string, unknown> = {}, operationName?: string) =>
  costError({ schema, document: parse(query), variableValues, ...(operationName && { operationName }) })?.extensions;

const page = (first: number, fields = 'rank') =>
  `{ leaderboard(key: "a") { current { entries(first: ${first}) { nodes { ${fields} } } } } }`;

/** A chain of so many fields. */
const deep = (levels: number) => {
  const links = Array.from({ length: levels - 3 }, (_, i) => (i % 2 === 0 ? 'leaderboard' : 'current')).join(' { ');
  return `{ leaderboard(key: "a") { current { ${links} { id }${' }'.repeat(levels - 3)} } }`;
};

const broad = (fields: number) =>
  `{ ${Array.from({ length: fields - 1 }, (_, i) => `m${i}: member(memberId: "a") { id }`).join('\n')} }`;

describe('rule A2: an operation has a largest depth, breadth and cost', () => {
  it('lets the deepest pass and refuses one level more', () => {
    expect(codeOf(deep(limits.queryDepth))).toBeUndefined();
    expect(codeOf(deep(limits.queryDepth + 1))).toMatchObject({ code: 'QUERY_TOO_COMPLEX', limit: limits.queryDepth });
  });

  it('refuses one that is too broad', () => {
    expect(codeOf(broad(limits.queryBreadth / 2))).toBeUndefined();
    expect(codeOf(broad(limits.queryBreadth + 2))).toMatchObject({
      breadth: expect.any(Number),
      code: 'QUERY_TOO_COMPLEX',
    });
  });

  it('counts what a page multiplies, also where its size is a variable', () => {
    const nested = (
      first: string,
    ) => `query($n: Int) { leaderboards(first: ${first}) { nodes { periods(first: ${first}) {
      nodes { entries(first: ${first}) { nodes { rank score memberId } } } } } } }`;
    expect(codeOf(page(100, 'rank score index member { displayName avatarUrl }'))).toBeUndefined();
    expect(codeOf(nested('100'))).toMatchObject({ code: 'QUERY_TOO_COMPLEX', complexity: expect.any(Number) });
    expect(codeOf(nested('$n'), { n: 100 })).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
    expect(codeOf(nested('$n'), { n: 5 })).toBeUndefined();
  });

  it('counts a page without a size as one of the default size', () => {
    const nested = '{ leaderboards { nodes { periods { nodes { entries { nodes { rank score memberId } } } } } } }';
    expect(codeOf(nested)).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
  });

  it('counts every id of nodes', () => {
    const ids = Array.from({ length: 100 }, (_, i) => globalId('Leaderboard', `b${i}`));
    const query = `query($ids: [ID!]!) { nodes(ids: $ids) {
      ... on Leaderboard { periods(first: 50) { nodes { id key state version } } } } }`;
    expect(codeOf(query, { ids: ids.slice(0, 10) })).toBeUndefined();
    expect(codeOf(query, { ids })).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
  });

  it('counts with the values that variables have by default', () => {
    const nested = `query($n: Int = 100) { leaderboards(first: $n) { nodes { periods(first: $n) { nodes { id key } } } } }`;
    expect(codeOf(nested)).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
    expect(codeOf(nested, { n: 10 })).toBeUndefined();
  });

  it.each([
    ['a malformed id', 'query { bad: nodes(ids: ["x"]) { id }', {}],
    [
      'null for an argument that must not be',
      'query($n: Int = 1) { bad: leaderboard(key: "a") { current { entriesAround(memberId: "a", above: $n) { totalCount } } }',
      { n: null },
    ],
  ])('is not passed by with %s: the operation is refused as a whole', (_, bad, variables) => {
    expect(codeOf(`${bad} ${deep(limits.queryDepth + 1).slice(1)}`, variables)).toMatchObject({ code: 'BAD_INPUT' });
  });

  it('looks through fragments', () => {
    const hidden = `${deep(limits.queryDepth + 1)
      .replace('{ leaderboard(key: "a") {', 'query { leaderboard(key: "a") { ...F } } fragment F on Leaderboard {')
      .slice(0, -2)}`;
    expect(codeOf(hidden)).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
  });

  it('counts only the operation that is asked for', () => {
    const two = `query Small { member(memberId: "a") { id } } query Big ${deep(limits.queryDepth + 1)}`;
    expect(codeOf(two, {}, 'Small')).toBeUndefined();
    expect(codeOf(two, {}, 'Big')).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
  });

  it('lets the introspection of GraphiQL pass', () => {
    expect(codeOf(getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true }))).toBeUndefined();
  });

  it('leaves a missing variable to the execution, which says so better', () => {
    expect(codeOf('query($id: String!) { member(memberId: $id) { id } }')).toBeUndefined();
  });
});
