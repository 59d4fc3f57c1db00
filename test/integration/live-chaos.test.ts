import { expect, test } from 'vitest';
import { Api } from '../support/graphql-client.ts';
import { KillableRedis, Service, serviceKey } from '../support/live-service.ts';
import { Watcher, type WatcherKind } from '../support/live-watcher.ts';
import { connectRedis } from '../support/redis-client.ts';
import { runs } from '../support/seed.ts';
import { until } from '../support/until.ts';

const members = Array.from({ length: 30 }, (_, i) => `m${i}`);
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

const entryFields = 'memberId score rank competitionRank index tieCount topPercent';
const truthQuery = `query($board: String!, $members: [String!]!) {
  leaderboard(key: $board) { current {
    version
    entries(first: 5) { nodes { ${entryFields} } }
    entriesOf(memberIds: $members) { entry { ${entryFields} } }
    ${members.map((member) => `${member}: entriesAround(memberId: "${member}", above: 2, below: 2) { nodes { ${entryFields} } }`).join('\n')}
  } }
}`;

interface Entries {
  nodes: { memberId: string }[];
}
type Truth = { version: number; entries: Entries; entriesOf: { entry: { memberId: string } }[] } & Record<
  string,
  unknown
>;

/** What a watcher has to show in the end. */
function expected(truth: Truth, { kind, member }: Watcher): unknown {
  if (kind === 'rank') return truth.entriesOf.map(({ entry }) => entry).filter(({ memberId }) => memberId === member);
  if (kind === 'around') return (truth[member] as Entries | null)?.nodes ?? [];
  return truth.entries.nodes;
}

const shown = ({ entries }: Watcher) => entries.map(({ version: _, ...entry }) => entry);

/** Writes at random until it is told to stop, to whichever node is there, whatever comes of it. */
function startWriting(board: string, apis: () => Api[]) {
  let going = true;
  const done = (async () => {
    while (going) {
      const scores = Array.from({ length: 1 + Math.floor(Math.random() * 8) }, () => ({
        memberId: pick(members),
        score: Math.floor(Math.random() * 40),
      }));
      const api = pick(await until(() => apis().length > 0 && apis(), 20_000));
      const write = `mutation($input: SubmitScoresInput!) { submitScores(input: $input) { outcomes { error { code } } } }`;
      const remove = `mutation($input: RemoveEntryInput!) { removeEntry(input: $input) { leaderboard { key } } }`;
      if (Math.random() < 0.9) await api.send(write, { input: { leaderboard: board, scores } }).catch(() => {});
      else await api.send(remove, { input: { leaderboard: board, memberId: pick(members) } }).catch(() => {});
    }
  })();
  return async () => {
    going = false;
    await done;
  };
}

test('L1, L2, L3: every client ends on what a direct read says, whatever was killed on the way', {
  timeout: 600_000,
}, async () => {
  const redis = await KillableRedis.start();
  const services = await Promise.all([Service.start(redis.url), Service.start(redis.url)]);
  const [first, second] = services as [Service, Service];
  const alive = () => services.filter((service) => service.alive).map(({ url }) => url);
  const apis = new Map(services.map(({ url }) => [url, new Api(url, serviceKey)]));
  const anyApi = () => alive().flatMap((url) => apis.get(url) ?? []);
  const board = await pick(anyApi()).createBoard({ scorePolicy: 'LATEST' });
  await pick(anyApi()).score(board, 'm0', 1);
  const seen = new Map<string, string>();
  const kinds: WatcherKind[] = ['top', 'patches', 'around', 'rank', 'feed'];
  const watchers = kinds.flatMap((kind) =>
    (['ws', 'sse'] as const).flatMap((transport) =>
      [0, 1, 2].map((i) => new Watcher(kind, transport, { board, member: `m${i}`, nodes: alive, seen })),
    ),
  );
  const admin = await connectRedis(redis.url);
  const kill = (type: string) => admin.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes');
  const windows = watchers.filter(({ kind }) => kind !== 'feed');
  const sum = (of: (watcher: Watcher) => number) => windows.reduce((total, watcher) => total + of(watcher), 0);
  /** Lets things go on until so many more messages have come. */
  const goOn = async (messages = 200) => {
    const before = sum((watcher) => watcher.messages);
    await until(() => sum((watcher) => watcher.messages) >= before + messages, 20_000);
  };
  for (let round = 0; round < runs(1); round += 1) {
    const [stale, resyncs] = [sum((watcher) => watcher.stale), sum((watcher) => watcher.resyncs)];
    const stop = startWriting(board, anyApi);
    await goOn();
    await kill('pubsub');
    await goOn();
    for (const watcher of watchers.slice(0, 10)) watcher.stall(true);
    await second.kill();
    await goOn();
    for (const watcher of watchers.slice(0, 10)) watcher.stall(false);
    await second.start();
    await goOn();
    await redis.kill();
    await until(() => sum((watcher) => watcher.stale) > stale, 10_000);
    await redis.start();
    await admin.connect();
    await until(() => sum((watcher) => watcher.resyncs) > resyncs, 10_000);
    await goOn();
    await kill('pubsub');
    await kill('normal');
    await first.kill();
    await goOn();
    await first.start();
    await goOn();
    await stop();
    await converged(pick(anyApi()), board, watchers);
  }
  expect(watchers.flatMap(({ kind, problems }) => problems.map((problem) => `${kind}: ${problem}`))).toEqual([]);
  // Everybody was told of the other epoch, and of the outage those who were there.
  expect(windows.filter(({ resyncs }) => resyncs === 0)).toEqual([]);
});

/** Within two seconds of the last write. */
async function converged(api: Api, board: string, watchers: readonly Watcher[]): Promise<void> {
  const deadline = performance.now() + 2_000;
  const { leaderboard } = await api.data<{ leaderboard: { current: Truth } }>(truthQuery, { board, members });
  const truth = leaderboard.current;
  const late = () =>
    watchers.filter((watcher) =>
      watcher.kind === 'feed'
        ? !watcher.position?.endsWith(`/${truth.version}`)
        : JSON.stringify(shown(watcher)) !== JSON.stringify(expected(truth, watcher)),
    );
  await until(() => late().length === 0, deadline - performance.now()).catch(() => {});
  expect(late().map((watcher) => [watcher.kind, watcher.position, shown(watcher), expected(truth, watcher)])).toEqual(
    [],
  );
}
