import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { mostNamed } from '../../src/live/passing.ts';
import { roomBytes } from '../../src/live/sink.ts';

const read = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
/** The formatter pads tables. */
const page = read('realtime.md').replaceAll(/ +/g, ' ');

test('the client of docs/realtime.md is the file that the tests run', () => {
  expect(read('realtime.md')).toContain(`\`\`\`ts\n${read('apply-patches.ts')}\`\`\``);
  expect(read('apply-patches.ts').split('\n').length).toBeLessThanOrEqual(50);
});

test('docs/realtime.md has the limits of the code', () => {
  const count = (value: number) => value.toLocaleString('en');
  for (const row of [
    `| ${roomBytes / 1024} KiB wait for a connection |`,
    `| nothing read for ${limits.stalledMs / 1000} s`,
    `| ${limits.subscriptionsPerConnection} operations on a websocket |`,
    `| ${count(limits.connections)} websockets`,
    `| a message of more than ${limits.websocketMessageBytes / 1024} KiB |`,
    `the last ${count(limits.logLength)} submissions at least`,
  ]) {
    expect(page).toContain(row);
  }
  expect(mostNamed).toBe(10);
});
