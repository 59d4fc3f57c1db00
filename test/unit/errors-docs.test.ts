import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { errorMeanings } from '../../src/core/errors.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/errors.md'), 'utf8');
const rows = [...page.matchAll(/^\| `?([A-Z_]+)`? \| (.+) \|$/gm)].map(([, code = '', meaning = '']) => [
  code,
  meaning,
]);
const engineCodes = ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED'];

it('docs/errors.md lists exactly the codes there are, each once and in their words', () => {
  const documented = rows.filter(([code = '']) => !engineCodes.includes(code));
  expect(documented).toEqual(Object.entries(errorMeanings));
});

it('docs/errors.md lists the codes of the engine too', () => {
  expect(rows.map(([code]) => code).filter((code = '') => engineCodes.includes(code))).toEqual(engineCodes);
});

it('codes are in capitals, and their meanings are sentences', () => {
  for (const [code, meaning] of Object.entries(errorMeanings)) {
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect(meaning).toMatch(/^[A-Z].*\.$/);
  }
});
