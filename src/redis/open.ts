import calculateSlot from 'cluster-key-slot';
import { Cluster, Redis, type RedisOptions } from 'ioredis';

export interface ConnectionEvents {
  /** Called for every connection error; they come in swarms while Redis is away. */
  error(error: Error): void;
}

/** Where Redis is: a URL (redis://, rediss://, unix://) or the path of a unix socket. Of a Cluster, any of its nodes. */
export type RedisAddress = string;

/** One Redis, or a Cluster. */
export type Client = Redis | Cluster;

/** How long Redis may take to answer. */
export const replyTimeoutMs = 5_000;

const retryStrategy = (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 5), 1_000);

/** Of every connection. */
export const common = {
  // resp3 replies lose the last digit of many doubles.
  replyMapping: 'legacy',
  // A write whose answer was lost must not be sent again behind its caller's back.
  autoResendUnfulfilledCommands: false,
  connectTimeout: 3_000,
} as const;

function open(address: RedisAddress, options: RedisOptions, events: ConnectionEvents): Redis {
  const redis = new Redis(address.replace(/^unix:\/\//, ''), {
    ...options,
    ...common,
    // Fail at once while Redis is away rather than queue without bound.
    enableOfflineQueue: false,
    maxRetriesPerRequest: null,
    lazyConnect: true,
    retryStrategy,
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  redis.on('error', events.error);
  breakSilence(redis);
  return redis;
}

/** Whoever takes a connection and then does not answer may not be Redis any more: another try may find it. */
function breakSilence(redis: Redis): void {
  let timer: NodeJS.Timeout | undefined;
  redis.on('connect', () => {
    clearTimeout(timer);
    timer = setTimeout(() => redis.disconnect(true), replyTimeoutMs).unref();
  });
  for (const event of ['ready', 'close']) redis.on(event, () => clearTimeout(timer));
}

/** A connection for pub/sub alone: what it listens to is put back by its owner, who must know when. */
export const openSubscriber = (address: RedisAddress, events: ConnectionEvents): Redis =>
  open(address, { autoResubscribe: false, connectionName: 'laurel-subscriber' }, events);

/** Connects for commands and scripts: to the one Redis there, or where that is a node of a Cluster, to all of them. */
export async function openClient(address: RedisAddress, events: ConnectionEvents): Promise<Client> {
  const redis = open(address, { connectionName: 'laurel-data' }, events);
  try {
    await withDeadline(redis.connect());
    if (!/^cluster_enabled:1/m.test(await redis.info('cluster'))) return redis;
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  const { host, port, username, password, tls } = redis.options;
  redis.disconnect();
  // Where to begin after the loss of all connections: the nodes that were ever seen, for the first one may be gone.
  const seeds: { host?: string | undefined; port?: number | undefined }[] = [{ host, port }];
  const cluster = new Cluster(seeds, {
    redisOptions: { ...common, username, password, tls, connectionName: 'laurel-data', commandTimeout: replyTimeoutMs },
    enableOfflineQueue: false,
    // It would ask any one node, which may be the one that is away.
    enableReadyCheck: false,
    lazyConnect: true,
    clusterRetryStrategy: retryStrategy,
    // What was under way when a node broke off fails, for it may have been done.
    retryDelayOnFailover: 0,
    slotsRefreshInterval: 1_000,
  });
  cluster.on('error', events.error);
  cluster.on('+node', ({ options }: Redis) => {
    if (!seeds.some((seed) => seed.host === options.host && seed.port === options.port)) {
      seeds.push({ host: options.host, port: options.port });
    }
  });
  cluster.on('+node', (node: Redis) => {
    // While a slot moves ioredis asks the node it goes to, and leaves the answer to nobody: a refusal would end the process.
    const asking = node.asking.bind(node);
    node.asking = () => {
      const asked = asking();
      asked.catch(() => {});
      return asked;
    };
  });
  try {
    await withDeadline(cluster.connect());
  } catch (error) {
    cluster.disconnect();
    throw error;
  }
  return cluster;
}

/** What ioredis calls a node of a Cluster. */
export const nameOf = ({ options }: Redis): string => `${options.host}:${options.port}`;

/** The master that holds a key, or where a channel belongs, as far as is known now. */
export function masterOf(cluster: Cluster, key: string): Redis | undefined {
  const name = cluster.slots[calculateSlot(key)]?.[0];
  return cluster.nodes('master').find((node) => nameOf(node) === name);
}

/** How long the first connection may take. */
const connectTimeoutMs = 5_000;

export async function withDeadline<T>(connecting: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${connectTimeoutMs} ms`)), connectTimeoutMs);
  });
  try {
    return await Promise.race([connecting, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
