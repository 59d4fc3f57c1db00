import { beforeEach } from 'vitest';
import { BlockService } from './block-service.ts';
import { type CommandRun, runLaurel } from './command-line.ts';

/** A service anew for each test of a file, and imports of files with the columns player and points into it. */
export function importing() {
  const context = {
    service: new BlockService(),
    importFile: (path: string, ...options: string[]): Promise<CommandRun> =>
      runLaurel(['import', path, '--board', 'goals', '--member', 'player', '--score', 'points', ...options], {
        url: context.service.url,
      }),
  };
  beforeEach(async () => {
    context.service = await new BlockService().start();
    return () => context.service.close();
  });
  return context;
}

/** Rows for members m1, m2 and so on, a point each: as lines of a CSV file below its header. */
export const lines = (count: number, first = 1): string[] => Array.from({ length: count }, (_, i) => `m${first + i},1`);

export const csv = (...rows: string[]): string => ['player,points', ...rows, ''].join('\n');
