import { Command, Option } from 'commander';
import { CliFailure } from '../failure.ts';
import type { OpenSession } from '../session.ts';
import { fileFormats } from './open-rows.ts';
import { reportImport } from './report.ts';
import { type ImportOptions, runImport } from './run-import.ts';
import { parseScoreText } from './score-text.ts';

const examples = `
Each row is applied once, however often the file is imported: blocks of rows are known by their content and their place
in the file. After a failure or Ctrl-C the same command goes on; a file that has grown brings in its new rows only.

Examples:
  The best of each player, from a file with the columns "player" and "points":
    $ laurel import results.csv --board arcade --member player --score points

  One goal a row, counted for the day it was scored on; own goals and unknown scorers left out:
    $ laurel import goalscorers.csv --board goals --member scorer --increment 1 --occurred-at date \\
        --where own_goal=FALSE --where 'scorer!=NA' --backfill

  Try it first, sending nothing, and keep what can't be read:
    $ laurel import results.csv --board arcade --member player --score points --dry-run --bad-rows bad.csv

Exit codes: 0 all rows are in, 1 some rows were bad, 2 wrong usage or a failure, 130 stopped by Ctrl-C.`;

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

function parseIncrement(text: string): number {
  try {
    return parseScoreText(text);
  } catch {
    throw new CliFailure(`--increment ${JSON.stringify(text)} must be a number.`);
  }
}

export function importCommand(open: OpenSession): Command {
  return new Command('import')
    .summary('bring the scores of a file into a board')
    .description('Bring the scores of a CSV or JSON Lines file into a board, each row once.')
    .argument('<file>', '.csv or .tsv with a first line that names the columns, or .jsonl with an object on each line')
    .requiredOption('-b, --board <key>', 'the board')
    .requiredOption('-m, --member <column>', "column of the member's id, or a template such as '{team}/{scorer}'")
    .option('-s, --score <column>', 'column of the score')
    .option('-i, --increment <number>', 'add this for every row, in place of a score column', parseIncrement)
    .option(
      '-t, --occurred-at <column>',
      "column of the time; without a zone it is meant in the board's (default: now)",
    )
    .option('-w, --where <condition>', 'only rows with column=value, or column!=value; repeatable', collect)
    .option('--missing <text>', 'text that stands for a missing value, besides none at all', 'NA')
    .option('--source <name>', 'know the file by this name in place of its first row')
    .option('--backfill', 'let ended periods accept scores while this import runs')
    .addOption(
      new Option(
        '--skip-closed',
        'leave ended periods as they are; rows of the past count in the others only',
      ).conflicts('backfill'),
    )
    .option('--bad-rows <file>', 'write all bad rows there, in a form that can be mended and imported')
    .addOption(new Option('--format <format>', 'how to read the file, whatever its name').choices(fileFormats))
    .option('--delimiter <character>', 'between the cells of a CSV file (default: a comma)')
    .option('--dry-run', 'read and check the file, send nothing')
    .addHelpText('after', examples)
    .action(async (file: string, options: ImportOptions) => {
      const session = open();
      const result = await runImport(session, file, options);
      await reportImport(session.terminal, result, {
        dryRun: options.dryRun === true,
        badRowsPath: options.badRows,
      });
    });
}
