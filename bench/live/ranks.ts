import { setTimeout as pause } from 'node:timers/promises';
import { Crowd } from './crowd.ts';
import { adminKey, post, quantile, startLaurel, startRedis } from './servers.ts';

const members = 10_000;
const sockets = 1_000;
const perSecond = 1_000;
const batch = 50;
const seconds = Number(process.env.BENCH_SECONDS) || 10;

const submit =
  'mutation($scores: [ScoreInput!]!) { submitScores(input: { leaderboard: "ranks", scores: $scores }) { outcomes { error { code } } } }';
const watch =
  'subscription($m: String!) { rankChanged(leaderboard: "ranks", memberId: $m) { version entry { memberId score rank index } } }';

interface Shown {
  readonly memberId: string;
  readonly score: number;
  readonly rank: number;
  readonly index: number;
}

/** As many members as there are, each watching its own rank while 1,000 scores a second come in. */
export async function ranks() {
  const redis = await startRedis();
  const server = await startLaurel(redis);
  await post(
    server.port,
    'mutation { createLeaderboard(input: { key: "ranks", scorePolicy: LATEST }) { leaderboard { key } } }',
  );
  const scoreOf = () => Math.floor(Math.random() * 1e9);
  for (let i = 0; i < members; i += 500) {
    const scores = Array.from({ length: 500 }, (_, j) => ({ memberId: `m${i + j}`, score: scoreOf() }));
    await post(server.port, submit, { scores });
  }
  const shown = new Map<string, Shown>();
  const sent = new Map<string, { score: number; at: number }>();
  const latencies: number[] = [];
  let messages = 0;
  const crowd = new Crowd(server.port, (payload) => {
    messages += 1;
    const { entry } = JSON.parse(payload.toString()).payload.data.rankChanged;
    shown.set(entry.memberId, entry);
    const write = sent.get(entry.memberId);
    if (!write || write.score !== entry.score) return;
    latencies.push(performance.now() - write.at);
    sent.delete(entry.memberId);
  });
  await crowd.open(sockets, (client) =>
    Array.from({ length: members / sockets }, (_, i) => {
      const variables = { m: `m${client * (members / sockets) + i}` };
      return JSON.stringify({ id: `${i}`, type: 'subscribe', payload: { query: watch, variables } });
    }),
  );
  while (shown.size < members) await pause(100);
  await pause(2_000);
  const [serverCpu, redisCpu, began] = [server.cpu(), redis.cpu(), performance.now()];
  messages = 0;
  const pending: Promise<void>[] = [];
  for (let i = 0; i < (seconds * perSecond) / batch; i += 1) {
    const scores = Array.from({ length: batch }, () => ({
      memberId: `m${Math.floor(Math.random() * members)}`,
      score: scoreOf(),
    }));
    for (const { memberId, score } of scores) sent.set(memberId, { score, at: performance.now() });
    pending.push(post(server.port, submit, { scores }));
    await pause(Math.max(0, began + ((i + 1) * 1000 * batch) / perSecond - performance.now()));
  }
  await Promise.all(pending);
  const took = (performance.now() - began) / 1000;
  const result = {
    writesPerSecond: Math.round((seconds * perSecond) / took),
    deliveriesPerSecond: Math.round(messages / took),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    serverCores: (server.cpu() - serverCpu) / took,
    redisCores: (redis.cpu() - redisCpu) / took,
  };
  await pause(2_000);
  const wrong = await countWrong(server.port, shown);
  crowd.close();
  await server.stop();
  await redis.stop();
  return { ...result, wrong };
}

/** Members who are shown another rank than a direct read finds. */
async function countWrong(port: number, shown: ReadonlyMap<string, Shown>): Promise<number> {
  const query =
    'query($ids: [String!]!) { leaderboard(key: "ranks") { current { entriesOf(memberIds: $ids) { entry { memberId score rank index } } } } }';
  let wrong = 0;
  for (let i = 0; i < members; i += 500) {
    const ids = Array.from({ length: 500 }, (_, j) => `m${i + j}`);
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${adminKey}` },
      body: JSON.stringify({ query, variables: { ids } }),
    });
    const { data } = (await response.json()) as {
      data: { leaderboard: { current: { entriesOf: { entry: Shown }[] } } };
    };
    for (const { entry } of data.leaderboard.current.entriesOf) {
      if (JSON.stringify(shown.get(entry.memberId)) !== JSON.stringify(entry)) wrong += 1;
    }
  }
  return wrong;
}
