import { setTimeout as pause } from 'node:timers/promises';
import { Crowd } from './crowd.ts';
import { post, startLaurel, startRedis } from './servers.ts';

/** What connections cost that only wait: one subscription each, half to a common window, half to a rank of their own. */
export async function idle(connections: number) {
  const redis = await startRedis();
  const server = await startLaurel(redis);
  await post(server.port, 'mutation { createLeaderboard(input: { key: "idle" }) { leaderboard { key } } }');
  await post(
    server.port,
    'mutation { submitScore(input: { leaderboard: "idle", memberId: "m1", score: 1 }) { applied } }',
  );
  let states = 0;
  const crowd = new Crowd(server.port, () => {
    states += 1;
  });
  const top =
    'subscription { entriesChanged(leaderboard: "idle", first: 10) { version entries { memberId rank score } } }';
  const own =
    'subscription($m: String!) { rankChanged(leaderboard: "idle", memberId: $m) { version entry { rank score } } }';
  const operation = (client: number) => {
    const payload = client % 2 ? { query: top } : { query: own, variables: { m: `m${client}` } };
    return [JSON.stringify({ id: crypto.randomUUID(), type: 'subscribe', payload })];
  };
  // What is made once, at first use, is not counted.
  await crowd.open(200, operation);
  await pause(2_000);
  const before = server.memory();
  await crowd.open(connections - 200, operation);
  while (states < connections) await pause(100);
  // The runtime gives back what it used on the way when it finds the time.
  await pause(20_000);
  const cpu = server.cpu();
  await pause(5_000);
  const result = {
    connections,
    kilobytesEach: (server.memory() - before) / (connections - 200) / 1024,
    idleCores: (server.cpu() - cpu) / 5,
  };
  crowd.close();
  await server.stop();
  await redis.stop();
  return result;
}
