import { rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { cannotWrite, openOutput } from '../output-file.ts';

/** Hands a stream to `work`: a file takes its name only once it is whole; without a path, the fallback. */
export async function withOutput(
  path: string | undefined,
  fallback: Writable,
  work: (stream: Writable) => Promise<void>,
): Promise<void> {
  if (path === undefined) return work(fallback);
  const draft = `${path}.part`;
  const stream = openOutput(draft);
  try {
    await work(stream);
    stream.end();
    await finished(stream);
    await rename(draft, path);
  } catch (error) {
    stream.destroy();
    await rm(draft, { force: true });
    throw error === stream.errored ? cannotWrite(path, error) : error;
  }
}
