import { Redis } from 'ioredis';
import { LaurelError } from '../core/errors.ts';
import { type Client, type ConnectionEvents, masterOf, openClient, type RedisAddress, replyTimeoutMs } from './open.ts';
import { type Library, libraryPrefix, readLibrary, type ScriptName } from './scripts.ts';

const looksPerTimeout = 5;

/** Another process may drop the scripts just after they were given. */
const mostTries = 3;

interface UnderWay {
  /** How often it had been looked for silence then. */
  readonly since: number;
  fail(error: unknown): void;
}

/** A connection for commands and scripts: to one Redis, or to all nodes of a Cluster. */
export class DataConnection {
  readonly redis: Client;
  readonly #runIds = new WeakMap<Redis, string | Promise<string>>();
  /** Commands under way, oldest first: ioredis forgets those whose connection breaks. */
  readonly #underWay = new Set<UnderWay>();
  #watching = false;
  #looks = 0;
  readonly #library: Library;
  #loading: Promise<unknown> | null = null;

  private constructor(client: Client, library: Library) {
    this.redis = client;
    this.#library = library;
    this.redis.on('close', () => {
      for (const { fail } of this.#underWay) fail(new Error('the connection broke before the reply'));
    });
  }

  static async open(address: RedisAddress, events: ConnectionEvents, scriptFolder?: URL): Promise<DataConnection> {
    const library = readLibrary(scriptFolder);
    return new DataConnection(await openClient(address, events), library);
  }

  /** How boards' messages are sent: in a Cluster by sharded channels. */
  get publish(): 'PUBLISH' | 'SPUBLISH' {
    return this.redis instanceof Redis ? 'PUBLISH' : 'SPUBLISH';
  }

  /** Every Redis that is written to. */
  #masters(): readonly Redis[] {
    return this.redis instanceof Redis ? [this.redis] : this.redis.nodes('master');
  }

  /** Of several, one that is away just now does not keep the others from it. */
  async #onMasters(run: (redis: Redis) => Promise<unknown>): Promise<void> {
    const done = await Promise.allSettled(this.#masters().map((redis) => this.command(() => run(redis))));
    const failed = done.filter((one) => one.status === 'rejected');
    if (failed.length === done.length) throw failed[0]?.reason ?? new Error('Redis has no masters');
  }

  /** What the first master says that answers: for what any of them knows. */
  ofAny<T>(run: (redis: Redis) => Promise<T>): Promise<T> {
    return this.command(() => Promise.any(this.#masters().map(run)));
  }

  /** The id of the Redis process that holds a key, asked once for each time it is connected to. */
  runId(key: string): string | Promise<string> {
    const master = this.redis instanceof Redis ? this.redis : masterOf(this.redis, key);
    if (!master) {
      const message = 'No node of the Redis Cluster holds this leaderboard just now.';
      return Promise.reject(new LaurelError('STORE_UNAVAILABLE', message));
    }
    const known = this.#runIds.get(master);
    if (known) return known;
    const asked = this.command(async () => {
      const id = /^run_id:(\w+)/m.exec(await master.info('server'))?.[1];
      if (!id) throw new LaurelError('STORE_UNAVAILABLE', 'Redis does not say its run id.');
      return id;
    });
    const forget = () => {
      this.#runIds.delete(master);
      master.off('close', forget);
    };
    this.#runIds.set(master, asked);
    master.once('close', forget);
    // Once it is known, who asks does not wait a turn.
    const keep = (id: string) => {
      if (this.#runIds.get(master) === asked) this.#runIds.set(master, id);
    };
    asked.then(keep, forget);
    return asked;
  }

  /** Runs a script, and answers what `read` makes of its reply: one round trip, unless Redis has to be given the scripts first. */
  script<T>(
    name: ScriptName,
    keys: readonly string[],
    args: readonly (string | number)[],
    read: (reply: unknown) => T,
  ): Promise<T> {
    return this.#call([this.#library.functions[name], keys.length, ...keys, ...args], read, mostTries);
  }

  #call<T>(call: (string | number)[], read: (reply: unknown) => T, tries: number): Promise<T> {
    return this.command(
      (redis) => redis.call('fcall', call),
      read,
      (error) => {
        if (!isUnknownFunction(error)) throw error;
        if (tries === 1) {
          throw new LaurelError(
            'STORE_UNAVAILABLE',
            'Redis does not keep the scripts that it is given; try again in a moment.',
          );
        }
        this.#loading ??= this.#load().finally(() => {
          this.#loading = null;
        });
        return this.#loading.then(() => this.#call(call, read, tries - 1));
      },
    );
  }

  async #load(): Promise<void> {
    const { text } = this.#library;
    await this.#onMasters((redis) => redis.function('LOAD', 'REPLACE', text));
  }

  /**
   * Gives Redis the scripts and drops those of other versions, in this order: what cannot take the one keeps the other.
   * A process that still runs one of those gives them to Redis again.
   */
  async prepareScripts(): Promise<void> {
    await this.#onMasters((redis) => this.#prepare(redis));
  }

  async #prepare(redis: Redis): Promise<void> {
    const { name, text } = this.#library;
    const all = (await redis.function('LIST', 'LIBRARYNAME', `${libraryPrefix}*`)) as unknown[][];
    const names = all.map((fields) => String(fields[1]));
    if (!names.includes(name)) {
      // Out of memory, Redis takes none; what is there can still be read.
      const loaded = await redis.function('LOAD', 'REPLACE', text).catch(() => null);
      if (loaded === null) return;
    }
    for (const other of names) if (other !== name) await redis.function('DELETE', other).catch(() => {});
  }

  /**
   * Runs commands and answers what `read` makes of the reply; failures of the connection are STORE_UNAVAILABLE, and all
   * go through `mend`. By callbacks, for each promise on the way is time that a reader waits.
   */
  command<T>(run: (redis: Client) => Promise<T>): Promise<T>;
  command<Reply, T>(
    run: (redis: Client) => Promise<Reply>,
    read: (reply: Reply) => T,
    mend: (error: unknown) => Promise<T>,
  ): Promise<T>;
  command(
    run: (redis: Client) => Promise<unknown>,
    read: (reply: unknown) => unknown = asItIs,
    mend: (error: unknown) => unknown = fail,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const settle = (make: (given: unknown) => unknown, given: unknown) => {
        // A reply that comes after its end is nobody's: above all, nothing is mended that was said to have failed.
        if (!this.#underWay.delete(one)) return;
        try {
          resolve(make(given));
        } catch (error) {
          reject(error);
        }
      };
      const one: UnderWay = {
        since: this.#looks,
        fail: (error) => settle(mend, unavailable(error) ?? error),
      };
      const command = run(this.redis);
      this.#underWay.add(one);
      this.#watch();
      command.then((reply) => settle(read, reply), one.fail);
    });
  }

  /**
   * Ends commands that get no reply. One timer for all, and no clock: ioredis' commandTimeout, a timer each, costs more
   * than a read.
   */
  #watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    const look = () => {
      this.#watching = false;
      this.#looks += 1;
      for (const { since, fail } of this.#underWay) {
        if (this.#looks - since <= looksPerTimeout) break;
        fail(new Error(`no reply within ${replyTimeoutMs} ms`));
      }
      if (this.#underWay.size > 0) this.#watch();
    };
    setTimeout(look, replyTimeoutMs / looksPerTimeout).unref();
  }
}

const asItIs = (reply: unknown) => reply;

const fail = (error: unknown): never => {
  throw error;
};

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
