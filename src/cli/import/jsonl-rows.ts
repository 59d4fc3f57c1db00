import { CliFailure } from '../failure.ts';
import { BadRow, type Row, type RowSource } from './row.ts';

const maxLineChars = 1024 * 1024;

/** The rows of a file that has one JSON object on each line. */
export function jsonlRows(text: AsyncIterable<string>, name: string): RowSource {
  async function* readRows(): AsyncGenerator<Row> {
    let line = 0;
    for await (const content of readLines(text, name)) {
      line += 1;
      if (content.trim() !== '') yield new JsonRow(content.trim(), line);
    }
  }
  return { rows: readRows(), reportHeader: () => null };
}

/** Not node:readline, which also breaks lines at U+2028, a character that JSON may hold. */
async function* readLines(text: AsyncIterable<string>, name: string): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > maxLineChars) {
      throw new CliFailure(
        `${name} has a line of over ${maxLineChars} characters; is it JSON, one object on each line?`,
      );
    }
  }
  if (rest !== '') yield rest;
}

class JsonRow implements Row {
  readonly text: string;
  readonly line: number;
  #fields: Readonly<Record<string, unknown>> | null | undefined;

  constructor(text: string, line: number) {
    this.text = text;
    this.line = line;
  }

  value(column: string): string {
    const fields = this.#read();
    if (!fields) throw new BadRow('is not a JSON object');
    const value = Object.hasOwn(fields, column) ? fields[column] : null;
    if (value === null) return '';
    if (typeof value === 'object') throw new BadRow(`${JSON.stringify(column)} is not a text or number`);
    // JSON.parse has rounded such a number already: two ids could have become one.
    if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      throw new BadRow(`${JSON.stringify(column)} is a number too large to be read exactly; put it in quotes`);
    }
    return String(value);
  }

  report(problem: string): string {
    const fields = this.#read() ?? { laurel_text: this.text };
    return JSON.stringify({ ...fields, laurel_line: this.line, laurel_problem: problem });
  }

  #read() {
    this.#fields ??= readObject(this.text);
    return this.#fields;
  }
}

function readObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
