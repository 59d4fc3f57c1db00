// Makes a checkout ready to run, doing only what is missing: `node scripts/prepare.mjs [build] [redis] [own-redis]`
//   always     packages, as the lock file says
//   build      dist/, when it is older than what it is made of
//   redis      a Redis server to run, unless REDIS_URL names one
//   own-redis  a Redis server to run, also when REDIS_URL names one: tests never touch a store that is somebody's
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const targets = process.argv.slice(2);

const unknown = targets.filter((target) => !['build', 'redis', 'own-redis'].includes(target));
if (unknown.length > 0) fail(`prepare: ${unknown.join(', ')} is unknown; it takes build, redis and own-redis.`);

const environmentFile = join(root, '.env');
if (existsSync(environmentFile)) process.loadEnvFile(environmentFile);

// npm writes this file last: an interrupted installation has none.
if (isOlder('node_modules/.package-lock.json', ['package-lock.json'])) {
  console.log('Installing the packages of package-lock.json: npm ci');
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund']);
}

const wantsServer = targets.includes('own-redis') || (targets.includes('redis') && !process.env.REDIS_URL);

// The search for a server is part of what is built.
const sources = ['src', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts/build.mjs'];
if ((targets.includes('build') || wantsServer) && isOlder('dist/.built', sources)) {
  console.log('Building dist/ from src/');
  run(process.execPath, [join('scripts', 'build.mjs')]);
}

if (wantsServer) {
  const { ensureRedis } = await import('./ensure-redis.mjs');
  const problem = await ensureRedis(process.env.PATH ?? '');
  if (problem !== null) fail(problem);
}

/** Whether a file is missing, or older than any of these files and all that is in these directories. */
function isOlder(file, sources) {
  const time = statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
  return sources.some((source) => newestTime(join(root, source)) > time);
}

/** Directories count too: their time changes when a file is added, renamed or deleted. */
function newestTime(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestTime(join(path, name))));
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) fail(`${[command, ...args].join(' ')} failed${error ? `: ${error.message}` : '.'}`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
