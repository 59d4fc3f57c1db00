import { readFileSync, writeFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from '../src/graphql/schema.ts';

/** Writes schema.graphql, or with --check tells whether it is what the code says. */
const path = new URL('../schema.graphql', import.meta.url);
const printed = `${printSchema(lexicographicSortSchema(schema))}\n`;

if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== printed) {
    process.stderr.write('schema.graphql is stale: run "npm run schema" and commit it.\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(path, printed);
}
