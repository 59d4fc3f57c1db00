import type { WebSocket } from 'ws';
import { roomBytes, type Sink } from '../live/sink.ts';

const text = { binary: false };
const closing = Buffer.from('}');

/**
 * One operation of a websocket. Results come as bytes that many share, so they are put between what is this operation's
 * own and sent past graphql-ws, which would serialise each anew. To graphql-ws it looks like an iterator that has
 * nothing to say until it ends.
 */
export class SocketSink implements Sink, AsyncIterableIterator<never> {
  readonly #socket: WebSocket;
  readonly #opening: Buffer;
  #leave: (() => void) | null = null;
  #ended = false;
  #pull: ((result: IteratorResult<never>) => void) | null = null;

  constructor(socket: WebSocket, id: string) {
    this.#socket = socket;
    this.#opening = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  }

  /** Sets what is called once, however the operation ends. */
  onEnd(leave: () => void): this {
    if (this.#ended) leave();
    else this.#leave = leave;
    return this;
  }

  hasRoom(): boolean {
    return this.#socket.bufferedAmount < roomBytes;
  }

  send(result: Buffer): void {
    if (this.#ended || this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(Buffer.concat([this.#opening, result, closing]), text);
  }

  complete(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#leave?.();
    this.#leave = null;
    this.#pull?.({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<never>> {
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.#pull = resolve;
    });
  }

  return(): Promise<IteratorResult<never>> {
    this.complete();
    return Promise.resolve({ value: undefined, done: true });
  }
}
