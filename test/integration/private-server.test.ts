import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findServer } from '../../src/redis/find-server.ts';
import { type PrivateServer, startPrivateServer } from '../../src/redis/private-server.ts';
import { processesOfGroup } from '../support/processes.ts';
import { until } from '../support/until.ts';

const binary = findServer(process.env.PATH ?? '')?.binary ?? '';
const ownerScript = join(import.meta.dirname, '../support/private-server-owner.ts');
let dataDir = '';

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'laurel data '));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

async function start(): Promise<PrivateServer> {
  const server = await startPrivateServer({ binary, dataDir });
  onTestFinished(() => server.stop());
  return server;
}

/** Another process in Laurel's place, in a process group of its own; `says` is its first line. */
async function startOwner(): Promise<{ owner: ChildProcess; says: string; lines: string[] }> {
  const owner = spawn(process.execPath, ['--import', 'tsx', ownerScript, binary, dataDir], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    owner.kill('SIGKILL');
    await ended(owner);
  });
  const lines: string[] = [];
  createInterface({ input: owner.stdout }).on('line', (line) => lines.push(line));
  const says = await until(() => lines[0], 20_000);
  return { owner, says, lines };
}

function ended(child: ChildProcess): Promise<unknown> {
  return until(() => child.exitCode !== null || child.signalCode !== null);
}

/** Redis leads the process group that it shares with its watcher. */
async function withRedis<T>(socketPath: string, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(socketPath, { retryStrategy: () => null });
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

async function processIdOf(socketPath: string): Promise<number> {
  const info = await withRedis(socketPath, (redis) => redis.info('server'));
  return Number(/process_id:(\d+)/.exec(info)?.[1]);
}

function socketPathIn(says: string): string {
  expect(says).toMatch(/^started /);
  return says.slice('started '.length);
}

describe('a private server', () => {
  test('listens on a socket that only this user reaches, and on no port', async () => {
    const { socketPath } = await start();
    expect(statSync(dirname(socketPath)).mode & 0o777).toBe(0o700);
    const [, port] = await withRedis(socketPath, (redis) => redis.config('GET', 'port') as Promise<string[]>);
    expect(port).toBe('0');
  });

  test('keeps what was written across a restart', async () => {
    const first = await start();
    await withRedis(first.socketPath, (redis) => redis.zadd('board', 12, 'u:1'));
    await first.stop();
    const second = await start();
    expect(await withRedis(second.socketPath, (redis) => redis.zscore('board', 'u:1'))).toBe('12');
  });

  test('stops leaving no process and no socket, and may be stopped twice', async () => {
    const server = await start();
    const group = await processIdOf(server.socketPath);
    expect(processesOfGroup(group)).toContain(group);
    await Promise.all([server.stop(), server.stop()]);
    await until(() => processesOfGroup(group).length === 0);
    expect(existsSync(dirname(server.socketPath))).toBe(false);
  });

  test('says why it ended when it was not asked to', async () => {
    const server = await start();
    process.kill(await processIdOf(server.socketPath), 'SIGKILL');
    expect(await server.exited).toContain('ended with SIGKILL');
  });

  test('is not left behind when Laurel is killed', async () => {
    const { owner, says } = await startOwner();
    const socketPath = socketPathIn(says);
    const group = await processIdOf(socketPath);
    owner.kill('SIGKILL');
    await until(() => processesOfGroup(group).length === 0);
    expect(existsSync(dirname(socketPath))).toBe(false);
  });

  test('outlasts a Ctrl-C that Laurel is still draining on, and is gone after the SIGTERM', async () => {
    const { owner, says, lines } = await startOwner();
    const socketPath = socketPathIn(says);
    const group = await processIdOf(socketPath);
    process.kill(-(owner.pid ?? Number.NaN), 'SIGINT');
    await until(() => lines.includes('interrupted'));
    // A Redis that got the signal ends within a tenth of a second.
    await withRedis(socketPath, async (redis) => {
      const secondNow = async () => Number((await redis.time())[0]);
      const interruptedAt = await secondNow();
      await until(async () => (await secondNow()) > interruptedAt + 1);
    });
    owner.kill('SIGTERM');
    await ended(owner);
    expect(owner.exitCode).toBe(0);
    await until(() => processesOfGroup(group).length === 0);
  });
});

describe('a data directory', () => {
  test('is refused to a second Laurel while the first one runs', async () => {
    const first = await start();
    const { says } = await startOwner();
    expect(says).toBe(
      `refused ${dataDir} is in use by another Laurel (process ${process.pid}). Stop that one, or set DATA_DIR to a directory of its own for this one.`,
    );
    expect(await withRedis(first.socketPath, (redis) => redis.ping())).toBe('PONG');
  });

  test('goes to exactly one of those that race for it, and the others leave nothing behind', async () => {
    const temporary = join(dataDir, 'tmp');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, start));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readdirSync(temporary)).toHaveLength(1);
  });

  test('is taken over, with its data, from a Laurel that was killed', async () => {
    const { owner, says } = await startOwner();
    await withRedis(socketPathIn(says), (redis) => redis.set('kept', 'yes'));
    owner.kill('SIGKILL');
    await ended(owner);
    // At once: the old server may still be writing.
    const successor = await start();
    expect(await withRedis(successor.socketPath, (redis) => redis.get('kept'))).toBe('yes');
  });

  test('is free again after a start that failed', async () => {
    const broken = join(dataDir, 'redis-server');
    writeFileSync(broken, '#!/bin/sh\necho "cannot allocate" >&2\nexit 3\n', { mode: 0o755 });
    const failure = await startPrivateServer({ binary: broken, dataDir }).catch((error: Error) => error.message);
    expect(failure).toBe(`The private Redis did not start: ${broken} ended with code 3\n  cannot allocate`);
    await start();
  });
});
