import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
let project = '';
/** All that the script finds on its PATH. */
let bin = '';

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'laurel-prepare-'));
  bin = join(project, 'bin');
  mkdirSync(bin);
  for (const name of ['scripts', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'src/redis/find-server.ts']) {
    cpSync(join(root, name), join(project, name), { recursive: true });
  }
  write('src/cli/main.ts', '#!/usr/bin/env node\nexport const command = 1;\n');
  write('src/redis/scripts/submit.lua', 'return 1\n');
  write('package-lock.json', '{}');
  write('node_modules/.package-lock.json', '{}');
  for (const name of ['typescript', '@typescript', '@types']) {
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
  }
});

afterEach(() => rmSync(project, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

function command(name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** As from a script: without a terminal to ask on. */
function prepare(targets: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/prepare.mjs', ...targets], {
    cwd: project,
    env: { PATH: bin, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** As if it had been saved `seconds` from now. */
function touch(path: string, seconds: number): void {
  const time = Date.now() / 1000 + seconds;
  utimesSync(join(project, path), time, time);
}

describe('packages', () => {
  const install = 'echo "npm $*"; /bin/mkdir -p node_modules; echo {} > node_modules/.package-lock.json';

  test('are left alone when they are as the lock file says', () => {
    expect(prepare([])).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test.each([
    ['are missing', () => rmSync(join(project, 'node_modules'), { recursive: true })],
    ['were installed halfway', () => rmSync(join(project, 'node_modules/.package-lock.json'))],
    ['are older than the lock file', () => touch('node_modules/.package-lock.json', -3600)],
  ])('are installed when they %s, those for building too', (_, spoil) => {
    command('npm', install);
    spoil();
    const { status, stdout } = prepare([], { NODE_ENV: 'production' });
    expect(stdout).toMatch(/^Installing .*\nnpm ci --include=dev/);
    expect(status).toBe(0);
    expect(prepare([]).stdout).toBe('');
  });

  test('that cannot be installed are an error', () => {
    command('npm', 'exit 1');
    touch('package-lock.json', 10);
    const { status, stderr } = prepare(['build']);
    expect(status).toBe(1);
    expect(stderr).toBe('npm ci --include=dev --no-audit --no-fund failed.\n');
    expect(existsSync(join(project, 'dist'))).toBe(false);
  });
});

describe('build', () => {
  test('makes dist with the Lua scripts in it and an executable command, once', () => {
    expect(prepare(['build'])).toEqual({ status: 0, stdout: 'Building dist/ from src/\n', stderr: '' });
    expect(readFileSync(join(project, 'dist/redis/scripts/submit.lua'), 'utf8')).toBe('return 1\n');
    // As npm runs it: by itself. The PATH that `env` looks for node on is not the stubs'.
    const run = spawnSync(join(project, 'dist/cli/main.js'), { env: { PATH: dirname(process.execPath) } });
    expect(run.status).toBe(0);
    expect(prepare(['build']).stdout).toBe('');
  });

  test.each([
    ['a source', 'src/redis/scripts/submit.lua'],
    ['the compiler’s configuration', 'tsconfig.json'],
    ['package.json', 'package.json'],
  ])('happens again after %s was saved', (_, path) => {
    prepare(['build']);
    touch(path, 10);
    expect(prepare(['build']).stdout).toContain('Building');
  });

  test('leaves nothing of a source that was deleted', () => {
    write('src/old.ts', 'export const old = 1;\n');
    prepare(['build']);
    expect(existsSync(join(project, 'dist/old.js'))).toBe(true);
    rmSync(join(project, 'src/old.ts'));
    touch('src', 10);
    prepare(['build']);
    expect(existsSync(join(project, 'dist/old.js'))).toBe(false);
  });

  test('that fails says so, keeps the last one, and is tried again', () => {
    prepare(['build']);
    write('src/wrong.ts', 'export const wrong: number = "text";\n');
    touch('src/wrong.ts', 10);
    const failed = prepare(['build']);
    expect(failed.status).toBe(1);
    expect(failed.stdout).toContain('src/wrong.ts(1,14): error TS2322');
    expect(failed.stderr).toContain('The build failed');
    expect(existsSync(join(project, 'dist/cli/main.js'))).toBe(true);
    expect(prepare(['build']).status).toBe(1);
  });
});

describe('redis', () => {
  const byHand =
    'sudo apt-get update && sudo env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends redis-server';

  test.each([
    ['redis-server', 'Redis server v=7.0.0 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64 build=0'],
    ['valkey-server', 'Valkey server v=8.1.3 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=0'],
  ])('is content with a %s that is recent enough', (name, version) => {
    command(name, `echo "${version}"`);
    expect(prepare(['redis'])).toMatchObject({ status: 0, stderr: '' });
  });

  test('looks past one that is too old, in the order of the PATH', () => {
    command('redis-server', 'echo "Redis server v=6.2.7 sha=0"');
    command('valkey-server', 'echo "Valkey server v=7.2.5 sha=0"');
    expect(prepare(['redis'])).toMatchObject({ status: 0, stderr: '' });
  });

  test('is not looked for when REDIS_URL names one, in the environment or in .env', () => {
    expect(prepare(['redis'], { REDIS_URL: 'redis://redis:6379' })).toEqual({ status: 0, stdout: '', stderr: '' });
    write('.env', 'REDIS_URL=redis://redis:6379\n');
    expect(prepare(['redis'])).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test('of our own is looked for all the same', () => {
    const { status, stderr } = prepare(['own-redis'], { REDIS_URL: 'redis://redis:6379' });
    expect(status).toBe(1);
    expect(stderr).toContain('none is on the PATH');
  });

  test('is not installed where nobody can be asked and we are not root: the command is named, and Docker', () => {
    command('id', 'echo 1000');
    command('apt-get', 'echo "apt-get $*"');
    const { status, stdout, stderr } = prepare(['redis']);
    expect(status).toBe(1);
    expect(stderr).toBe(
      `Laurel needs a Redis or Valkey server, version 7.0 or newer: none is on the PATH.\nInstall one with:\n\n  ${byHand}\n\nor set REDIS_URL to one that runs.\nThe other way is Docker, which brings its own: docker compose up\n`,
    );
    expect(stdout).not.toContain('apt-get');
  });

  test('is Homebrew’s without sudo, which it refuses', () => {
    command('id', 'echo 501');
    command('brew', 'echo "brew $*"');
    const { status, stderr } = prepare(['redis']);
    expect(status).toBe(1);
    expect(stderr).toContain('\n  brew install redis\n');
  });

  test('that is too old is named', () => {
    command('id', 'echo 1000');
    command('redis-server', 'echo "Redis server v=6.2.7 sha=0"');
    const { status, stderr } = prepare(['redis']);
    expect(status).toBe(1);
    expect(stderr).toContain(`${join(bin, 'redis-server')} is version 6.2.7.`);
    expect(stderr).toContain('docker compose up');
  });

  test.each([
    ['apt-get', 'redis-server'],
    ['dnf', 'valkey-server'],
    ['apk', 'redis-server'],
    ['pacman', 'valkey-server'],
  ])('is installed with %s at once by root without a terminal', (manager, server) => {
    command('id', 'echo 0');
    symlinkSync('/usr/bin/env', join(bin, 'env'));
    const stub = `printf '#!/bin/sh\\necho "Server v=7.2.5 sha=0"\\n' > ${bin}/${server}; /bin/chmod +x ${bin}/${server}`;
    command(manager, `echo "ran ${manager} $* $RUNLEVEL"; case "$*" in *install*|add*|-S*) ${stub};; esac`);
    const { status, stdout, stderr } = prepare(['redis']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^ran ${manager} .*(redis|valkey)`, 'm'));
    if (manager === 'apt-get') expect(stdout).toMatch(/^ran apt-get install .* 1$/m);
  });

  test('that the package manager brings too old is named', () => {
    command('id', 'echo 0');
    symlinkSync('/usr/bin/env', join(bin, 'env'));
    command(
      'apt-get',
      `printf '#!/bin/sh\\necho "Redis server v=6.0.16"\\n' > ${bin}/redis-server; /bin/chmod +x ${bin}/redis-server`,
    );
    const { status, stderr } = prepare(['redis']);
    expect(status).toBe(1);
    expect(stderr).toContain(`but apt-get brought ${join(bin, 'redis-server')}, version 6.0.16.`);
    expect(stderr).toContain('docker compose up');
  });

  test('that cannot be installed is an error that says what was tried', () => {
    command('id', 'echo 0');
    command('apt-get', 'exit 100');
    const { status, stderr } = prepare(['redis']);
    expect(status).toBe(1);
    expect(stderr).toContain('apt-get update failed.');
  });
});

test('a target that does not exist is an error', () => {
  expect(prepare(['biuld'])).toMatchObject({ status: 1, stderr: expect.stringContaining('biuld is unknown') });
});
