#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readAdminKey } from '../admin-key.ts';
import { exitCodes, messageOf } from './failure.ts';
import { runCommandLine } from './program.ts';

if (existsSync('.env')) process.loadEnvFile('.env');
const { ADMIN_API_KEY, DATA_DIR, LAUREL_URL, PORT } = process.env;
const dataDir = DATA_DIR || './data';

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // Twice means now.
    if (interrupt.signal.aborted) process.exit(exitCodes.interrupted);
    process.stderr.write('\nStopping after the step at hand (once more: at once).\n');
    interrupt.abort();
  });
}

// Whoever reads our output may stop early (`| head`): then there is nobody left to write for.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok);
  throw error;
});

try {
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    terminal: { results: process.stdout, notes: process.stderr, interactive: process.stderr.isTTY },
    signal: interrupt.signal,
    url: LAUREL_URL || `http://127.0.0.1:${PORT || 4000}/graphql`,
    key: ADMIN_API_KEY || readAdminKey(dataDir),
    keyOrigin: ADMIN_API_KEY ? 'ADMIN_API_KEY' : join(dataDir, 'admin-api-key'),
  });
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = exitCodes.failure;
}
