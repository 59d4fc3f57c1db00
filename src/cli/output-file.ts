import { createWriteStream, openSync, type WriteStream } from 'node:fs';
import { CliFailure, messageOf } from './failure.ts';

/** Opens a file for writing, emptying it. Fails at once, with the path, where that can't be. */
export function openOutput(path: string): WriteStream {
  try {
    const stream = createWriteStream(path, { fd: openSync(path, 'w') });
    // A failure is met by the next write, or at the end.
    stream.on('error', () => undefined);
    return stream;
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

export const cannotWrite = (path: string, error: unknown): CliFailure =>
  new CliFailure(`${path} cannot be written: ${messageOf(error)}.`);
