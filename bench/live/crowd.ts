import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** A frame's payload is looked at, not kept. */
export type OnMessage = (payload: Buffer, client: number) => void;

/** Websockets that cost their process as little as can be, for thousands of them beside what is measured. */
export class Crowd {
  readonly sockets: Socket[] = [];
  readonly #port: number;
  readonly #onMessage: OnMessage;

  constructor(port: number, onMessage: OnMessage) {
    this.#port = port;
    this.#onMessage = onMessage;
  }

  /** Opens so many, each with the operations that `operations` makes for its number. */
  async open(count: number, operations: (client: number) => string[]): Promise<void> {
    const first = this.sockets.length;
    for (let i = first; i < first + count; i += 100) {
      const slice = Math.min(100, first + count - i);
      await Promise.all(Array.from({ length: slice }, (_, j) => this.#connect(i + j, operations(i + j))));
    }
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  #connect(client: number, operations: readonly string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      // Source addresses of their own: one has no more than some 28,000 ports.
      const localAddress = `127.0.0.${2 + (client % 8)}`;
      const socket = connect({ port: this.#port, host: '127.0.0.1', localAddress, noDelay: true });
      this.sockets.push(socket);
      socket.once('error', reject);
      const lines = ['GET /graphql HTTP/1.1', 'Host: 127.0.0.1', 'Connection: Upgrade', 'Upgrade: websocket'];
      const key = randomBytes(16).toString('base64');
      const headers = [
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${key}`,
        'Sec-WebSocket-Protocol: graphql-transport-ws',
      ];
      socket.write(`${[...lines, ...headers].join('\r\n')}\r\n\r\n`);
      let rest: Buffer = Buffer.alloc(0);
      let upgraded = false;
      socket.on('data', (data) => {
        rest = rest.length > 0 ? Buffer.concat([rest, data]) : data;
        if (!upgraded) {
          const end = rest.indexOf('\r\n\r\n');
          if (end < 0) return;
          upgraded = true;
          rest = rest.subarray(end + 4);
          send(socket, '{"type":"connection_init"}');
        }
        for (let frame = takeFrame(rest); frame; frame = takeFrame(rest)) {
          rest = frame.rest;
          if (frame.opcode === 9) socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]));
          if (frame.opcode !== 1) continue;
          if (frame.payload.includes('connection_ack')) {
            for (const operation of operations) send(socket, operation);
            resolve();
          } else this.#onMessage(frame.payload, client);
        }
      });
    });
  }
}

function takeFrame(data: Buffer): { opcode: number; payload: Buffer; rest: Buffer } | null {
  if (data.length < 2) return null;
  const opcode = (data[0] ?? 0) & 15;
  let length = (data[1] ?? 0) & 127;
  let start = 2;
  if (length === 126) {
    if (data.length < 4) return null;
    length = data.readUInt16BE(2);
    start = 4;
  } else if (length === 127) {
    if (data.length < 10) return null;
    length = Number(data.readBigUInt64BE(2));
    start = 10;
  }
  if (data.length < start + length) return null;
  return { opcode, payload: data.subarray(start, start + length), rest: data.subarray(start + length) };
}

/** A masked text frame; the mask is all zeros. */
function send(socket: Socket, text: string): void {
  const payload = Buffer.from(text);
  const header =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0])
      : Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255, 0, 0, 0, 0]);
  socket.write(Buffer.concat([header, payload]));
}
