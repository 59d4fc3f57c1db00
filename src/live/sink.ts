/** Where one subscriber's frames go: a websocket's operation, or an event stream. */
export interface Sink {
  /** Whether it takes more just now; not while its client reads too little of what was sent. */
  hasRoom(): boolean;
  /** Sends one result, as JSON in UTF-8. Many sinks are given the same bytes. */
  send(result: Buffer): void;
  /** There is no more to come. */
  complete(): void;
}

/** Bytes that may wait for one client to read; past it, it gets the latest state once it has read. */
export const roomBytes = 64 * 1024;

/** Look again so often whether a sink without room has some. */
export const roomCheckMs = 50;
