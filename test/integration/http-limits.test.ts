import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { startTestApp } from '../support/app.ts';
import { openEventStream } from '../support/event-stream.ts';
import { globalId } from '../support/graphql-client.ts';
import { SocketClient } from '../support/websocket-client.ts';

const tooDeep = (fields: string) =>
  `leaderboard { current { ${'leaderboard { current { '.repeat(7)} ${fields} ${'} } '.repeat(7)} } }`;
const tooBroad = Array.from({ length: limits.queryBreadth + 1 }, (_, i) => `f${i}: __typename`).join(' ');
const costly = 'leaderboard { periods(first: 100) { nodes { entries(first: 100) { nodes { rank score index } } } } }';

/** Each kind of excess, as a query, a mutation and a subscription. */
const operations = (
  [
    ['deep', tooDeep('key')],
    ['broad', tooBroad],
    ['costly', costly],
  ] as const
).flatMap(([what, fields]) => [
  { what, kind: 'query', query: `{ leaderboard(key: "none") { current { ${fields} } } }` },
  {
    what,
    kind: 'mutation',
    query: `mutation { submitScore(input: { leaderboard: "none", memberId: "a", score: 1 }) { changes { period { ${fields} } } } }`,
  },
  {
    what,
    kind: 'subscription',
    query: `subscription { entriesChanged(leaderboard: "none") { period { ${fields} } } }`,
  },
]);

const refused = { extensions: { code: 'QUERY_TOO_COMPLEX', limit: expect.any(Number) } };

describe('rule A2: what is too deep, broad or costly is refused before anything is done', () => {
  it.each(operations)('a $what $kind', async ({ query, kind }) => {
    const { api, url, counts } = await startTestApp();
    if (kind !== 'subscription') expect((await api.send(query)).errors).toMatchObject([refused]);
    const stream = await openEventStream(url, query);
    expect(await stream.next()).toMatchObject({ errors: [refused] });
    expect(await stream.ended()).toBe('complete');
    const live = new SocketClient(url).results(query);
    expect(await live.next()).toMatchObject({ errors: [refused] });
    expect(await live.ended()).toBe('complete');
    expect(counts()).toEqual({ boards: 0, windows: 0, subscribers: 0, feeds: 0 });
  });

  it('counts by the variables that were sent', async () => {
    const { api, url } = await startTestApp();
    // A board of its own: others' may hold periods that cannot be read any more.
    const key = await api.createBoard();
    await api.scores(key, { ann: 1, bob: 2 });
    const query = `query($key: String!, $n: Int!) { leaderboard(key: $key) { periods(first: $n) { nodes {
      entries(first: $n) { nodes { period { leaderboard { periods(first: $n) { nodes { key } } } } } } } } } }`;
    expect(await api.code(query, { key, n: 100 })).toBe('QUERY_TOO_COMPLEX');
    expect(await api.code(query, { key, n: 2 })).toBeNull();
    const live = new SocketClient(url).results(query, { key, n: 100 });
    expect(await live.next()).toMatchObject({ errors: [refused] });
  });

  it.each([
    ['fields', `{ ${'__typename '.repeat(limits.queryTokens)} }`],
    ['levels', `${'{ a '.repeat(100_000)}`],
    ['lists', `{ node(id: ${'['.repeat(100_000)}`],
  ])('refuses a text of endless %s before it is understood', async (_, query) => {
    const { api } = await startTestApp();
    expect(await api.code(query)).toBe('QUERY_TOO_COMPLEX');
    const response = await fetch(`${api.endpoint}?query=${encodeURIComponent(query.slice(0, 12_000))}`);
    expect(response.status).toBeLessThan(500);
    await response.text();
    expect(await api.data('{ __typename }')).toEqual({ __typename: 'Query' });
  });

  it('answers quickly also the longest text that it understands', async () => {
    const { api } = await startTestApp();
    const deep = (count: number) => `${'{ a '.repeat(count)}${'}'.repeat(count)}`;
    for (const query of [
      `{ ${'__typename '.repeat(limits.queryTokens - 10)} }`,
      deep(Math.floor(limits.queryTokens / 3) - 1),
      `{ node(id: ${'['.repeat(2_400)}${']'.repeat(2_400)}) { id } }`,
    ]) {
      const began = performance.now();
      expect(['QUERY_TOO_COMPLEX', 'GRAPHQL_VALIDATION_FAILED']).toContain(await api.code(query));
      expect(performance.now() - began).toBeLessThan(2_000);
    }
  });

  it('lets the introspection of GraphiQL pass, over every transport', async () => {
    const { api, url } = await startTestApp();
    const query = getIntrospectionQuery();
    expect(await api.code(query)).toBeNull();
    expect((await (await openEventStream(url, query)).next()).errors).toBeUndefined();
    expect((await new SocketClient(url).results(query).next()).errors).toBeUndefined();
  });

  it('takes a page of nodes at a time, and no more', async () => {
    const { api } = await startTestApp();
    const query = 'query($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const ids = Array.from({ length: limits.pageSize + 1 }, (_, i) => globalId('Member', `m${i}`));
    expect(await api.code(query, { ids })).toBe('PAGE_TOO_LARGE');
    expect(await api.data(query, { ids: ids.slice(1) })).toMatchObject({ nodes: ids.slice(1).map((id) => ({ id })) });
  });
});
