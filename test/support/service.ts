import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { adminKey } from './app.ts';
import { Api } from './graphql-client.ts';
import { until } from './until.ts';

export interface Service {
  readonly url: string;
  readonly api: Api;
  /** Everything it wrote, on both streams. */
  output(): string;
  signal(signal: NodeJS.Signals): void;
  /** How it ended, once it has. */
  exited(timeoutMs?: number): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const main = join(import.meta.dirname, '../../src/main.ts');

/** Starts src/main.ts as a process of its own; `url` is empty until it serves. It is ended with the test. */
export function spawnService(env: Readonly<Record<string, string>> = {}): Service & { child: ChildProcess } {
  const child = spawn(process.execPath, ['--import', 'tsx', main], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      REDIS_URL: `unix://${inject('redisUrl')}`,
      ADMIN_API_KEY: adminKey,
      LOG_LEVEL: 'debug',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  const over = () => child.exitCode !== null || child.signalCode !== null;
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await until(over);
  });
  const service = {
    child,
    output: () => output,
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    exited: async (timeoutMs = 10_000) => {
      await until(over, timeoutMs);
      return { code: child.exitCode, signal: child.signalCode };
    },
    get url() {
      return /(http:\/\/\S+)\/graphql/.exec(output)?.[1] ?? '';
    },
    get api() {
      return new Api(service.url, adminKey);
    },
  };
  return service;
}

/** A process that serves. */
export async function startService(env: Readonly<Record<string, string>> = {}): Promise<Service> {
  const service = spawnService(env);
  await until(() => service.url !== '' || service.child.exitCode !== null, 20_000);
  if (service.url === '') throw new Error(`The service did not start: ${service.output()}`);
  return service;
}
