/** Cells as one line of CSV (RFC 4180), without its line end: a cell is quoted where it must be. */
export const csvLine = (cells: readonly (string | number | null)[], delimiter = ','): string =>
  cells.map((cell) => quoted(String(cell ?? ''), delimiter)).join(delimiter);

const quoted = (text: string, delimiter: string): string =>
  text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
