import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, expect, it } from 'vitest';
import { collatingEnvironment, startEngine } from '../support/engine.ts';
import { describeStore } from './describe-store.ts';

/** Lua's `<` on texts is strcoll: under a locale it is not the order of Redis, which is that of bytes. */
const folder = mkdtempSync(join(tmpdir(), 'laurel-locale-'));
const environment = collatingEnvironment(folder);
afterAll(() => rmSync(folder, { recursive: true }));

describeStore('Redis under en_US.UTF-8', () => startEngine(environment ?? {}));

it('orders texts in Lua by the locale, where the machine has it', async () => {
  const own = await startEngine(environment ?? {});
  const redis = new Redis(own.address);
  try {
    expect(await redis.eval("return ('a' < 'B') and 1 or 0", 0)).toBe(environment === null ? 0 : 1);
  } finally {
    redis.disconnect();
    await own.stop();
  }
});
