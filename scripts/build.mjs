// Compiles src/ into dist/ and copies the Lua scripts beside what loads them. `node scripts/build.mjs`
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
// Built aside and moved into place, so that a failed build spoils nothing and a deleted source leaves no output behind.
const draft = join(root, `dist.${process.pid}`);
const startedAt = new Date();

process.on('exit', () => rmSync(draft, { recursive: true, force: true }));

const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const compiled = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', draft], {
  cwd: root,
  stdio: 'inherit',
});
if (compiled.status !== 0) {
  console.error('The build failed: the compiler reported the errors above.');
  process.exit(1);
}

cpSync(join(root, 'src'), draft, {
  recursive: true,
  filter: (path) => path.endsWith('.lua') || statSync(path).isDirectory(),
});
const commandLine = join(draft, 'cli', 'main.js');
if (!existsSync(commandLine)) {
  console.error('The build failed: src/cli/main.ts is missing, and with it the laurel command.');
  process.exit(1);
}
chmodSync(commandLine, 0o755);

// prepare.mjs compares the sources with this file: what was saved while the compiler ran is newer than the build.
const stamp = join(draft, '.built');
writeFileSync(stamp, '');
utimesSync(stamp, startedAt, startedAt);
rmSync(dist, { recursive: true, force: true });
renameSync(draft, dist);
