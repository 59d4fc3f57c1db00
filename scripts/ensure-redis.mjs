// Finds a Redis server on the PATH, or installs one with the system's package manager.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { findServer, findServers, minimumMajorVersion } from '../dist/redis/find-server.js';

/** RUNLEVEL keeps Debian from starting the system's service: Laurel runs a server of its own. */
const managers = {
  'apt-get': [
    'apt-get update',
    'env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends redis-server',
  ],
  dnf: ['dnf install -y valkey'],
  apk: ['apk add redis'],
  pacman: ['pacman -S --noconfirm valkey'],
  brew: ['brew install redis'],
};

/** Null once there is a server to run, else what stands in the way and what to do about it. */
export async function ensureRedis(path) {
  if (findServer(path) !== null) return null;
  const tooOld = findServers(path).map(({ binary, version }) => `${binary} is version ${version}`);
  const need = `Laurel needs a Redis or Valkey server, version ${minimumMajorVersion}.0 or newer`;
  const problem = `${need}: ${tooOld.length > 0 ? `${tooOld.join(', ')}.` : 'none is on the PATH.'}`;

  const manager = Object.keys(managers).find((name) => isOnPath(name, path));
  if (manager === undefined) return `${problem}\nInstall one, or set REDIS_URL to one that runs.\n${otherWay}`;
  const isRoot = spawnSync('id', ['-u'], { encoding: 'utf8' }).stdout?.trim() === '0';
  // Homebrew refuses to run as root.
  const sudo = isRoot || manager === 'brew' ? '' : 'sudo ';
  const commands = managers[manager].map((command) => sudo + command);

  const isInteractive = process.stdin.isTTY && process.stdout.isTTY;
  const isWanted = isInteractive ? await ask(`${problem}\nInstall one with: ${commands.join(' && ')}`) : isRoot;
  const byHand = `Install one with:\n\n  ${commands.join(' && ')}\n\nor set REDIS_URL to one that runs.\n${otherWay}`;
  if (!isWanted) return isInteractive ? byHand : `${problem}\n${byHand}`;

  for (const command of commands) {
    console.log(command);
    const [file, ...args] = command.split(' ');
    if (spawnSync(file, args, { stdio: 'inherit' }).status !== 0) return `${command} failed.\n${byHand}`;
  }
  if (findServer(path) !== null) return null;
  const installed = findServers(path).map(({ binary, version }) => `${binary}, version ${version}`);
  return `${need}, but ${manager} brought ${installed.join(', ') || 'none'}. Set REDIS_URL to one that runs.\n${otherWay}`;
}

const otherWay = 'The other way is Docker, which brings its own: docker compose up';

async function ask(question) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function isOnPath(name, path) {
  return path.split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
