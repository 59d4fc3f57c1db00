import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Where a command speaks: results on one stream, so that they can be piped, and everything else on the other. */
export interface Terminal {
  readonly results: Writable;
  readonly notes: Writable;
  /** Whether a person watches the notes: only then is a line drawn over again. */
  readonly interactive: boolean;
}

/** Writes a line of the result; resolves when there is room for more. */
export async function print(terminal: Terminal, line: string): Promise<void> {
  await write(terminal.results, `${line}\n`);
}

/** Tells what goes on, without waiting. */
export function note(terminal: Terminal, line: string): void {
  terminal.notes.write(`${line}\n`);
}

/** Resolves when there is room for more; throws what the stream failed with. */
export async function write(stream: Writable, text: string): Promise<void> {
  if (stream.write(text)) return;
  // A stream that has failed never drains.
  if (stream.errored) throw stream.errored;
  await once(stream, 'drain');
}
