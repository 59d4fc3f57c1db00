import { Redis, type RedisOptions } from 'ioredis';
import { LaurelError } from '../core/errors.ts';
import { type Library, libraryPrefix, readLibrary, type ScriptName } from './scripts.ts';

export interface ConnectionEvents {
  /** Called for every connection error; they come in swarms while Redis is away. */
  error(error: Error): void;
}

/** Where Redis is: a URL (redis://, rediss://, unix://) or the path of a unix socket. */
export type RedisAddress = string;

/** How long a command may take, and up to a fifth more. */
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

interface UnderWay {
  /** In milliseconds of performance.now(). */
  readonly since: number;
  fail(error: Error): void;
}

/** A connection for commands and scripts. */
export class DataConnection {
  readonly redis: Redis;
  #runId: Promise<string> | null = null;
  /** Commands under way, oldest first: ioredis forgets those whose connection breaks. */
  readonly #underWay = new Set<UnderWay>();
  #watching = false;
  readonly #library: Library;
  #loading: Promise<unknown> | null = null;

  constructor(address: RedisAddress, events: ConnectionEvents, scriptFolder?: URL) {
    this.#library = readLibrary(scriptFolder);
    this.redis = open(address, { connectionName: 'laurel-data' }, events);
    this.redis.on('close', () => {
      this.#runId = null;
      for (const { fail } of this.#underWay) fail(new Error('the connection broke before the reply'));
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

  /** Runs a script: one round trip, unless Redis has to be given the scripts first. */
  async script(name: ScriptName, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const call = (redis: Redis) =>
      redis.fcall(this.#library.functionName(name), keys.length, ...(keys as string[]), ...args);
    try {
      return await this.command(call);
    } catch (error) {
      if (!isUnknownFunction(error)) throw error;
    }
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
    });
    await this.#loading;
    return this.command(call);
  }

  async #load(): Promise<void> {
    const { text } = this.#library;
    await this.command((redis) => redis.function('LOAD', 'REPLACE', text));
  }

  /** Drops the scripts of other versions. A process that still runs one of them gives them to Redis again. */
  async dropOtherScripts(): Promise<void> {
    const all = await this.command((redis) => redis.function('LIST', 'LIBRARYNAME', `${libraryPrefix}*`));
    const names = (all as unknown[][]).map((fields) => String(fields[1])).filter((name) => name !== this.#library.name);
    for (const name of names) await this.command((redis) => redis.function('DELETE', name)).catch(() => {});
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
      const fail = (error: Error) => {
        this.#underWay.delete(one);
        reject(error);
      };
      const one: UnderWay = { since: performance.now(), fail };
      this.#underWay.add(one);
      this.#watch();
      command.then((reply) => {
        this.#underWay.delete(one);
        resolve(reply);
      }, fail);
    });
  }

  /** Ends commands that get no reply. One timer for all: ioredis' commandTimeout, a timer each, costs more than a read. */
  #watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    const look = () => {
      this.#watching = false;
      for (const { since, fail } of this.#underWay) {
        if (performance.now() - since < commandTimeoutMs) break;
        fail(new Error(`no reply within ${commandTimeoutMs} ms`));
      }
      if (this.#underWay.size > 0) this.#watch();
    };
    setTimeout(look, commandTimeoutMs / 5).unref();
  }
}

const isUnknownFunction = (error: unknown) =>
  error instanceof Error && error.name === 'ReplyError' && error.message.includes('Function not found');

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
