import { statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { CliFailure } from '../failure.ts';
import { csvRows } from './csv-rows.ts';
import { fileText } from './file-text.ts';
import { jsonlRows } from './jsonl-rows.ts';
import type { RowSource } from './row.ts';

export const fileFormats = ['csv', 'jsonl'] as const;
export type FileFormat = (typeof fileFormats)[number];

export interface OpenOptions {
  readonly format?: FileFormat | undefined;
  readonly delimiter?: string | undefined;
  readonly columns: readonly string[];
  readonly onBytes: (count: number) => void;
}

const formatsByExtension: Readonly<Record<string, { format: FileFormat; delimiter: string }>> = {
  '.csv': { format: 'csv', delimiter: ',' },
  '.tsv': { format: 'csv', delimiter: '\t' },
  '.jsonl': { format: 'jsonl', delimiter: ',' },
  '.ndjson': { format: 'jsonl', delimiter: ',' },
};

/** The rows of a file, read as they are asked for. */
export function openRows(path: string, options: OpenOptions): RowSource {
  const name = basename(path);
  const known = formatsByExtension[extname(path).toLowerCase()];
  const format = options.format ?? known?.format;
  if (!format) throw new CliFailure(`${name} is neither .csv, .tsv nor .jsonl by its name; say which: --format.`);
  const text = fileText(path, options.onBytes);
  if (format === 'jsonl') return jsonlRows(text, name);
  const delimiter = (options.delimiter ?? known?.delimiter ?? ',').replace('\\t', '\t');
  return csvRows(text, { name, delimiter, columns: options.columns });
}

/** Bytes of a file; fails for what is no file. */
export function fileSize(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new CliFailure(`${path} is ${stats ? 'not a file' : 'not there'}.`);
  return stats.size;
}
