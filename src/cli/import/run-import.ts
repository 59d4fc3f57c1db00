import { basename, resolve } from 'node:path';
import { type Board, findBoard } from '../boards/find-board.ts';
import { underHold } from '../boards/hold.ts';
import { CliFailure } from '../failure.ts';
import { formatCount } from '../numbers.ts';
import { type Progress, startProgress } from '../progress.ts';
import type { Session } from '../session.ts';
import { BadRows } from './bad-rows.ts';
import { type Block, cutBlocks, oneAhead } from './blocks.ts';
import { closedGuard } from './closed-guard.ts';
import { eventTimeReader } from './event-time.ts';
import { makeFilter } from './filter.ts';
import { type MappingOptions, makeMapping } from './mapping.ts';
import { type FileFormat, fileSize, openRows } from './open-rows.ts';
import { scoreRows } from './score-rows.ts';
import { sendBlock } from './send-block.ts';
import { Tally } from './tally.ts';

export interface ImportOptions extends MappingOptions {
  readonly board: string;
  readonly where?: readonly string[] | undefined;
  readonly source?: string | undefined;
  readonly backfill?: boolean | undefined;
  readonly skipClosed?: boolean | undefined;
  readonly badRows?: string | undefined;
  readonly format?: FileFormat | undefined;
  readonly delimiter?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface ImportResult {
  readonly name: string;
  readonly board: Board;
  readonly tally: Tally;
  readonly badRows: BadRows;
  readonly seconds: number;
  /** What ended it early, if anything did. */
  readonly failure?: unknown;
  readonly interrupted: boolean;
}

/** Imports a file, block by block in order: a block that turns out to have changed must stop all that follow. */
export async function runImport(session: Session, file: string, options: ImportOptions): Promise<ImportResult> {
  const size = fileSize(file);
  if (options.badRows !== undefined && resolve(options.badRows) === resolve(file)) {
    throw new CliFailure('--bad-rows must name another file than the one to import.');
  }
  const board = await findBoard(session.client, options.board);
  const mapping = makeMapping(options, { scorePolicy: board.scorePolicy, readTime: eventTimeReader(board.timeZone) });
  const filter = makeFilter(options.where ?? []);
  const tally = new Tally();
  let bytes = 0;
  const { rows, reportHeader } = openRows(file, {
    ...options,
    columns: [...mapping.columns, ...filter.columns],
    onBytes: (count) => {
      bytes += count;
    },
  });
  const badRows = new BadRows(options.badRows, reportHeader);
  const progress = startProgress(session.terminal, size);
  const startedAt = performance.now();
  const blocks = oneAhead(cutBlocks(scoreRows(rows, { source: options.source, filter, mapping, tally, badRows })));
  const guard =
    options.backfill || options.skipClosed || board.backfill ? null : await closedGuard(session.client, board);
  const work = async () => {
    for await (const block of blocks) {
      if (session.signal.aborted) return false;
      guard?.(block);
      if (!options.dryRun) await sendBlock({ client: session.client, board: board.key, tally, badRows }, block);
      if (options.backfill && tally.metClosed) throw holdIsGone(board, block);
      progress.update(bytes, rateText(tally, startedAt));
    }
    return true;
  };
  const failure = await guarded(session, board, options, progress, work);
  await badRows.close();
  const seconds = (performance.now() - startedAt) / 1000;
  const name = basename(file);
  return { name, board, tally, badRows, seconds, failure, interrupted: session.signal.aborted };
}

/** Going on would spend the rest of the file's rows on periods that do not take them. */
const holdIsGone = (board: Board, { rows }: Block): CliFailure =>
  new CliFailure(
    `Somebody released ${board.key} while this import held it: ended periods did not take rows of lines ${rows[0]?.row.line} to ${rows.at(-1)?.row.line}.\nThe same command brings in the rows after these.`,
  );

/** What was counted until a failure is worth reporting: the failure is returned, to be thrown after the report. */
async function guarded(
  session: Session,
  board: Board,
  options: ImportOptions,
  progress: Progress,
  work: () => Promise<boolean>,
): Promise<unknown> {
  try {
    const held = options.backfill && !options.dryRun;
    await (held ? underHold(session.client, board, (line) => progress.say(line), work) : work());
    return undefined;
  } catch (error) {
    return error;
  } finally {
    progress.stop();
  }
}

function rateText(tally: Tally, startedAt: number): string {
  const rate = tally.read / Math.max((performance.now() - startedAt) / 1000, 0.001);
  return `${formatCount(tally.read)} rows, ${formatCount(Math.round(rate))} rows/s`;
}
