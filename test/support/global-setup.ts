import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findServer } from '../../src/redis/find-server.ts';
import { startPrivateServer } from '../../src/redis/private-server.ts';

/** One Redis for the whole run, never one that REDIS_URL names: that one holds somebody's data. */
export default async function startRedis(project: TestProject): Promise<() => Promise<void>> {
  const server = findServer(process.env.PATH ?? '');
  if (server === null) throw new Error('The tests need redis-server 7.0 or newer: `npm test` installs it.');
  const dataDir = mkdtempSync(join(tmpdir(), 'laurel-test-'));
  const redis = await startPrivateServer({ binary: server.binary, dataDir });
  project.provide('redisUrl', redis.socketPath);
  return async () => {
    await redis.stop();
    rmSync(dataDir, { recursive: true });
  };
}
