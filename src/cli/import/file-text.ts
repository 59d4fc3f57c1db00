import { createReadStream } from 'node:fs';
import { CliFailure, messageOf } from '../failure.ts';

/**
 * A file's text in pieces, without a byte order mark. Other encodings are refused: read as UTF-8 they would turn
 * different names into the same one.
 */
export async function* fileText(path: string, onBytes: (count: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let before = 0;
  const decode = (bytes?: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new CliFailure(
        `${path} is not UTF-8 text (somewhere after byte ${before}). Convert it first, for example: iconv -f LATIN1 -t UTF-8`,
      );
    }
  };
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 64 * 1024 }) as AsyncIterable<Buffer>) {
      const text = decode(chunk);
      before += chunk.length;
      onBytes(chunk.length);
      yield text;
    }
    yield decode();
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) {
      throw new CliFailure(`${path} cannot be read: ${messageOf(error)}.`);
    }
    throw error;
  }
}
