import { DataConnection } from './connection.ts';
import { RedisDefinitions } from './definitions.ts';
import { RedisEntries } from './entries.ts';
import { RedisEventBus } from './event-bus.ts';
import { RedisEventLog } from './event-log.ts';
import { type RedisAddress, withDeadline } from './open.ts';
import { RedisPeriods } from './periods.ts';
import { RedisProfiles } from './profiles.ts';

/** What Redis tells of its connections. */
export interface StoreLog {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** The oldest Redis whose commands Laurel relies on. */
const oldestMajor = 7;

/** Connects, checks, and puts the parts of the store together. Throws within seconds where that is impossible. */
export async function openRedis(address: RedisAddress, log: StoreLog, failed: () => void) {
  const report = logOncePerOutage(log, failed);
  const connection = await DataConnection.open(address, report).catch(unusable);
  connection.redis.on('ready', report.ready);
  const definitions = new RedisDefinitions(connection);
  const bus = new RedisEventBus(address, connection.redis, definitions, report);
  const close = async () => {
    bus.close();
    await connection.command((redis) => redis.quit()).catch(() => connection.redis.disconnect());
  };
  try {
    await withDeadline(bus.connect());
    await checkVersion(connection);
    await connection.prepareScripts();
  } catch (error) {
    bus.close();
    connection.redis.disconnect();
    unusable(error);
  }
  const up = () => connection.redis.status === 'ready';
  return {
    definitions,
    entries: new RedisEntries(connection),
    periods: new RedisPeriods(connection),
    profiles: new RedisProfiles(connection),
    bus,
    log: new RedisEventLog(connection),
    up,
    /** Whether commands are answered. */
    ready: async () => up() && (await connection.ofAny((redis) => redis.ping())) === 'PONG',
    close,
  };
}

function unusable(error: unknown): never {
  throw new Error(`Redis cannot be used: ${error instanceof Error ? error.message : error}`);
}

async function checkVersion(connection: DataConnection): Promise<void> {
  const info = await connection.ofAny((redis) => redis.info('server'));
  // Valkey gives the Redis version it is compatible with under the same name.
  const version = /^redis_version:([\d.]+)/m.exec(info)?.[1] ?? '0';
  if (Number.parseInt(version, 10) < oldestMajor) {
    throw new Error(`it is version ${version}; Laurel needs ${oldestMajor}.0 or newer`);
  }
}

/** Connection errors come in swarms: one line when Redis goes away, one when it is back. */
function logOncePerOutage(log: StoreLog, failed: () => void) {
  let out = false;
  return {
    error: (error: Error) => {
      failed();
      if (!out) log.warn({ reason: error.message }, 'Redis cannot be reached');
      out = true;
    },
    ready: () => {
      if (out) log.info({}, 'Redis is back');
      out = false;
    },
  };
}
