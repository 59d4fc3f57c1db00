import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Printable ASCII without spaces, so that it travels in a header unquoted. */
export const adminKeyPattern = /^[!-~]{16,256}$/;

function keyPath(dataDir: string): string {
  return join(dataDir, 'admin-api-key');
}

/** The key kept under `dataDir`, or null when none was made yet. Throws when the file holds anything but a key. */
export function readAdminKey(dataDir: string): string | null {
  const path = keyPath(dataDir);
  try {
    const key = readFileSync(path, 'utf8').trim();
    if (adminKeyPattern.test(key)) return key;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
  throw new Error(`${path} does not hold a usable key. Remove it to have a new one made, or set ADMIN_API_KEY.`);
}

/** Makes a key and keeps it under `dataDir`, for this user's eyes only. When two race, both get the first one's key. */
export function makeAdminKey(dataDir: string): string {
  const key = randomBytes(24).toString('hex');
  const path = keyPath(dataDir);
  const draft = `${path}.${process.pid}`;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  rmSync(draft, { force: true });
  writeFileSync(draft, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    // Unlike a rename, a link never replaces a key that somebody may have read already.
    linkSync(draft, path);
    return key;
  } catch (error) {
    const kept = isCode(error, 'EEXIST') ? readAdminKey(dataDir) : null;
    if (kept === null) throw error;
    return kept;
  } finally {
    rmSync(draft, { force: true });
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
