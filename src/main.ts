import { existsSync } from 'node:fs';
import { pino } from 'pino';
import { makeAdminKey, readAdminKey } from './admin-key.ts';
import { type App, startApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { findServer } from './redis/find-server.ts';
import { type PrivateServer, startPrivateServer } from './redis/private-server.ts';

/** How long a drain may take before the process ends all the same. */
const drainTimeoutMs = 15_000;

const say = (text: string) => process.stdout.write(`${text}\n`);

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile();
  const config = readConfig(process.env);
  const privateServer = config.redisUrl === null ? await startOwnRedis(config.dataDir) : null;
  const redisUrl = config.redisUrl ?? privateServer?.socketPath ?? '';
  const logger = pino({ level: config.logLevel });
  try {
    const app = await startApp(
      { ...config, redisUrl, adminApiKey: config.adminApiKey ?? adminKey(config.dataDir) },
      { logger },
    );
    stopOnSignals(app, privateServer);
    await greet(app);
  } catch (error) {
    await privateServer?.stop();
    throw error;
  }
}

async function startOwnRedis(dataDir: string): Promise<PrivateServer> {
  const found = findServer(process.env.PATH ?? '');
  if (!found) {
    throw new Error(
      'No redis-server or valkey-server 7.0 or newer is on the PATH. Install one (npm start does it where it can), set REDIS_URL to one that runs, or use "docker compose up".',
    );
  }
  return startPrivateServer({ binary: found.binary, dataDir });
}

function adminKey(dataDir: string): string {
  const kept = readAdminKey(dataDir);
  if (kept) return kept;
  const made = makeAdminKey(dataDir);
  say(
    `No ADMIN_API_KEY is set, so one was made and kept in ${dataDir}/admin-api-key (shown this once):\n\n  ${made}\n`,
  );
  return made;
}

async function greet(app: App): Promise<void> {
  say(`Laurel serves:
  GraphiQL and GraphQL  ${app.url}/graphql
  websocket             ${app.url.replace(/^http/, 'ws')}/graphql
  health and metrics    ${app.url}/healthz /readyz /metrics`);
  if (await app.isEmpty()) say('\nThere is no board yet. In another terminal: npm run demo');
}

/** Stops once: on a signal, or when the private Redis ended by itself, which leaves nothing to serve. */
function stopOnSignals(app: App, privateServer: PrivateServer | null): void {
  let stopping = false;
  const stop = (reason: string, exitCode: number) => {
    if (stopping) return;
    stopping = true;
    say(`${reason}: finishing what was begun`);
    const deadline = setTimeout(() => process.exit(1), drainTimeoutMs);
    app
      .close()
      .then(() => privateServer?.stop())
      .then(
        () => {
          clearTimeout(deadline);
          process.exitCode = exitCode;
        },
        (error: unknown) => {
          process.stderr.write(`${String(error)}\n`);
          process.exit(1);
        },
      );
  };
  process.on('SIGINT', () => stop('SIGINT', 0));
  process.on('SIGTERM', () => stop('SIGTERM', 0));
  void privateServer?.exited.then((reason) => stop(`the private Redis ended (${reason})`, 1));
}

main().catch((error: unknown) => {
  const expected = error instanceof ConfigError || error instanceof Error;
  process.stderr.write(`${expected ? error.message : String(error)}\n`);
  process.exit(1);
});
