import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { roomBytes, type Sink } from '../live/sink.ts';

/** The first byte of a whole text message, and what tells the length of one (RFC 6455, 5.2). */
const wholeText = 0x81;
const twoBytes = 126;
const eightBytes = 127;

/**
 * A result as one websocket frame, in one piece: a single write costs half of what a list of buffers does. Nothing is
 * compressed, so that frames may go past the websocket's own sender.
 */
function frameOf(opening: Buffer, result: Buffer): Buffer {
  const length = opening.length + result.length + 1;
  const start = length < twoBytes ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = wholeText;
  if (start === 2) frame[1] = length;
  else if (start === 4) {
    frame[1] = twoBytes;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = eightBytes;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.set(opening, start);
  frame.set(result, start + opening.length);
  frame[start + length - 1] = 0x7d; // }
  return frame;
}

/** Connections that gather what they are sent at this moment, to write it at once. */
const gathering: Socket[] = [];
/** With more of them the first ones would wait too long. */
const mostGathering = 64;

function writeGathered(): void {
  for (const socket of gathering.splice(0)) socket.uncork();
}

/** What the operations of one connection share. */
interface Connection {
  operations: number;
}

const connections = new WeakMap<Socket, Connection>();

function connectionOf(socket: Socket): Connection {
  const connection = connections.get(socket) ?? { operations: 0 };
  connections.set(socket, connection);
  return connection;
}

/** A write costs more than making what is written, and the many operations of a websocket may all be sent something. */
function gather(socket: Socket, { operations }: Connection): void {
  if (operations < 2 || socket.writableCorked > 0) return;
  if (gathering.length >= mostGathering) writeGathered();
  if (gathering.length === 0) process.nextTick(writeGathered);
  socket.cork();
  gathering.push(socket);
}

/**
 * One operation of a websocket. Results come as bytes that many share, so they are put between what is this operation's
 * own and sent past graphql-ws, which would serialise each anew. To graphql-ws it looks like an iterator that has
 * nothing to say until it ends.
 */
export class SocketSink implements Sink, AsyncIterableIterator<never> {
  readonly #websocket: WebSocket;
  readonly #socket: Socket;
  readonly #connection: Connection;
  readonly #opening: Buffer;
  #leave: (() => void) | null = null;
  #ended = false;
  #pull: ((result: IteratorResult<never>) => void) | null = null;

  /** A websocket, and the connection under it. */
  constructor(websocket: WebSocket, socket: Socket, id: string) {
    this.#websocket = websocket;
    this.#socket = socket;
    this.#connection = connectionOf(socket);
    this.#connection.operations += 1;
    this.#opening = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  }

  /** Sets what is called once, however the operation ends. */
  onEnd(leave: () => void): this {
    if (this.#ended) leave();
    else this.#leave = leave;
    return this;
  }

  hasRoom(): boolean {
    const socket = this.#socket;
    if (socket.writableLength >= roomBytes && socket.writableCorked > 0) writeGathered();
    return socket.writableLength < roomBytes;
  }

  send(result: Buffer): void {
    if (this.#ended || this.#websocket.readyState !== this.#websocket.OPEN) return;
    gather(this.#socket, this.#connection);
    this.#socket.write(frameOf(this.#opening, result));
  }

  complete(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#connection.operations -= 1;
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
