/**
 * Stands for Laurel where a test has to kill it: `node --import tsx private-server-owner.ts <binary> <dataDir>`. Prints
 * `started <socket path>`, or `refused <why>`, ignores Ctrl-C, and stops its server in order on SIGTERM.
 */
import { startPrivateServer } from '../../src/redis/private-server.ts';

const [binary = '', dataDir = ''] = process.argv.slice(2);

// What Laurel does with Ctrl-C is drain: its server must outlast that.
process.on('SIGINT', () => process.stdout.write('interrupted\n'));

try {
  const server = await startPrivateServer({ binary, dataDir });
  process.on('SIGTERM', () => server.stop());
  process.stdout.write(`started ${server.socketPath}\n`);
} catch (error) {
  process.stdout.write(`refused ${error instanceof Error ? error.message : error}\n`);
}
