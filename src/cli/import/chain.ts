import { createHash } from 'node:crypto';

/** Another number for another way of reading files or of chaining rows: what was imported before is then not recognised. */
const formatVersion = 1;

/** 132 of SHA-256's bits, as text that fits a block's name. */
const hashChars = 22;

const hash = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, hashChars);

/** Where a file begins: under the name its import was given, else by its first row. */
export const chainStart = (source: string | undefined, firstRow: string): string =>
  source === undefined
    ? hash(`laurel ${formatVersion}`, 'row', firstRow)
    : hash(`laurel ${formatVersion}`, 'source', source);

/** The place after a row: it stands for the row's content and, through the place before, for all rows above it. */
export const chainLink = (before: string, row: string): string => hash(before, row);
