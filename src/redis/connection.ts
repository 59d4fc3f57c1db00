import { Redis, type RedisOptions } from 'ioredis';
import { LaurelError } from '../core/errors.ts';
import { type ScriptName, scriptNames, scriptText } from './scripts.ts';

export interface ConnectionEvents {
  /** Called for every connection error; they come in swarms while Redis is away. */
  error(error: Error): void;
}

/** Where Redis is: a URL (redis://, rediss://, unix://) or the path of a unix socket. */
export type RedisAddress = string;

const commandTimeoutMs = 5_000;

function open(address: RedisAddress, options: Omit<RedisOptions, 'replyMapping'>, events: ConnectionEvents): Redis {
  const redis = new Redis(address.replace(/^unix:\/\//, ''), {
    ...options,
    // resp3 replies lose the last digit of many doubles.
    replyMapping: 'legacy',
    // Fail at once while Redis is away rather than queue without bound.
    enableOfflineQueue: false,
    // A write whose answer was lost must not be sent again behind its caller's back.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: null,
    lazyConnect: true,
    connectTimeout: 3_000,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 5), 1_000),
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  redis.on('error', events.error);
  return redis;
}

/** A connection for pub/sub alone: what it listens to is put back by its owner, who must know when. */
export const openSubscriber = (address: RedisAddress, events: ConnectionEvents): Redis =>
  open(address, { autoResubscribe: false, connectionName: 'laurel-subscriber' }, events);

/** A connection for commands and scripts. */
export class DataConnection {
  readonly redis: Redis;
  #runId: Promise<string> | null = null;
  /** Commands under way: ioredis forgets those whose connection breaks, and they would only end by their time-out. */
  readonly #underWay = new Set<(error: Error) => void>();

  constructor(address: RedisAddress, events: ConnectionEvents, scriptFolder?: URL) {
    const scripts = scriptNames.map((name) => {
      return [name, { lua: scriptText(name, scriptFolder), readOnly: name === 'read' }] as const;
    });
    const options = { commandTimeout: commandTimeoutMs, connectionName: 'laurel-data' };
    this.redis = open(address, { ...options, scripts: Object.fromEntries(scripts) }, events);
    this.redis.on('close', () => {
      this.#runId = null;
      for (const fail of this.#underWay) fail(new Error('the connection broke before the reply'));
    });
  }

  async connect(): Promise<void> {
    await this.redis.connect();
    await this.runId();
  }

  /** The id of the Redis process behind this connection, asked once for each time it connects. */
  runId(): Promise<string> {
    this.#runId ??= this.command(async (redis) => {
      const id = /^run_id:(\w+)/m.exec(await redis.info('server'))?.[1];
      if (!id) throw new LaurelError('STORE_UNAVAILABLE', 'Redis does not say its run id.');
      return id;
    }).catch((error: unknown) => {
      this.#runId = null;
      throw error;
    });
    return this.#runId;
  }

  /** Runs a script: one round trip. */
  script(name: ScriptName, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return this.command((redis) => {
      const scripts = redis as unknown as Record<ScriptName, (...args: (string | number)[]) => Promise<unknown>>;
      return scripts[name](keys.length, ...keys, ...args);
    });
  }

  /** Runs commands, with failures of the connection turned into STORE_UNAVAILABLE. */
  async command<T>(run: (redis: Redis) => Promise<T>): Promise<T> {
    try {
      return await this.#untilBroken(run(this.redis));
    } catch (error) {
      throw unavailable(error) ?? error;
    }
  }

  #untilBroken<T>(command: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#underWay.add(reject);
      command.then(resolve, reject).finally(() => this.#underWay.delete(reject));
    });
  }
}

/** Replies that mean "not now", as opposed to "never": the rest are our own mistakes. */
const passingReplies =
  /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|OOM|BUSY|MISCONF|NOREPLICAS|NOAUTH|WRONGPASS)/;

function unavailable(error: unknown): LaurelError | null {
  if (!(error instanceof Error) || error instanceof LaurelError || error instanceof TypeError) return null;
  if (error.name === 'ReplyError' && !passingReplies.test(error.message)) return null;
  return new LaurelError('STORE_UNAVAILABLE', 'Redis cannot be reached just now; try again in a moment.', {
    reason: error.message,
  });
}
