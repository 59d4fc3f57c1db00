import { Cluster, type Redis } from 'ioredis';
import type { BoardListener } from '../core/events.ts';
import type { EventBus } from '../core/ports.ts';
import { channels } from './keys.ts';
import { decodeMessage } from './message.ts';
import { type Client, type ConnectionEvents, nameOf, openSubscriber, type RedisAddress } from './open.ts';
import { ShardedChannels } from './sharded-channels.ts';

/** Hears of changed definitions; `listening(false)` while it cannot. */
export interface DefinitionListener {
  forget(board: string): void;
  listening(on: boolean): void;
}

/** Redis pub/sub, with acknowledged subscriptions and a gap signal after every lost connection (rule L1). */
export class RedisEventBus implements EventBus {
  /** Hears of definitions, on any node of a Cluster; and of boards, where there is no Cluster. */
  readonly #redis: Redis;
  readonly #cluster: Cluster | null;
  /** In a Cluster boards have sharded channels: their messages go from the node that holds a board to who listens there. */
  readonly #sharded: ShardedChannels | null;
  readonly #definitions: DefinitionListener;
  readonly #listeners = new Map<string, Set<BoardListener>>();
  /** Whoever waits for an acknowledgement: ioredis forgets what it had sent when its connection breaks. */
  readonly #waiting = new Set<() => void>();

  constructor(address: RedisAddress, data: Client, definitions: DefinitionListener, events: ConnectionEvents) {
    this.#definitions = definitions;
    this.#redis = openSubscriber(address, events);
    this.#cluster = data instanceof Cluster ? data : null;
    this.#redis.on('message', (channel, text) => this.#hear(channel, text));
    this.#redis.on('close', () => {
      definitions.listening(false);
      for (const resolve of this.#waiting) resolve();
      this.#waiting.clear();
      this.#chooseNode();
    });
    this.#redis.on('ready', () => void this.#listen().catch(events.error));
    const heard = (channel: string, text: string) => this.#hear(channel, text);
    const placed = (channel: string) => this.#gap(boardOf(channel));
    this.#sharded = this.#cluster && new ShardedChannels(this.#cluster, heard, placed);
    // A node that left the Cluster may go on answering, and hears nothing.
    this.#cluster?.on('-node', (node: Redis) => {
      if (nameOf(node) === nameOf(this.#redis)) this.#redis.disconnect(true);
    });
  }

  async connect(): Promise<void> {
    await this.#redis.connect();
  }

  close(): void {
    this.#sharded?.close();
    this.#redis.disconnect();
  }

  /** Puts every subscription (back) in place; only then may anybody trust what they read before. */
  async #listen(): Promise<void> {
    const boards = this.#cluster ? [] : [...this.#listeners.keys()];
    await this.#redis.subscribe(channels.definitions, ...boards.map(channels.board));
    this.#definitions.listening(true);
    for (const board of boards) this.#gap(board);
  }

  /** The node that was listened to may be gone for good. */
  #chooseNode(): void {
    const nodes = this.#cluster?.nodes('master') ?? [];
    const node = nodes[Math.floor(Math.random() * nodes.length)];
    if (node) Object.assign(this.#redis.options, { host: node.options.host, port: node.options.port });
  }

  #gap(board: string): void {
    for (const listener of this.#listeners.get(board) ?? []) listener.gap();
  }

  #hear(channel: string, text: string): void {
    if (channel === channels.definitions) {
      this.#definitions.forget(text);
      return;
    }
    const events = decodeMessage(text);
    for (const listener of this.#listeners.get(boardOf(channel)) ?? []) {
      // What no script of ours wrote may hide anything.
      if (events) for (const event of events) listener.event(event);
      else listener.gap();
    }
  }

  async subscribe(board: string, listener: BoardListener): Promise<() => void> {
    const listeners = this.#listeners.get(board) ?? new Set();
    this.#listeners.set(board, listeners.add(listener));
    if (this.#sharded) await this.#sharded.subscribe(channels.board(board));
    // While Redis is away, #listen subscribes on return and tells of the gap.
    else if (this.#redis.status === 'ready') await this.#acknowledged(channels.board(board));
    return () => this.#unsubscribe(board, listener);
  }

  #acknowledged(channel: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
      const done = () => {
        this.#waiting.delete(resolve);
        resolve();
      };
      this.#redis.subscribe(channel).then(done, done);
    });
  }

  #unsubscribe(board: string, listener: BoardListener): void {
    const listeners = this.#listeners.get(board);
    if (!listeners?.delete(listener) || listeners.size > 0) return;
    this.#listeners.delete(board);
    const channel = channels.board(board);
    if (this.#sharded) this.#sharded.unsubscribe(channel);
    else if (this.#redis.status === 'ready') void this.#redis.unsubscribe(channel).catch(() => {});
  }
}

const boardOf = (channel: string) => channel.slice('lb:{'.length, -1);
