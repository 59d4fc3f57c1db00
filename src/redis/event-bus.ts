import type { Redis } from 'ioredis';
import type { BoardListener } from '../core/events.ts';
import type { EventBus } from '../core/ports.ts';
import { type ConnectionEvents, openSubscriber, type RedisAddress } from './connection.ts';
import { channels } from './keys.ts';
import { decodeMessage } from './message.ts';

/** Hears of changed definitions; `listening(false)` while it cannot. */
export interface DefinitionListener {
  forget(board: string): void;
  listening(on: boolean): void;
}

/** Redis pub/sub, with acknowledged subscriptions and a gap signal after every lost connection (rule L1). */
export class RedisEventBus implements EventBus {
  readonly #redis: Redis;
  readonly #definitions: DefinitionListener;
  readonly #listeners = new Map<string, Set<BoardListener>>();
  /** Whoever waits for an acknowledgement: ioredis forgets what it had sent when its connection breaks. */
  readonly #waiting = new Set<() => void>();

  constructor(address: RedisAddress, definitions: DefinitionListener, events: ConnectionEvents) {
    this.#definitions = definitions;
    this.#redis = openSubscriber(address, events);
    this.#redis.on('message', (channel, text) => this.#hear(channel, text));
    this.#redis.on('close', () => {
      definitions.listening(false);
      for (const resolve of this.#waiting) resolve();
      this.#waiting.clear();
    });
    this.#redis.on('ready', () => void this.#listen().catch(events.error));
  }

  async connect(): Promise<void> {
    await this.#redis.connect();
  }

  close(): void {
    this.#redis.disconnect();
  }

  /** Puts every subscription (back) in place; only then may anybody trust what they read before. */
  async #listen(): Promise<void> {
    await this.#redis.subscribe(channels.definitions, ...[...this.#listeners.keys()].map(channels.board));
    this.#definitions.listening(true);
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener.gap();
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
    // While Redis is away, #listen subscribes on return and tells of the gap.
    if (this.#redis.status === 'ready') await this.#acknowledged(channels.board(board));
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
    if (this.#redis.status === 'ready') void this.#redis.unsubscribe(channels.board(board)).catch(() => {});
  }
}

const boardOf = (channel: string) => channel.slice('lb:{'.length, -1);
