import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { readCommands } from './resp.ts';

/** Commands that were sent before any of them was answered: one round trip. */
type Burst = string[];

interface Pair {
  readonly client: Socket;
  readonly redis: Socket;
  readonly held: Buffer[];
  subscribes: boolean;
}

/** Stands between Laurel and Redis: counts round trips, and loses what it is told to lose. */
export class RedisProxy {
  readonly path: string;
  /** Round trips of the data connections since the last `reset`. */
  trips: Burst[] = [];
  #holding = false;
  #refusing = false;
  readonly #pairs = new Set<Pair>();

  constructor(path: string) {
    this.path = path;
  }

  reset(): void {
    this.trips = [];
  }

  /** Keeps every reply back until the connections are cut. Commands still reach Redis. */
  holdReplies(): void {
    this.#holding = true;
  }

  /** Hands over what was kept back. */
  releaseReplies(): void {
    this.#holding = false;
    for (const { client, held } of this.#pairs) for (const chunk of held.splice(0)) client.write(chunk);
  }

  /** How many connections have a reply that is kept back. */
  heldReplies(): number {
    return [...this.#pairs].filter(({ held }) => held.length > 0).length;
  }

  /** Breaks every connection, with what was kept back; new ones work. */
  cut(): void {
    this.#holding = false;
    for (const { client, redis } of this.#pairs) {
      client.destroy();
      redis.destroy();
    }
  }

  /** Breaks the connections that hear messages, and no others. */
  cutSubscribers(): void {
    for (const { client, subscribes } of this.#pairs) if (subscribes) client.destroy();
  }

  /** Is gone, as a Redis that was stopped, until `accept`. */
  refuse(): void {
    this.#refusing = true;
    this.cut();
  }

  accept(): void {
    this.#refusing = false;
  }

  connect(client: Socket, target: string): void {
    if (this.#refusing) {
      client.destroy();
      return;
    }
    const redis = createConnection(target);
    const pair: Pair = { client, redis, held: [], subscribes: false };
    this.#pairs.add(pair);
    let answered = true;
    const names = readCommands((name) => {
      // A connection that subscribes is no data connection: its messages are no answers.
      if (name === 'subscribe') pair.subscribes = true;
      if (['subscribe', 'unsubscribe', 'client'].includes(name)) return;
      if (answered) this.trips.push([]);
      answered = false;
      this.trips.at(-1)?.push(name);
    });
    client.on('data', (chunk: Buffer) => {
      names(chunk);
      redis.write(chunk);
    });
    redis.on('data', (chunk: Buffer) => {
      answered = true;
      if (this.#holding) pair.held.push(chunk);
      else client.write(chunk);
    });
    const close = () => {
      this.#pairs.delete(pair);
      client.destroy();
      redis.destroy();
    };
    for (const socket of [client, redis]) socket.on('close', close).on('error', close);
  }
}

/** A proxy before the run's Redis, until the test is finished. */
export async function startRedisProxy(target: string = inject('redisUrl')): Promise<RedisProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'laurel-proxy-'));
  const proxy = new RedisProxy(join(folder, 'redis.sock'));
  const server = createServer((client) => proxy.connect(client, target));
  onTestFinished(() => {
    proxy.cut();
    server.close();
    rmSync(folder, { recursive: true });
  });
  await new Promise<void>((resolve) => server.listen(proxy.path, resolve));
  return proxy;
}
