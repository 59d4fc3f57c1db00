import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlockService, type Fate } from '../support/block-service.ts';
import { runLaurel } from '../support/command-line.ts';
import { runs, seeded } from '../support/seed.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const goodRow = fc.constantFrom('Ann,1', 'Bob,2', 'Cid,3');
const anyRow = fc.oneof({ weight: 8, arbitrary: goodRow }, { weight: 1, arbitrary: fc.constantFrom(',1', 'Dan,x') });
const fate = fc.constantFrom<Fate>('answered', 'lost', 'unavailable', 'badGateway');

/** One import: rows that the file has got since the one before, and what befalls it. Without patience a fault ends it. */
const step = fc.record({
  rows: fc.array(anyRow, { maxLength: 400, size: 'max' }),
  fates: fc.array(fate, { maxLength: 3 }),
});

describe('a growing file, imported again and again while things fail', () => {
  it('has each of its usable rows applied once, in order', async () => {
    const service = await new BlockService().start();
    const folder = temporaryFolder();
    let files = 0;
    const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      files += 1;
      const rows = [`first ${files},1`];
      const before = service.applied.length;
      const importRows = async () => {
        const path = folder.write('a.csv', ['player,points', ...rows].join('\n'));
        const command = ['import', path, '-b', 'goals', '-m', 'player', '-s', 'points'];
        return (await runLaurel(command, { url: service.url, patienceMs: 0 })).code;
      };
      for (const { rows: added, fates } of steps) {
        rows.push(...added);
        service.fates = [...fates];
        await importRows();
      }
      service.fates = [];
      const usable = rows.filter((row) => !['', 'Dan'].includes(row.split(',')[0] ?? ''));
      expect(await importRows()).toBe(usable.length === rows.length ? 0 : 1);
      const applied = service.applied.slice(before).map(({ memberId, score }) => `${memberId},${score}`);
      expect(applied).toEqual(usable);
    });
    await fc.assert(property, seeded(runs(40))).finally(() => service.close());
  });
});
