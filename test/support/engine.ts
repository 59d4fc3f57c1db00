import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findServer } from '../../src/redis/find-server.ts';
import { startPrivateServer } from '../../src/redis/private-server.ts';

/** A Redis, or what speaks like one, that one suite has to itself. */
export interface Engine {
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts the Redis of this machine, with more in its environment. */
export async function startEngine(environment: Readonly<Record<string, string>> = {}): Promise<Engine> {
  const server = findServer(process.env.PATH ?? '');
  if (server === null) throw new Error('The tests need redis-server 7.0 or newer: `npm test` installs it.');
  const dataDir = mkdtempSync(join(tmpdir(), 'laurel-engine-'));
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, environment);
  try {
    const { socketPath, stop } = await startPrivateServer({ binary: server.binary, dataDir });
    return {
      address: socketPath,
      async stop() {
        await stop();
        rmSync(dataDir, { recursive: true });
      },
    };
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

const localeName = 'en_US.UTF-8';

/**
 * The environment in which a process compares texts as in US English. Where the system has no such locale it is
 * compiled into `folder`; null where it cannot be: without its source, or a C library that collates at all.
 */
export function collatingEnvironment(folder: string): Readonly<Record<string, string>> | null {
  const installed = spawnSync('locale', ['-a'], { encoding: 'utf8' }).stdout ?? '';
  if (/^en_US\.utf-?8$/im.test(installed)) return { LC_ALL: localeName };
  spawnSync('localedef', ['-i', 'en_US', '-f', 'UTF-8', join(folder, localeName)]);
  return existsSync(join(folder, localeName, 'LC_COLLATE')) ? { LC_ALL: localeName, LOCPATH: folder } : null;
}
