import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';

/** Compiles and runs one benchmark: `node scripts/bench.mjs ranks 1000000`. A loader that compiles as it goes would slow what is measured. */
const [name, ...rest] = process.argv.slice(2);
const run = (...command) => {
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};
run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.bench.json');
cpSync('src/redis/scripts', '.bench/src/redis/scripts', { recursive: true });
run(`.bench/bench/${name}.js`, ...rest);
