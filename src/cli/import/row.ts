/** A row that can't be used, and why: reported with its line, never the end of an import. */
export class BadRow extends Error {
  override readonly name = 'BadRow';
}

/** One row of a file. */
export interface Row {
  /** Line on which it begins, from 1. */
  readonly line: number;
  /** What stands in the file, less what carries no meaning: line ends, quotes around a cell. */
  readonly text: string;
  /** The text of a column, '' where the row has none. Throws BadRow where the row or the value can't be read. */
  value(column: string): string;
  /** The row as it goes into the file of bad rows, in the file's own format. */
  report(problem: string): string;
}

export interface RowSource {
  readonly rows: AsyncIterable<Row>;
  /** What stands above the rows in the file of bad rows; null for nothing. Known once the first row was read. */
  reportHeader(): string | null;
}
