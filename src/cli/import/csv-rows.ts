import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { csvLine } from '../csv-line.ts';
import { CliFailure } from '../failure.ts';
import { BadRow, type Row, type RowSource } from './row.ts';

export interface CsvOptions {
  readonly name: string;
  readonly delimiter: string;
  /** Columns that the mapping needs: the header must have each once. */
  readonly columns: readonly string[];
}

/** A quote that is never closed would take the rest of the file for one cell. */
const maxRecordChars = 1024 * 1024;

/** The rows of a CSV file, the first of which names the columns. */
export function csvRows(text: AsyncIterable<string>, options: CsvOptions): RowSource {
  let header: Header | null = null;
  return { rows: readRows(), reportHeader: () => (header ? header.report : null) };

  async function* readRows(): AsyncGenerator<Row> {
    for await (const { cells, line } of readRecords(text, options)) {
      // A blank line separates nothing and names nothing.
      if (cells.length === 1 && cells[0]?.trim() === '') continue;
      if (header) yield new CsvRow(cells, line, header);
      else header = makeHeader(cells, options);
    }
    if (!header) throw new CliFailure(`${options.name} is empty: its first line must name the columns.`);
  }
}

/** Records with the line on which each begins. The parser's own count takes a CRLF inside quotes for two lines. */
async function* readRecords(text: AsyncIterable<string>, { name, delimiter }: CsvOptions) {
  let failure: CsvError | undefined;
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    max_record_size: maxRecordChars,
    // An error that ended the stream would take the good records before it along.
    skip_records_with_error: true,
    on_skip: (error) => {
      failure ??= error;
    },
    on_record: (cells) => (failure ? null : cells),
  });
  async function* untilFailure() {
    for await (const piece of text) {
      if (failure) return;
      yield piece;
    }
  }
  // Little is read ahead: progress is measured by what was read.
  const source = Readable.from(untilFailure(), { highWaterMark: 1 });
  source.on('error', (error) => parser.destroy(error));
  let line = 1;
  try {
    for await (const cells of source.pipe(parser) as AsyncIterable<string[]>) {
      yield { cells, line };
      line += 1 + cells.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0);
    }
  } finally {
    source.destroy();
  }
  if (failure) throw new CliFailure(`${name}, line ${line} or after: ${quoteAdvice} (${failure.code}).`);
}

const quoteAdvice =
  'a quote opens inside a cell, is never closed, or text follows it. Quotes go around a whole cell, and a quote inside is doubled: "Ann ""Ace"" Lee"';

interface Header {
  readonly places: ReadonlyMap<string, number>;
  readonly width: number;
  readonly delimiter: string;
  readonly report: string;
}

function makeHeader(names: readonly string[], { name, delimiter, columns }: CsvOptions): Header {
  for (const column of columns) {
    const count = names.filter((other) => other === column).length;
    if (count > 1) throw new CliFailure(`${name} has ${count} columns named ${JSON.stringify(column)}; rename one.`);
    if (count === 0) {
      const hint = names.length === 1 ? ' If they are not parted by commas, say how: --delimiter.' : '';
      throw new CliFailure(
        `${name} has no column ${JSON.stringify(column)}. Its columns are: ${names.map((other) => JSON.stringify(other)).join(', ')}.${hint}`,
      );
    }
  }
  return {
    places: new Map(names.map((other, place) => [other, place])),
    width: names.length,
    delimiter,
    report: csvLine([...names, 'laurel_line', 'laurel_problem'], delimiter),
  };
}

class CsvRow implements Row {
  readonly #cells: readonly string[];
  readonly #header: Header;
  readonly line: number;

  constructor(cells: readonly string[], line: number, header: Header) {
    this.#cells = cells;
    this.#header = header;
    this.line = line;
  }

  get text(): string {
    return JSON.stringify(this.#cells);
  }

  value(column: string): string {
    const { places, width } = this.#header;
    if (this.#cells.length !== width) {
      throw new BadRow(`has ${this.#cells.length} cells where the header has ${width}`);
    }
    return this.#cells[places.get(column) ?? -1] ?? '';
  }

  report(problem: string): string {
    const { width, delimiter } = this.#header;
    const padding = Array<string>(Math.max(0, width - this.#cells.length)).fill('');
    return csvLine([...this.#cells, ...padding, this.line, problem], delimiter);
  }
}
