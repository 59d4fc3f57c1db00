import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface ServerBinary {
  readonly binary: string;
  readonly version: string;
}

/** @public scripts/ensure-redis.mjs imports it from dist. */
export const minimumMajorVersion = 7;

/**
 * Every redis-server and valkey-server on a PATH, in its order, too old ones included.
 *
 * @public scripts/ensure-redis.mjs imports it from dist.
 */
export function findServers(pathVariable: string): ServerBinary[] {
  const found: ServerBinary[] = [];
  for (const directory of pathVariable.split(delimiter).filter((part) => part !== '')) {
    for (const name of ['redis-server', 'valkey-server']) {
      const binary = join(directory, name);
      const version = isExecutable(binary) ? versionOf(binary) : null;
      if (version !== null) found.push({ binary, version });
    }
  }
  return found;
}

/** The first server on a PATH that is recent enough, or null. */
export function findServer(pathVariable: string): ServerBinary | null {
  return findServers(pathVariable).find(({ version }) => Number.parseInt(version, 10) >= minimumMajorVersion) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function versionOf(binary: string): string | null {
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8', timeout: 5000 });
  return /\bv=(\d+(?:\.\d+)*)/.exec(stdout ?? '')?.[1] ?? null;
}
