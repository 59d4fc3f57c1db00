/** `npm run bench live [fan-out] [ranks] [idle]`: see docs/benchmarks.md. */
import { fanOut } from './live/fan-out.ts';
import { idle } from './live/idle.ts';
import { ranks } from './live/ranks.ts';

const wanted = process.argv.slice(2);
const asked = (name: string) => wanted.length === 0 || wanted.includes(name);

if (asked('fan-out'))
  console.table(await fanOut(process.env.BENCH_SUBSCRIBERS?.split(',').map(Number) ?? [1_000, 10_000]));
if (asked('ranks')) console.table([await ranks()]);
// A process may have so many files open: `ulimit -n` has to be above it.
if (asked('idle')) console.table([await idle(Number(process.env.BENCH_CONNECTIONS) || 20_000)]);
