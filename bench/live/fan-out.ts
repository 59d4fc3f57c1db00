import { setTimeout as pause } from 'node:timers/promises';
import { Crowd } from './crowd.ts';
import { type Measured, post, quantile, startBare, startLaurel, startRedis, startStock } from './servers.ts';

const perSecond = 5;
const seconds = Number(process.env.BENCH_SECONDS) || 10;

export interface FanOut {
  readonly name: string;
  readonly subscribers: number;
  /** Share of the deliveries that arrived. */
  readonly delivered: number;
  readonly cpuMicros: number;
  readonly p50: number;
  readonly p99: number;
}

interface Contender {
  readonly server: Measured;
  readonly query: string | null;
  write(i: number): Promise<void>;
}

const entry = 'memberId rank score member { displayName avatarUrl }';

const names = async (port: number) => {
  const members = Array.from({ length: 200 }, (_, i) => ({
    memberId: `m${i}`,
    displayName: `Member number ${i}`,
    avatarUrl: `https://example.org/avatars/${i}.png`,
  }));
  await post(
    port,
    'mutation($members: [MemberInput!]!) { upsertMembers(input: { members: $members }) { members { id } } }',
    { members },
  );
};

const submit =
  'mutation($m: String!, $s: Float!) { submitScore(input: { leaderboard: "bench", memberId: $m, score: $s }) { applied } }';

async function laurel(redis: Measured): Promise<Contender> {
  const server = await startLaurel(redis);
  await post(server.port, 'mutation { createLeaderboard(input: { key: "bench" }) { leaderboard { key } } }').catch(
    () => {},
  );
  await names(server.port);
  return {
    server,
    query: `subscription { entriesChanged(leaderboard: "bench", first: 10) { version entries { ${entry} } } }`,
    write: (i) => post(server.port, submit, { m: `m${i % 200}`, s: i }),
  };
}

async function stock(redis: Measured): Promise<Contender> {
  const server = await startStock(redis);
  return {
    server,
    query: `subscription { entriesChanged { version entries { ${entry} } } }`,
    write: (i) =>
      post(server.port, 'mutation($m: String!, $s: Float!) { submit(memberId: $m, score: $s) }', {
        m: `m${i % 200}`,
        s: i,
      }),
  };
}

async function bare(frame: Buffer): Promise<Contender> {
  const server = await startBare();
  const [before = ''] = frame.toString().split(/(?<="score":)\d+/);
  const rest = frame.toString().slice(before.length).replace(/^\d+/, '');
  const write = async (i: number) => {
    await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', body: `${before}${i}${rest}` });
  };
  return { server, query: null, write };
}

/** Writes that each take the first place, and when each of them reached each subscriber. */
async function measure(name: string, subscribers: number, contender: Contender): Promise<FanOut & { frame: Buffer }> {
  const sent = new Map<number, number>();
  const latencies: number[] = [];
  let frame = Buffer.alloc(0);
  const crowd = new Crowd(contender.server.port, (payload, client) => {
    const score = Number(/"score":(\d+)/.exec(payload.toString('latin1', 0, 400))?.[1]);
    const at = sent.get(score);
    if (at !== undefined) latencies.push(performance.now() - at);
    if (client === 0) frame = Buffer.from(payload);
  });
  const { query } = contender;
  await crowd.open(subscribers, () =>
    query ? [JSON.stringify({ id: crypto.randomUUID(), type: 'subscribe', payload: { query } })] : [],
  );
  let score = Date.now() * 10;
  const writes = async (count: number, counted: boolean) => {
    for (let i = 0; i < count; i += 1) {
      score += 1;
      const next = performance.now() + 1000 / perSecond;
      if (counted) sent.set(score, performance.now());
      await contender.write(score);
      await pause(Math.max(0, next - performance.now()));
    }
  };
  await writes(10, false);
  await pause(500);
  const cpu = contender.server.cpu();
  await writes(perSecond * seconds, true);
  await pause(1_000);
  const used = contender.server.cpu() - cpu;
  crowd.close();
  const expected = sent.size * subscribers;
  const delivered = latencies.length / expected;
  const cpuMicros = (used * 1e6) / latencies.length;
  return {
    name,
    subscribers,
    delivered,
    cpuMicros,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    frame,
  };
}

/** All contenders in one run, one after another. */
export async function fanOut(sizes: readonly number[]): Promise<FanOut[]> {
  const redis = await startRedis();
  const results: FanOut[] = [];
  for (const subscribers of sizes) {
    const one = async (name: string, make: () => Promise<Contender>) => {
      const contender = await make();
      const { frame, ...result } = await measure(name, subscribers, contender);
      await contender.server.stop();
      results.push(result);
      console.log(JSON.stringify(result));
      return frame;
    };
    const frame = await one('Laurel', () => laurel(redis));
    await one('bare broadcast', () => bare(frame));
    if (subscribers <= 1_000) await one('stock recipe', () => stock(redis));
  }
  await redis.stop();
  return results;
}
