import { CliFailure, exitCodes } from '../failure.ts';
import { counted, formatCount } from '../numbers.ts';
import { print, type Terminal } from '../terminal.ts';
import type { ImportResult } from './run-import.ts';

/** Periods that are named in the report; of daily ones there can be thousands. */
const shownPeriods = 5;

/** Says what became of every row, and ends with the right exit code. */
export async function reportImport(
  terminal: Terminal,
  result: ImportResult,
  { dryRun, badRowsPath }: { dryRun: boolean; badRowsPath: string | undefined },
): Promise<void> {
  const { name, board, failure, interrupted, tally } = result;
  for (const line of [...countLines(result, dryRun), ...skipLines(result), ...badRowLines(result)]) {
    await print(terminal, line);
  }
  if (failure !== undefined) throw failure;
  if (interrupted) {
    throw new CliFailure('Stopped before the end. The same command goes on from there.', exitCodes.interrupted);
  }
  if (tally.bad > 0) {
    const where = badRowsPath ? `They are in ${badRowsPath}` : 'Write them into a file (--bad-rows FILE)';
    throw new CliFailure(
      `${counted(tally.bad, 'row')} of ${name} could not be used. ${where}; mended there, that file can be imported.`,
      exitCodes.badRows,
    );
  }
  if (tally.already > 0 && tally.already === tally.settled) {
    await print(
      terminal,
      `Nothing new: ${board.key} has all of this file. If it is another file with the same rows, name it: --source NAME`,
    );
  }
}

function countLines({ name, board, tally, seconds }: ImportResult, dryRun: boolean): string[] {
  const rate = formatCount(Math.round(tally.read / Math.max(seconds, 0.001)));
  const usable = tally.read - tally.filtered - tally.bad;
  const counts: [number, string][] = dryRun
    ? [[usable, 'could be imported (dry run: nothing was sent)']]
    : [
        [tally.applied, 'applied'],
        [tally.already, 'imported before'],
        [tally.unchanged, 'changed nothing (not better, or adding 0)'],
        [tally.skipped, 'refused by their periods'],
      ];
  counts.push([tally.filtered, 'left out by --where'], [tally.bad, 'bad']);
  const shown = counts.filter(([count], i) => count > 0 || i === 0);
  const width = Math.max(...shown.map(([count]) => formatCount(count).length));
  return [
    `${name} into ${board.key}: ${counted(tally.read, 'row')} read in ${seconds.toFixed(1)} s, ${rate} rows/s`,
    ...shown.map(([count, text]) => `  ${formatCount(count).padStart(width)}  ${text}`),
  ];
}

function skipLines({ tally }: ImportResult): string[] {
  const skips = tally.skips();
  if (skips.length === 0) return [];
  const lines = skips
    .slice(0, shownPeriods)
    .map(({ period, code, rows }) => `  ${period}: ${counted(rows, 'row')} (${code})`);
  if (skips.length > shownPeriods) lines.push(`  and ${counted(skips.length - shownPeriods, 'more period')}`);
  return ['Rows that periods did not accept:', ...lines];
}

function badRowLines({ badRows, tally }: ImportResult): string[] {
  if (tally.bad === 0) return [];
  const lines = badRows.shown.map(({ line, problem }) => `  line ${line}: ${problem}`);
  const more = tally.bad - badRows.shown.length;
  if (more > 0) lines.push(`  and ${formatCount(more)} more`);
  return ['Bad rows:', ...lines];
}
