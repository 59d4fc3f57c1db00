import type { Socket } from 'node:net';
import { limits } from '../core/limits.ts';
import { roomBytes } from '../live/sink.ts';

const lookMs = 1_000;

interface Client {
  readonly socket: Socket;
  /** Called while its client reads again, or has nothing to read. */
  readonly roomy: () => void;
  /** Called once, when it has taken nothing for too long. */
  readonly stalled: () => void;
  /** Bytes that the system had taken, and since when no more than that. */
  taken: number;
  since: number;
}

/** Looks after connections whose clients do not read, so that none of them holds memory for ever (rule L3). */
export class SlowClients {
  readonly #clients = new Set<Client>();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => this.#look(), lookMs);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Watches a connection until what it returns is called. */
  watch(socket: Socket, calls: Pick<Client, 'roomy' | 'stalled'>): () => void {
    const client = { socket, ...calls, taken: -1, since: performance.now() };
    this.#clients.add(client);
    return () => void this.#clients.delete(client);
  }

  #look(): void {
    const now = performance.now();
    for (const client of this.#clients) {
      const { socket, taken, since } = client;
      const takenNow = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength < roomBytes || takenNow !== taken) {
        client.taken = takenNow;
        client.since = now;
        if (socket.writableLength < roomBytes) client.roomy();
      } else if (now - since > limits.stalledMs) {
        this.#clients.delete(client);
        client.stalled();
      }
    }
  }
}
