import type { Writable } from 'node:stream';
import { Command, Option } from 'commander';
import { cadenceOption, type PeriodChoice, periodOption } from '../boards/period-choice.ts';
import { csvLine } from '../csv-line.ts';
import { CliFailure, exitCodes } from '../failure.ts';
import { counted, formatCount } from '../numbers.ts';
import { type Progress, startProgress } from '../progress.ts';
import type { OpenSession, Session } from '../session.ts';
import { note, write } from '../terminal.ts';
import { type EntryPage, type ExportedEntry, entryPages } from './entry-pages.ts';
import { withOutput } from './output.ts';

interface ExportOptions extends PeriodChoice {
  readonly board: string;
  readonly format: 'csv' | 'jsonl';
  readonly output?: string;
}

const fields = ['rank', 'competitionRank', 'index', 'memberId', 'displayName', 'score'] as const;

const examples = `
The first line of a CSV file names the columns: ${fields.join(', ')}.
Entries come in board order. What is read from a board that goes on changing may miss an entry or have it twice, and the
command says so; a closed period never changes.

Examples:
  $ laurel export --board goals --period 2026 --output goals-2026.csv
  $ laurel export --board goals --format jsonl | head`;

export function exportCommand(open: OpenSession): Command {
  return new Command('export')
    .summary('write all entries of a period as CSV or JSON Lines')
    .description('Write all entries of one period of a board, in board order, as CSV or JSON Lines.')
    .requiredOption('-b, --board <key>', 'the board')
    .addOption(periodOption())
    .addOption(cadenceOption())
    .addOption(new Option('--format <format>', 'of the output').choices(['csv', 'jsonl']).default('csv'))
    .option('-o, --output <file>', 'write there (default: to standard output)')
    .addHelpText('after', examples)
    .action(async (options: ExportOptions) => {
      const session = open();
      await withOutput(options.output, session.terminal.results, (stream) => exportEntries(session, options, stream));
    });
}

async function exportEntries(session: Session, options: ExportOptions, stream: Writable): Promise<void> {
  const { client, terminal, signal } = session;
  let first: EntryPage | undefined;
  let last: EntryPage | undefined;
  let progress: Progress | undefined;
  let count = 0;
  try {
    for await (const page of entryPages(client, options.board, options)) {
      if (signal.aborted) throw new CliFailure('Stopped before the end.', exitCodes.interrupted);
      if (!first) {
        note(terminal, `${options.board}, period ${page.key} (${page.state}) at version ${page.entries.version}`);
        if (options.format === 'csv') await write(stream, `${csvLine(fields)}\n`);
      }
      first ??= page;
      last = page;
      progress ??= startProgress(terminal, page.entries.totalCount);
      for (const entry of page.entries.nodes) await write(stream, `${entryLine(entry, options.format)}\n`);
      count += page.entries.nodes.length;
      progress.update(count, `${formatCount(count)} entries`);
    }
  } finally {
    progress?.stop();
  }
  note(terminal, `${counted(count, 'entry').replace('entrys', 'entries')} written.`);
  if (first && last && first.entries.version !== last.entries.version) {
    note(
      terminal,
      `Warning: the board changed while it was read (version ${first.entries.version} to ${last.entries.version}): an entry that moved may be missing or here twice.`,
    );
  }
}

function entryLine(entry: ExportedEntry, format: ExportOptions['format']): string {
  const { rank, competitionRank, index, memberId, score } = entry;
  const { displayName } = entry.member;
  if (format === 'jsonl') return JSON.stringify({ rank, competitionRank, index, memberId, displayName, score });
  return csvLine([rank, competitionRank, index, memberId, displayName, score]);
}
