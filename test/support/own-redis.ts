import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { findServer } from '../../src/redis/find-server.ts';
import { until } from './until.ts';

/** A Redis of the test's own, which it may kill: always at the same socket, with everything it had acknowledged. */
export class OwnRedis {
  readonly path: string;
  readonly #folder: string;
  #child: ChildProcess | null = null;

  constructor(folder: string) {
    this.#folder = folder;
    this.path = join(folder, 'redis.sock');
  }

  async start(): Promise<void> {
    const binary = findServer(process.env.PATH ?? '')?.binary ?? 'redis-server';
    const settings = {
      port: '0',
      unixsocket: this.path,
      dir: this.#folder,
      appendonly: 'yes',
      appendfsync: 'always',
      save: '',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    this.#child = spawn(binary, args, { stdio: 'ignore' });
    await until(() => this.#answers(), 10_000);
  }

  async #answers(): Promise<boolean> {
    const redis = new Redis(this.path, { lazyConnect: true, retryStrategy: () => null });
    redis.on('error', () => {});
    try {
      await redis.connect();
      return (await redis.ping()) === 'PONG';
    } catch {
      return false;
    } finally {
      redis.disconnect();
    }
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    const child = this.#child;
    child?.kill('SIGKILL');
    await until(() => !child || child.exitCode !== null || child.signalCode !== null);
  }

  /** Keeps it from answering, its connections as they are, until `goOn`. */
  halt(): void {
    this.#child?.kill('SIGSTOP');
  }

  goOn(): void {
    this.#child?.kill('SIGCONT');
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}

export async function startOwnRedis(): Promise<OwnRedis> {
  const redis = new OwnRedis(mkdtempSync(join(tmpdir(), 'laurel-own-')));
  onTestFinished(async () => {
    await redis.kill();
    redis.remove();
  });
  await redis.start();
  return redis;
}
