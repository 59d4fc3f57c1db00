import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeAdminKey, readAdminKey } from '../../src/admin-key.ts';
import { readConfig } from '../../src/config.ts';

let scratch = '';
let dataDir = '';

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'laurel-key-'));
  dataDir = join(scratch, 'deep', 'data');
});

afterEach(() => rmSync(scratch, { recursive: true }));

test('there is no key before one is made, and looking makes none', () => {
  expect(readAdminKey(dataDir)).toBeNull();
  expect(existsSync(dataDir)).toBe(false);
});

test('a made key is read back, is good for the configuration, and only its owner can read it', () => {
  const key = makeAdminKey(dataDir);
  expect(readAdminKey(dataDir)).toBe(key);
  expect(readConfig({ ADMIN_API_KEY: key }).adminApiKey).toBe(key);
  expect(statSync(join(dataDir, 'admin-api-key')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(dataDir, 'admin-api-key'), 'utf8')).toBe(`${key}\n`);
});

test('two keys have nothing in common', () => {
  expect(makeAdminKey(dataDir)).not.toBe(makeAdminKey(join(scratch, 'other')));
});

test('making a key where there is one keeps that one, and leaves no draft behind', () => {
  const first = makeAdminKey(dataDir);
  expect(makeAdminKey(dataDir)).toBe(first);
  expect(readdirSync(dataDir)).toEqual(['admin-api-key']);
});

test('a file that holds anything but a key is an error that says what to do, and does not show what it holds', () => {
  makeAdminKey(dataDir);
  writeFileSync(join(dataDir, 'admin-api-key'), 'hunter2 hunter2 hunter2');
  expect(() => readAdminKey(dataDir)).toThrow(
    `${join(dataDir, 'admin-api-key')} does not hold a usable key. Remove it to have a new one made, or set ADMIN_API_KEY.`,
  );
  expect(() => makeAdminKey(dataDir)).toThrow('does not hold a usable key');
});
