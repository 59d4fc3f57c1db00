/**
 * Stands for Laurel where a test has to kill it while it archives: `node --import tsx archive-writer.ts <what to open>
 * <record and standings>`, both JSON. Prints the index it goes on from, then each index it has come to.
 */
import { openArchive } from '../../src/archive/archive.ts';

const [where = '', what = ''] = process.argv.slice(2);
const archive = await openArchive(JSON.parse(where));
const { record, standings } = JSON.parse(what);
for (let next = await archive.begin(record); ; ) {
  process.stdout.write(`${next}\n`);
  if (next >= standings.length) break;
  await archive.append(record, standings.slice(next, next + 7));
  next += 7;
}
await archive.complete(record);
process.stdout.write('complete\n');
await archive.close();
