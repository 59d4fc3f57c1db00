import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findServer } from '../../src/redis/find-server.ts';
import type { Engine } from './engine.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const slots = 16_384;

interface Node {
  readonly port: number;
  readonly args: readonly string[];
  child: ChildProcess;
  readonly redis: Redis;
}

const binary = () => findServer(process.env.PATH ?? '')?.binary ?? 'redis-server';

/** A Redis Cluster of the test's own: masters, and a replica of each of the first ones. */
export interface Cluster extends Engine {
  readonly nodes: readonly Node[];
  /** Ends the master that holds a key at once, as a crash would, and waits until a replica has taken its place. */
  killMasterOf(key: string): Promise<void>;
  /** Ends the node at a port at once. */
  kill(port: number): Promise<void>;
  /** Ends all that live, and starts them again without their data. */
  restart(): Promise<void>;
}

async function startNode(folder: string): Promise<Node> {
  const [port, busPort] = [await freePort(), await freePort()];
  const settings = {
    port: `${port}`,
    bind: '127.0.0.1',
    'cluster-enabled': 'yes',
    'cluster-port': `${busPort}`,
    'cluster-config-file': join(folder, `nodes-${port}.conf`),
    'cluster-announce-ip': '127.0.0.1',
    'cluster-node-timeout': '1000',
    'cluster-require-full-coverage': 'no',
    'repl-diskless-sync-delay': '0',
    dir: folder,
    dbfilename: `${port}.rdb`,
    save: '',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(binary(), args, { stdio: 'ignore' });
  const redis = new Redis({ host: '127.0.0.1', port, maxRetriesPerRequest: null });
  redis.on('error', () => {});
  await redis.ping();
  return { port, args, child, redis };
}

const stateOf = async ({ redis }: Node) => /cluster_state:(\w+)/.exec(String(await redis.cluster('INFO')))?.[1];

export async function startCluster(masterCount: number, replicaCount = 0): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'laurel-cluster-'));
  const nodes = await Promise.all(Array.from({ length: masterCount + replicaCount }, () => startNode(folder)));
  const masters = nodes.slice(0, masterCount);
  const [first] = nodes;
  if (!first) throw new Error('a cluster has a master');
  const busPortOf = async ({ redis }: Node) => {
    const [, value] = (await redis.config('GET', 'cluster-port')) as string[];
    return Number(value);
  };
  for (const node of nodes.slice(1)) {
    await first.redis.call('CLUSTER', 'MEET', '127.0.0.1', node.port, await busPortOf(node));
  }
  await Promise.all(
    masters.map(({ redis }, i) => {
      const from = Math.floor((slots * i) / masterCount);
      const to = Math.floor((slots * (i + 1)) / masterCount) - 1;
      return redis.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
    }),
  );
  const knows = async (node: Node) =>
    (await stateOf(node)) === 'ok' &&
    String(await node.redis.cluster('NODES')).split('connected').length > nodes.length;
  for (const node of nodes) await until(() => knows(node), 20_000);
  for (const [i, { redis }] of nodes.slice(masterCount).entries()) {
    await redis.call('CLUSTER', 'REPLICATE', String(await masters[i]?.redis.cluster('MYID')));
    await until(async () => /master_link_status:up/.test(await redis.info('replication')), 20_000);
  }
  const living = () => nodes.filter(({ child }) => child.exitCode === null && child.signalCode === null);
  const kill = async ({ child }: Node) => {
    child.kill('SIGKILL');
    await until(() => child.exitCode !== null || child.signalCode !== null);
  };
  const end = async (node: Node) => {
    node.redis.disconnect();
    await kill(node);
  };
  return {
    nodes,
    /** Of a node that lives. */
    get address() {
      return `redis://127.0.0.1:${(living()[0] ?? first).port}`;
    },
    async killMasterOf(key) {
      const [any] = living();
      const slot = Number(await any?.redis.cluster('KEYSLOT', key));
      const holder = async () => {
        const ranges = (await living()[0]?.redis.cluster('SLOTS')) ?? [];
        return ranges.find(([from, to]) => from <= slot && slot <= to)?.[2]?.[1];
      };
      const port = await holder();
      const node = nodes.find((one) => one.port === port);
      if (node) await end(node);
      await until(async () => ![undefined, port].includes(await holder()), 20_000);
    },
    async kill(port) {
      await Promise.all(
        living()
          .filter((node) => node.port === port)
          .map(end),
      );
    },
    async restart() {
      const all = living();
      await Promise.all(all.map(kill));
      for (const node of all) node.child = spawn(binary(), node.args, { stdio: 'ignore' });
      for (const node of all) await until(async () => (await stateOf(node)) === 'ok', 20_000);
    },
    async stop() {
      await Promise.all(living().map(end));
      rmSync(folder, { recursive: true });
    },
  };
}
