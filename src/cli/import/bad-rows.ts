import type { WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { openOutput } from '../output-file.ts';
import { write } from '../terminal.ts';
import type { Row } from './row.ts';

/** Bad rows that are shown; a file may be told to take all of them. */
const shownRows = 20;

/** Keeps the first bad rows for the report, and writes every one into a file in the format of its source. */
export class BadRows {
  readonly shown: { line: number; problem: string }[] = [];
  readonly #header: () => string | null;
  readonly #file: WriteStream | null;
  #count = 0;

  /** Opens the file, if one is named, before anything is imported. The header is known once there is a row. */
  constructor(path: string | undefined, header: () => string | null) {
    this.#header = header;
    this.#file = path === undefined ? null : openOutput(path);
  }

  async add(row: Row, problem: string): Promise<void> {
    this.#count += 1;
    if (this.shown.length < shownRows) this.shown.push({ line: row.line, problem });
    if (!this.#file) return;
    const header = this.#count === 1 ? this.#header() : null;
    if (header !== null) await write(this.#file, `${header}\n`);
    await write(this.#file, `${row.report(problem)}\n`);
  }

  async close(): Promise<void> {
    if (!this.#file) return;
    this.#file.end();
    await finished(this.#file);
  }
}
