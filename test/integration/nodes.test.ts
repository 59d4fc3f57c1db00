import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { globalId } from '../support/graphql-client.ts';

/** Member ids that a careless encoding would spoil. */
const members = ['u:1001', 'a/b/c', 'id with spaces', 'naïve 😀', '"quoted"', '{}', 'Entry:x', '0'];

const fragments = `... on Leaderboard { key } ... on Period { key leaderboard { key } }
  ... on Entry { memberId score period { key } } ... on Member { memberId }`;

interface Ids {
  leaderboard: {
    id: string;
    current: {
      id: string;
      entries: { nodes: { id: string; memberId: string; score: number; member: { id: string } }[] };
    };
  };
}

async function idsOf(api: Awaited<ReturnType<typeof startTestApp>>['api'], key: string): Promise<Ids> {
  return api.data<Ids>(
    `query($key: String!) { leaderboard(key: $key) { id current { id entries { nodes { id memberId score member { id } } } } } }`,
    { key },
  );
}

describe('global ids', () => {
  it('of all four kinds lead back to their object, alone and together', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard();
    await api.scores(key, Object.fromEntries(members.map((member, i) => [member, i])));
    const { leaderboard } = await idsOf(api, key);
    const { entries } = leaderboard.current;
    expect(entries.nodes).toHaveLength(members.length);
    const expected = [
      { __typename: 'Leaderboard', id: leaderboard.id, key },
      { __typename: 'Period', id: leaderboard.current.id, key: 'all', leaderboard: { key } },
      ...entries.nodes.flatMap(({ id, memberId, score, member }) => [
        { __typename: 'Entry', id, memberId, score, period: { key: 'all' } },
        { __typename: 'Member', id: member.id, memberId },
      ]),
    ];
    const ids = expected.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2 + 2 * members.length);
    expect(await api.data(`query($ids: [ID!]!) { nodes(ids: $ids) { __typename id ${fragments} } }`, { ids })).toEqual({
      nodes: expected,
    });
    for (const object of expected) {
      expect(
        await api.data(`query($id: ID!) { node(id: $id) { __typename id ${fragments} } }`, { id: object.id }),
      ).toEqual({
        node: object,
      });
    }
  });

  it('of what does not exist are null: a board, a period of no cadence, an entry not ranked', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard();
    await api.score(key, 'ann', 1);
    const ids = [
      globalId('Leaderboard', `${key}x`),
      globalId('Leaderboard', 'No Key'),
      globalId('Period', `${key}/2026`),
      globalId('Period', `${key}/nonsense`),
      globalId('Period', key),
      globalId('Entry', `${key}/all/bob`),
      globalId('Entry', `${key}/2026/ann`),
      globalId('Entry', `${key}x/all/ann`),
    ];
    const { data, errors } = await api.send('query($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect(errors).toEqual([]);
    expect(data).toEqual({ nodes: ids.map(() => null) });
  });

  it('of a board that was deleted are null, and of one made anew under its key lead to that', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard({ title: 'Old' });
    await api.score(key, 'ann', 1);
    const { leaderboard } = await idsOf(api, key);
    const ids = [leaderboard.id, leaderboard.current.id, leaderboard.current.entries.nodes[0]?.id];
    await api.deleteBoard(key);
    const query = 'query($ids: [ID!]!) { nodes(ids: $ids) { id ... on Leaderboard { title } } }';
    expect(await api.data(query, { ids })).toEqual({ nodes: [null, null, null] });
    await api.data(
      'mutation($key: String!) { createLeaderboard(input: { key: $key, title: "New" }) { leaderboard { id } } }',
      { key },
    );
    expect(await api.data(query, { ids })).toEqual({ nodes: [{ id: ids[0], title: 'New' }, { id: ids[1] }, null] });
  });

  it('that are of another kind are mistakes of their own, and spoil no other', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard();
    const ids = [
      globalId('Leaderboard', key),
      globalId('PageInfo', 'x'),
      globalId('Member', 'a\u0001'),
      globalId('Member', 'ann'),
    ];
    const { data, errors } = await api.send('query($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect(data).toEqual({ nodes: [{ id: ids[0] }, null, null, { id: ids[3] }] });
    expect(errors).toMatchObject([
      { path: ['nodes', 1], extensions: { code: 'BAD_INPUT' } },
      { path: ['nodes', 2], extensions: { code: 'BAD_MEMBER_ID' } },
    ]);
  });

  it.each(['', 'nonsense', globalId('', 'x'), globalId('Member', '')])('%j is no global id', async (id) => {
    const { api } = await startTestApp();
    expect(await api.send('query($id: ID!) { node(id: $id) { id } }', { id })).toMatchObject({
      code: 'BAD_INPUT',
      data: { node: null },
    });
  });
});
