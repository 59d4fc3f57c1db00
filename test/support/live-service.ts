import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findServer } from '../../src/redis/find-server.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

export const serviceKey = 'service-0123456789';

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

/** Laurel as a process of its own, that can be killed and started again at the same address. */
export class Service {
  readonly port: number;
  readonly #redisUrl: string;
  #child: ChildProcess | null = null;
  #output = '';

  constructor(redisUrl: string, port: number) {
    this.#redisUrl = redisUrl;
    this.port = port;
    onTestFinished(() => this.kill());
  }

  static async start(redisUrl: string): Promise<Service> {
    const service = new Service(redisUrl, await freePort());
    await service.start();
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get alive(): boolean {
    return this.#child !== null;
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
      cwd: join(import.meta.dirname, '../..'),
      env: {
        ...process.env,
        ...{ REDIS_URL: this.#redisUrl, PORT: String(this.port), HOST: '127.0.0.1' },
        ...{ ADMIN_API_KEY: serviceKey, LOG_LEVEL: 'error', NODE_ENV: 'production' },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        this.#output = (this.#output + data).slice(-10_000);
      });
    }
    await until(() => {
      if (child.exitCode !== null) throw new Error(`The service ended: ${this.#output}`);
      return this.#output.includes(this.url);
    }, 20_000);
    this.#child = child;
  }

  /** As a power cut would end it. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    child?.kill('SIGKILL');
    if (child) await ended(child);
  }
}

/** A Redis of the test's own, that can be killed and started again with what it had written. */
export class KillableRedis {
  readonly port: number;
  readonly #folder = mkdtempSync(join(tmpdir(), 'laurel-redis-'));
  #child: ChildProcess | null = null;

  constructor(port: number) {
    this.port = port;
    onTestFinished(async () => {
      await this.kill();
      rmSync(this.#folder, { recursive: true });
    });
  }

  static async start(): Promise<KillableRedis> {
    const redis = new KillableRedis(await freePort());
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const binary = findServer(process.env.PATH ?? '')?.binary;
    if (!binary) throw new Error('The tests need redis-server 7.0 or newer: `npm test` installs it.');
    const settings = {
      port: this.port,
      bind: '127.0.0.1',
      dir: this.#folder,
      appendonly: 'yes',
      appendfsync: 'always',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = spawn(binary, [...args, '--save', ''], { stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.on('data', (data) => {
      output += data;
    });
    await until(() => output.includes('Ready to accept connections'), 10_000);
    this.#child = child;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    child?.kill('SIGKILL');
    if (child) await ended(child);
  }
}
