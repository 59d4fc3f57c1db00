import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { settings } from '../../src/settings.ts';

const root = join(import.meta.dirname, '../..');
const table = Object.values(settings);

test('the table in the README is the table in the code', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const rows = table.map((setting) => {
    const byDefault = setting.default === null ? '–' : `\`${setting.default}\``;
    return `| \`${setting.name}\` | ${byDefault} | ${setting.description} |`;
  });
  expect(readme).toContain(['| variable | default | what |', '|---|---|---|', ...rows].join('\n'));
});

test('.env.example names every setting, commented out, with its default', () => {
  const example = readFileSync(join(root, '.env.example'), 'utf8');
  const assignments = [...example.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => ({ name, value }));
  expect(assignments).toEqual(table.map((setting) => ({ name: setting.name, value: setting.default ?? '' })));
});

test('.env.example with every comment taken away is a configuration that works', () => {
  const example = readFileSync(join(root, '.env.example'), 'utf8');
  const env = Object.fromEntries([...example.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
  expect(readConfig(env)).toEqual(readConfig({}));
});
