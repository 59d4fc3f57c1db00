/** `node --import tsx bench/live.ts [fan-out] [ranks] [idle]`: see docs/realtime.md. */
import { fanOut } from './live/fan-out.ts';

const wanted = process.argv.slice(2);
const all = wanted.length === 0;

if (all || wanted.includes('fan-out')) console.table(await fanOut([1_000, 10_000]));
