import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { globalId } from '../support/graphql-client.ts';
import { SocketClient } from '../support/websocket-client.ts';

/** More than it takes for an operation to be compiled (graphql/execution.ts). */
const times = 30;

const board = '$key: String!';
const around = `query(${board}, $member: String = "m3", $withNames: Boolean!, $less: Boolean = false) {
  a: leaderboard(key: $key) { current { ...Around } }
  b: leaderboard(key: "no-such-board") { title }
  c: leaderboard(key: $key) { current { entries(first: 2, minScore: 15.5) @skip(if: $less) { totalCount drift nodes { rank } } } }
} fragment Around on Period { entriesAround(memberId: $member, above: 1, below: 1) {
  nodes { __typename memberId score ... on Node { id } member @include(if: $withNames) { displayName attributes } }
  pageInfo { hasNextPage endCursor } } }`;

/** Each with what it is sent with; what comes back is the same each time. */
const operations: Record<string, [query: string, variables: (key: string) => Record<string, unknown>]> = {
  'a query with defaults, fragments and directives': [around, (key) => ({ key, withNames: true })],
  'the same without what it includes': [around, (key) => ({ key, withNames: false, less: true })],
  'the same with null for a default': [around, (key) => ({ key, withNames: true, member: null })],
  'a variable left out': [around, (key) => ({ key })],
  'a variable of another type': [around, (key) => ({ key, withNames: 'yes' })],
  'a value out of range': [
    `query(${board}, $first: Int) { leaderboard(key: $key) { title current { entries(first: $first) { totalCount } } } }`,
    (key) => ({ key, first: 5_000 }),
  ],
  'errors in a list beside results': [
    'query($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Leaderboard { key } ... on Entry { rank } } }',
    (key) => ({
      ids: [globalId('Leaderboard', key), globalId('Entry', `${key}/all/m1`), 'nonsense', globalId('Entry', 'x/all/y')],
    }),
  ],
  'numbers, enums and dates': [
    `query(${board}) { leaderboard(key: $key) { sortOrder scoreScale minScore cadences timeZone
      current(cadence: YEARLY) { startsAt endsAt state version } calendar(cadence: YEARLY, from: "2026-05-01T00:00:00Z", first: 2) { key } } }`,
    (key) => ({ key }),
  ],
  'a change that is none': [
    'mutation($input: SubmitScoreInput!) { a: submitScore(input: $input) { applied duplicate changes { outcome entry { rank score metadata } } } }',
    (key) => ({ input: { leaderboard: key, memberId: 'm1', score: 0.5, idempotencyKey: 'once' } }),
  ],
  'a change that is refused': [
    'mutation($input: SubmitScoreInput!) { a: submitScore(input: $input) { applied } }',
    () => ({ input: { leaderboard: 'no-such-board', memberId: 'm1', score: 1 } }),
  ],
  'a look at the schema': [
    '{ __type(name: "RankMethod") { name enumValues { name } } __schema { queryType { name } } }',
    () => ({}),
  ],
};

/** An app, which has compiled nothing yet, and a board of four. */
async function startBoard() {
  const { api, url } = await startTestApp();
  const key = await api.createBoard({ scoreScale: 1, cadences: ['ALL_TIME', 'YEARLY'] });
  await api.scores(key, { m1: 30, m2: 20.5, m3: 20.5, m4: 10 });
  await api.names({ m3: 'Three' });
  return { api, url, key };
}

describe('an operation that comes often is answered as at first', () => {
  it.each(Object.entries(operations))('%s', async (_, [query, variables]) => {
    const { api, key } = await startBoard();
    const answers: string[] = [];
    for (let i = 0; i < times; i += 1) {
      const { status, data, errors } = await api.send(query, variables(key));
      // Only a retry says that it is one.
      answers.push(JSON.stringify({ status, data, errors }).replace('"duplicate":true', '"duplicate":false'));
    }
    expect(answers[0]).toContain('{');
    expect(new Set(answers)).toEqual(new Set(answers.slice(0, 1)));
  });

  it('a refusal without a key', async () => {
    const { api, key } = await startBoard();
    const [query, variables] = operations['a change that is none'] ?? ['', () => ({})];
    const codes = new Set<unknown>();
    for (let i = 0; i < times; i += 1) codes.add(await api.anonymous().code(query, variables(key)));
    expect(codes).toEqual(new Set(['FORBIDDEN']));
  });
});

it('states of a subscription are told as at first', async () => {
  const { api, url, key } = await startBoard();
  const query = `subscription(${board}, $first: Int!) { entriesChanged(leaderboard: $key, first: $first) {
    version resync changes { kind memberId } entries { memberId rank score } } }`;
  const states = new SocketClient(url).watch(query, { key, first: 2 });
  for (let i = 0; i < times; i += 1) {
    expect(await states.next()).toMatchObject({
      resync: false,
      changes: i === 0 ? [] : [{ kind: 'UPDATED', memberId: 'm1' }],
      entries: [
        { memberId: 'm1', rank: 1, score: 30 + i },
        { memberId: 'm3', rank: 2, score: 20.5 },
      ],
    });
    await api.score(key, 'm1', 31 + i);
  }
});
