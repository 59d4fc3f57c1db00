import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { freePort } from '../../test/support/free-port.ts';

export const adminKey = 'bench-0123456789abcdef';

/** Ticks of the kernel's clock in a second, as Linux has it. */
const ticksPerSecond = 100;

/** A process that is measured. */
export class Measured {
  readonly child: ChildProcess;
  readonly port: number;

  constructor(child: ChildProcess, port: number) {
    this.child = child;
    this.port = port;
  }

  static async start(
    args: readonly string[],
    port: number,
    sign: string,
    env: NodeJS.ProcessEnv = {},
  ): Promise<Measured> {
    const [command = '', ...rest] = args;
    const child = spawn(command, rest, {
      env: { ...process.env, NODE_ENV: 'production', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise<void>((resolve, reject) => {
      let output = '';
      child.stdout?.on('data', (data) => {
        output += data;
        if (output.includes(sign)) resolve();
      });
      child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}: ${output}`)));
    });
    return new Measured(child, port);
  }

  /** Seconds of CPU used so far, user and system. */
  cpu(): number {
    const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8');
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return (user + system) / ticksPerSecond;
  }

  /** Resident bytes. */
  memory(): number {
    return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8'))?.[1]);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }
}

/** What this was compiled from is beside it, compiled too: as users run it. */
const program = (path: string) => [process.execPath, new URL(path, import.meta.url).pathname];

export async function startRedis(): Promise<Measured> {
  const port = await freePort();
  return Measured.start(['redis-server', '--port', `${port}`, '--save', ''], port, 'Ready to accept');
}

export async function startLaurel(redis: Measured): Promise<Measured> {
  const port = await freePort();
  const env = {
    PORT: `${port}`,
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    ADMIN_API_KEY: adminKey,
    LOG_LEVEL: 'error',
  };
  return Measured.start(program('../../src/main.js'), port, 'GraphiQL', env);
}

export async function startStock(redis: Measured): Promise<Measured> {
  const port = await freePort();
  return Measured.start([...program('stock-server.js'), `redis://127.0.0.1:${redis.port}`, `${port}`], port, 'ready');
}

export async function startBare(): Promise<Measured> {
  const port = await freePort();
  return Measured.start([...program('bare-server.js'), `${port}`], port, 'ready');
}

/** Sends an operation, and fails where it failed. */
export async function post(port: number, query: string, variables: object = {}): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${adminKey}` },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  if (!response.ok || text.includes('"errors"')) throw new Error(text.slice(0, 500));
}

export const quantile = (values: readonly number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? Number.NaN;
