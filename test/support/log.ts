import { type Logger, pino } from 'pino';

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly requestId?: string;
  readonly err?: { readonly message: string; readonly stack: string };
  readonly [field: string]: unknown;
}

export interface Log {
  readonly logger: Logger;
  readonly lines: LogLine[];
  /** All that was written, as it was written. */
  text(): string;
}

/** A logger that keeps everything, down to the finest. */
export function keepLog(): Log {
  const lines: LogLine[] = [];
  let text = '';
  const write = (line: string) => {
    text += line;
    lines.push(JSON.parse(line));
  };
  return { logger: pino({ level: 'trace' }, { write }), lines, text: () => text };
}
