import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { unique } from '../support/graphql-client.ts';

const change = (alias: string, memberId: string, score: number) => `${alias}: submitScore(
  input: { leaderboard: $key, memberId: "${memberId}", score: ${score} }) {
    applied
    changes { version previousScore previousRank
      entry { rank score version }
      period { version entryCount entries(first: 5) { version nodes { memberId score rank } } } } }`;

describe('rule P5: each field of a mutation reads its own write', () => {
  it('in the order of the fields, at the version that it made', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard();
    const query = `mutation($key: String!) { ${change('a', 'ann', 1)} ${change('b', 'bob', 2)} ${change('c', 'ann', 3)} }`;
    const at = (version: number, ...nodes: [string, number][]) => ({
      version,
      entryCount: nodes.length,
      entries: { version, nodes: nodes.map(([memberId, score], i) => ({ memberId, score, rank: i + 1 })) },
    });
    const first = { version: 1, previousScore: null, previousRank: null, entry: { rank: 1, score: 1, version: 1 } };
    expect(await api.data(query, { key })).toEqual({
      a: { applied: true, changes: [{ ...first, period: at(1, ['ann', 1]) }] },
      b: {
        applied: true,
        changes: [
          { ...first, version: 2, entry: { rank: 1, score: 2, version: 2 }, period: at(2, ['bob', 2], ['ann', 1]) },
        ],
      },
      c: {
        applied: true,
        changes: [
          {
            version: 3,
            previousScore: 1,
            previousRank: 2,
            entry: { rank: 1, score: 3, version: 3 },
            period: at(3, ['ann', 3], ['bob', 2]),
          },
        ],
      },
    });
  });

  it('rule S3: one that changes nothing returns what is stored, and no new version', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard();
    await api.score(key, 'ann', 5);
    const { a } = await api.data<{ a: unknown }>(`mutation($key: String!) { ${change('a', 'ann', 4)} }`, { key });
    expect(a).toMatchObject({
      applied: false,
      changes: [{ version: 1, previousScore: 5, previousRank: 1, entry: { score: 5, rank: 1, version: 1 } }],
    });
  });

  it('profiles too, written twice in one request', async () => {
    const { api } = await startTestApp();
    const memberId = unique();
    const write = (alias: string, name: string) =>
      `${alias}: upsertMembers(input: { members: [{ memberId: $id, displayName: "${name}" }] }) {
        members { memberId displayName avatarUrl } }`;
    const written = (displayName: string) => ({ members: [{ memberId, displayName, avatarUrl: null }] });
    expect(
      await api.data(`mutation($id: String!) { ${write('a', 'Ann')} ${write('b', 'Bea')} ${write('c', 'Cleo')} }`, {
        id: memberId,
      }),
    ).toEqual({ a: written('Ann'), b: written('Bea'), c: written('Cleo') });
  });

  it('a change of the board', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard({ title: 'Old' });
    await api.score(key, 'ann', 5);
    const query = `mutation($key: String!) {
      before: submitScore(input: { leaderboard: $key, memberId: "ann", score: 6 }) { changes { period { leaderboard { title } } } }
      updateLeaderboard(input: { key: $key, title: "New" }) { leaderboard { title current { leaderboard { title } } } }
      after: submitScore(input: { leaderboard: $key, memberId: "ann", score: 7 }) { changes { period { leaderboard { title } } } }
    }`;
    const shown = (title: string) => ({ changes: [{ period: { leaderboard: { title } } }] });
    expect(await api.data(query, { key })).toEqual({
      before: shown('Old'),
      updateLeaderboard: { leaderboard: { title: 'New', current: { leaderboard: { title: 'New' } } } },
      after: shown('New'),
    });
  });

  it('the removal of an entry, and of a member', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard();
    const [ann, bob] = [unique(), unique()];
    await api.scores(key, { [ann]: 2, [bob]: 1 });
    await api.names({ [bob]: 'Bob' });
    const query = `mutation($key: String!, $ann: String!, $bob: String!) {
      removeEntry(input: { leaderboard: $key, memberId: $ann }) {
        removed { version previousIndex period { key entryCount entry(memberId: $ann) { rank } entries { nodes { memberId rank } } } } }
      removeMember(input: { memberId: $bob }) { removedEntries } }`;
    expect(await api.data(query, { key, ann, bob })).toEqual({
      removeEntry: {
        removed: [
          {
            version: 3,
            previousIndex: 0,
            period: { key: 'all', entryCount: 1, entry: null, entries: { nodes: [{ memberId: bob, rank: 1 }] } },
          },
        ],
      },
      removeMember: { removedEntries: 1 },
    });
    const left = await api.data(
      'query($key: String!, $bob: String!) { leaderboard(key: $key) { current { entryCount } } member(memberId: $bob) { displayName } }',
      { key, bob },
    );
    expect(left).toEqual({ leaderboard: { current: { entryCount: 0 } }, member: { displayName: null } });
  });
});
