import { connect, type Socket } from 'node:net';
import { until } from './until.ts';

export interface RawConnection {
  readonly socket: Socket;
  /** All that came back so far. */
  received(): string;
  /** Resolves with all that came back once the other side has closed, also by a reset. */
  closed(): Promise<string>;
}

/** A connection on which a test may misbehave as no proper client does. */
export async function rawConnect(url: string, text: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  let isClosed = false;
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
  });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.write(text);
  const closed = async () => {
    await until(() => isClosed);
    return received;
  };
  return { socket, received: () => received, closed };
}

export const upgradeRequest = (path: string): string =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Protocol: graphql-transport-ws',
    '\r\n',
  ].join('\r\n');
