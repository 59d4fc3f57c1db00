import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '../src/archive/archive.ts';
import { Closing } from '../src/core/closing.ts';
import { History } from '../src/core/history.ts';
import { percentile, row, say, tableHead } from './measure.ts';
import { memberId, openStore } from './store.ts';

/**
 * Closing one large period while it is read and written: `npm run bench closing [entries]`, into PostgreSQL where
 * DATABASE_URL names one, else into the embedded database.
 */
const entries = Number(process.argv[2] ?? 1_000_000);
const day = 24 * 3_600_000;

const folder = mkdtempSync(join(tmpdir(), 'laurel-bench-closing-'));
const store = await openStore();
const archive = await openArchive({ url: process.env.DATABASE_URL ?? null, dataDir: folder });
try {
  const board = await store.create('closing', { cadences: ['DAILY'] });
  await store.fill('closing', entries, (i) => Math.floor(i / 3));
  const now = () => Date.now() + day;
  const history = new History(store.entries, archive);
  const period = new Date().toISOString().slice(0, 10);
  let frozenAt = 0;
  let freezeMs = 0;
  const periods = new Proxy(store.periods, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
      if (name === 'storeClock') return async () => now();
      if (name !== 'freeze') return method.bind(target);
      return async (...args: unknown[]) => {
        const began = performance.now();
        const frozen = await Reflect.apply(method, target, args);
        frozenAt = performance.now();
        freezeMs = frozenAt - began;
        return frozen;
      };
    },
  });
  const silent = {
    info: () => {},
    warn: (fields: object, message: string) => say(`${message} ${JSON.stringify(fields)}`),
  };
  const closing = new Closing({ boards: store.boards, periods, entries: history, archive, clock: now, log: silent });
  let done = false;
  const began = performance.now();
  const round = closing.round().then(() => {
    done = true;
  });
  const reads: number[] = [];
  let refused = 0;
  let accepted = 0;
  for (let i = 0; !done; i += 1) {
    const at = performance.now();
    await history.read(board, [{ period, read: { kind: 'entry', memberId: memberId((i * 7_919) % entries) } }]);
    reads.push(performance.now() - at);
    const frozen = frozenAt > 0;
    const result = await store.scoring.submit('closing', { memberId: 'late', score: i });
    const took = result.changes.some((change) => change.period === period);
    if (frozen && took) throw new Error('a closed period took a score');
    if (took) accepted += 1;
    else refused += 1;
  }
  await round;
  const seconds = (performance.now() - began) / 1000;
  reads.sort((a, b) => a - b);
  const record = await archive.find(board, period);
  say(
    `${entries} entries, ${process.env.DATABASE_URL ? 'PostgreSQL' : 'embedded'}, Node ${process.version}\n\n${tableHead}`,
  );
  say(row('freeze', freezeMs, 20, 'at most', ' ms'));
  say(row('archived, of those closed', (record?.entryCount ?? 0) / entries, 1, 'at least'));
  say(row('longest read meanwhile', reads.at(-1) ?? 0, 250, 'at most', ' ms'));
  say(
    `\nClosed in ${seconds.toFixed(1)} s, ${(entries / seconds).toFixed(0)} entries/s; ${reads.length} reads meanwhile, `,
  );
  say(
    `p50 ${percentile(reads, 50).toFixed(1)} ms, p99 ${percentile(reads, 99).toFixed(1)} ms; writes: ${accepted} before the freeze, ${refused} refused after.`,
  );
} finally {
  await archive.close();
  await store.stop();
  rmSync(folder, { recursive: true });
}
