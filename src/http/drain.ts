import { setTimeout as pause } from 'node:timers/promises';
import type { WebSocket } from 'ws';

/** Clients closed at once, and the pause after: they shall not all come back in one moment. */
const leastSlice = 100;
const mostSlices = 100;
const pauseMs = 25;

/** A close code after which clients try again. */
const serviceRestart = 1012;

/** A client that does not answer the close for so long is not waited for. */
const farewellMs = 1_000;

/** Does something to all, slice by slice, in an order and with pauses left to chance: some 4 s at the most. */
export async function inSlices<T>(all: Iterable<T>, act: (one: T) => void): Promise<void> {
  const shuffled = [...all]
    .map((one) => ({ one, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
  const slice = Math.max(leastSlice, Math.ceil(shuffled.length / mostSlices));
  for (let i = 0; i < shuffled.length; i += slice) {
    for (const one of shuffled.slice(i, i + slice)) act(one);
    if (i + slice < shuffled.length) await pause(pauseMs * (0.5 + Math.random()));
  }
}

/** Tells every client to come back. */
export async function drain(clients: readonly WebSocket[]): Promise<void> {
  await inSlices(clients, (client) => client.close(serviceRestart, 'The service restarts'));
  const deadline = setTimeout(() => {
    for (const client of clients) client.terminate();
  }, farewellMs);
  await Promise.all(clients.map(closed));
  clearTimeout(deadline);
}

const closed = (client: WebSocket) =>
  new Promise<void>((resolve) => {
    if (client.readyState === client.CLOSED) resolve();
    else client.once('close', () => resolve());
  });
