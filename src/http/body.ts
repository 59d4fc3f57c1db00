import type { IncomingMessage } from 'node:http';
import { LaurelError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';

/** A request's whole body. Refuses one that is announced or turns out to be over the limit, without keeping it. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop must not destroy the request: the refusal goes over the same socket.
  const body: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > limits.bodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = () =>
  new LaurelError('BODY_TOO_LARGE', `A request body may have ${limits.bodyBytes} bytes; send less at a time.`);
