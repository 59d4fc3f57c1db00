import { type Cluster, Redis } from 'ioredis';
import { common, masterOf, nameOf } from './open.ts';

/** So often it is looked whether every channel is where it should be. */
const lookMs = 500;

/**
 * Sharded channels of a Cluster, each on a connection to the master that holds its slot now. Looking at what is and
 * should be, again and again, finds lost connections, moved slots and new masters alike.
 */
export class ShardedChannels {
  readonly #cluster: Cluster;
  readonly #heard: (channel: string, text: string) => void;
  readonly #placed: (channel: string) => void;
  readonly #nodes = new Map<string, Redis>();
  /** Where each channel is subscribed to; null: nowhere yet. */
  readonly #channels = new Map<string, Redis | null>();
  readonly #timer: NodeJS.Timeout;

  /** `placed` is called when a channel is heard again that was not for a while. */
  constructor(cluster: Cluster, heard: (channel: string, text: string) => void, placed: (channel: string) => void) {
    this.#cluster = cluster;
    this.#heard = heard;
    this.#placed = placed;
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    for (const redis of this.#nodes.values()) redis.disconnect();
  }

  /** Resolves once the node has acknowledged it; where that is away, it is tried for as long as somebody listens. */
  async subscribe(channel: string): Promise<void> {
    if (!this.#channels.has(channel)) this.#channels.set(channel, null);
    await this.#place(channel);
  }

  unsubscribe(channel: string): void {
    const redis = this.#channels.get(channel);
    this.#channels.delete(channel);
    redis?.sunsubscribe(channel).catch(() => {});
  }

  #look(): void {
    for (const channel of this.#channels.keys()) {
      void this.#place(channel).then((placed) => {
        if (placed) this.#placed(channel);
      });
    }
  }

  /** Whether it was put where it should be. */
  async #place(channel: string): Promise<boolean> {
    const redis = this.#nodeOf(channel);
    const before = this.#channels.get(channel);
    if (!redis || before === redis) return false;
    try {
      await redis.ssubscribe(channel);
    } catch {
      return false;
    }
    if (this.#nodes.get(nameOf(redis)) !== redis || this.#channels.get(channel) === redis) return false;
    if (!this.#channels.has(channel)) {
      redis.sunsubscribe(channel).catch(() => {});
      return false;
    }
    this.#channels.set(channel, redis);
    before?.sunsubscribe(channel).catch(() => {});
    return true;
  }

  #nodeOf(channel: string): Redis | undefined {
    const master = masterOf(this.#cluster, channel);
    return master && (this.#nodes.get(nameOf(master)) ?? this.#connect(nameOf(master), master));
  }

  #connect(name: string, { options }: Redis): Redis {
    const { host, port, username, password, tls } = options;
    const redis = new Redis({
      ...common,
      ...(host !== undefined && { host }),
      ...(port !== undefined && { port }),
      ...(username && { username }),
      ...(password && { password }),
      ...(tls && { tls }),
      connectionName: 'laurel-subscriber',
      // A lost connection is another one: what it heard is subscribed to anew.
      retryStrategy: null,
    });
    const lost = () => {
      for (const [channel, where] of this.#channels) if (where === redis) this.#channels.set(channel, null);
    };
    redis.on('error', () => {});
    redis.on('smessage', (channel: string, text: string) => this.#heard(channel, text));
    // Its slot went to another node, and its subscription with it.
    redis.on('moved', lost);
    redis.on('end', () => {
      if (this.#nodes.get(name) === redis) this.#nodes.delete(name);
      lost();
    });
    this.#nodes.set(name, redis);
    return redis;
  }
}
