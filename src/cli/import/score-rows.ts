import { CliFailure } from '../failure.ts';
import type { BadRows } from './bad-rows.ts';
import { chainLink, chainStart } from './chain.ts';
import type { RowFilter } from './filter.ts';
import type { MappedScore, Mapping } from './mapping.ts';
import { BadRow, type Row, type RowSource } from './row.ts';
import type { Tally } from './tally.ts';

/** A usable row, and the places in the file before and after it. */
export interface ScoreRow {
  readonly row: Row;
  readonly score: MappedScore;
  /** Place after the usable row before. */
  readonly from: string;
  /** Place after this one. */
  readonly to: string;
}

export interface ReadOptions {
  readonly source: string | undefined;
  readonly filter: RowFilter;
  readonly mapping: Mapping;
  readonly tally: Tally;
  readonly badRows: BadRows;
}

/**
 * The usable rows of a file in order; the others are counted and reported. Only usable rows make places: to remove a bad
 * one, or to leave it out with a filter, does not make another file.
 */
export async function* scoreRows(rows: RowSource['rows'], options: ReadOptions): AsyncGenerator<ScoreRow> {
  const { source, tally, badRows } = options;
  let place: string | undefined;
  for await (const row of rows) {
    const isFirst = place === undefined;
    place ??= chainStart(source, row.text);
    tally.read += 1;
    const result = mapRow(row, options);
    if (result === null) {
      tally.filtered += 1;
    } else if (result instanceof BadRow) {
      if (isFirst && source === undefined) throw badFirstRow(row, result);
      tally.bad += 1;
      await badRows.add(row, result.message);
    } else {
      const from = place;
      place = chainLink(from, JSON.stringify([options.mapping.description, result]));
      yield { row, score: result, from, to: place };
    }
  }
}

/** Null for a row that the filter leaves out. */
function mapRow(row: Row, { filter, mapping }: ReadOptions): MappedScore | BadRow | null {
  try {
    return filter.keeps(row) ? mapping.map(row) : null;
  } catch (error) {
    if (error instanceof BadRow) return error;
    throw error;
  }
}

/** The file is known by this row: imported as it is and mended later, all of it would count again. */
const badFirstRow = (row: Row, problem: BadRow): CliFailure =>
  new CliFailure(
    `Line ${row.line}, the first row: ${problem.message}.\nNothing was imported. Mend this row, remove it, leave it out with --where, or name the file with --source NAME: a file without a name is recognised by its first row.`,
  );
