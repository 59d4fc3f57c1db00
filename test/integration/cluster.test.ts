import calculateSlot from 'cluster-key-slot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { newBoardKey } from '../support/graphql-client.ts';
import { until } from '../support/until.ts';
import { SocketClient } from '../support/websocket-client.ts';

interface State {
  version: number;
  resync: boolean;
  stale: boolean;
  entries: { memberId: string; score: number }[];
}

const live =
  'subscription($key: String!) { entriesChanged(leaderboard: $key, first: 3) { version resync stale entries { memberId score } } }';
const top =
  'query($key: String!) { leaderboard(key: $key) { current { version entries(first: 3) { nodes { memberId score } } } } }';
const names =
  'query($key: String!) { leaderboard(key: $key) { current { entries(first: 30) { nodes { memberId member { displayName } } } } } }';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster(3, 1);
}, 60_000);

afterAll(() => cluster.stop());

/** A board on the master that has a replica: the first third of the slots. */
function keyOnFirst(): string {
  for (;;) {
    const key = newBoardKey();
    if (calculateSlot(`lb:{${key}}#def`) < 16_384 / 3) return key;
  }
}

describe('on a Redis Cluster', () => {
  it('boards and profiles of every node are read and written, and each app hears what the other did', async () => {
    const [one, other] = [
      await startTestApp({ redisUrl: cluster.address }),
      await startTestApp({ redisUrl: cluster.address }),
    ];
    const members = Array.from({ length: 30 }, (_, i) => `m${i}`);
    await one.api.names(Object.fromEntries(members.map((id) => [id, `Name of ${id}`])));
    for (let i = 0; i < 6; i += 1) {
      const key = await one.api.createBoard();
      const states = new SocketClient(other.url).watch<State>(live, { key });
      await states.next();
      await one.api.scores(key, Object.fromEntries(members.map((id, score) => [id, score])));
      await states.find(({ version }) => version === 30, 5_000);
      const { leaderboard } = await other.api.data<{ leaderboard: { current: { entries: { nodes: object[] } } } }>(
        names,
        { key },
      );
      expect(leaderboard.current.entries.nodes).toEqual(
        members.toReversed().map((memberId) => ({ memberId, member: { displayName: `Name of ${memberId}` } })),
      );
      const rename =
        'mutation($key: String!) { updateLeaderboard(input: { key: $key, title: "Other" }) { leaderboard { id } } }';
      await one.api.data(rename, { key });
      const title = 'query($key: String!) { leaderboard(key: $key) { title } }';
      await until(
        async () =>
          (await other.api.data<{ leaderboard: { title: string } }>(title, { key })).leaderboard.title === 'Other',
      );
    }
  });

  it('L1, T5: after a failover writes are taken again, and who watches ends on what is read', async () => {
    const { api, url } = await startTestApp({ redisUrl: cluster.address });
    const key = keyOnFirst();
    await api.createBoard({ key, scorePolicy: 'SUM' });
    const elsewhere = await api.createBoard();
    const states = new SocketClient(url).watch<State>(live, { key });
    await api.scores(key, { ann: 5, bob: 3 });
    await states.find(({ version }) => version === 2);
    await cluster.killMasterOf(`lb:{${key}}#def`);
    const write =
      'mutation($key: String!) { submitScore(input: { leaderboard: $key, memberId: "eve", score: 9 }) { applied } }';
    // Until the new master is known the answer is that Redis is away; nothing is sent again behind anybody's back.
    const codes = new Set<unknown>();
    await until(async () => {
      const code = await api.code(write, { key });
      codes.add(code);
      return code === null;
    }, 20_000);
    expect([...codes].filter((code) => code !== null && code !== 'STORE_UNAVAILABLE')).toEqual([]);
    await api.score(elsewhere, 'ann', 1);
    await api.score(key, 'zoe', 100);
    const direct = async () => {
      const { leaderboard } = await api.data<{
        leaderboard: { current: { version: number; entries: { nodes: State['entries'] } } };
      }>(top, { key });
      return leaderboard.current;
    };
    const { version, entries } = await direct();
    const last = await states.find(
      (state) => state.version === version && state.entries[0]?.memberId === 'zoe',
      10_000,
    );
    expect(last.entries).toEqual(entries.nodes);
    expect(states.items.some(({ resync }) => resync)).toBe(true);
    // Live again, not only by the poll.
    const began = performance.now();
    await api.score(key, 'zoe', 1);
    await states.find(({ entries: [first] }) => first?.score === 101, 5_000);
    expect(performance.now() - began).toBeLessThan(900);
  });
});
