import { type Client, createClient, type ExecutionResult } from 'graphql-ws';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { Collector } from './collector.ts';

type Variables = Readonly<Record<string, unknown>>;

export interface Live<T> extends Collector<T> {
  /** Ends the operation, as a client does that has seen enough. */
  stop(): void;
}

/** One websocket of a client that does not come back by itself. */
export class SocketClient {
  readonly client: Client;
  /** Set once the socket is open. */
  socket: WebSocket | null = null;
  /** How the socket was closed. */
  closed: { code: number; reason: string } | null = null;

  constructor(url: string, connectionParams: Record<string, unknown> = {}) {
    this.client = createClient({
      url: `${url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      lazy: true,
      connectionParams,
      on: {
        opened: (socket) => {
          this.socket = socket as WebSocket;
        },
        closed: (event) => {
          const { code, reason } = event as { code: number; reason: string };
          this.closed = { code, reason };
        },
      },
    });
    onTestFinished(() => this.client.dispose());
  }

  /** Whole results, with their errors. */
  results(query: string, variables: Variables = {}): Live<ExecutionResult> {
    const collector = new Collector<ExecutionResult>();
    const stop = this.client.subscribe<unknown>(
      { query, variables },
      {
        next: (result) => collector.items.push(result as ExecutionResult),
        error: (error) => {
          collector.end = error;
        },
        complete: () => {
          collector.end ??= 'complete';
        },
      },
    );
    return Object.assign(collector, { stop });
  }

  /** The one field of each result's data. An error ends it. */
  watch<T>(query: string, variables: Variables = {}): Live<T> {
    const collector = new Collector<T>();
    const stop = this.client.subscribe<Record<string, unknown>>(
      { query, variables },
      {
        next: ({ data, errors }) => {
          if (errors || !data) collector.end ??= errors;
          else collector.items.push(Object.values(data)[0] as T);
        },
        error: (error) => {
          collector.end = error;
        },
        complete: () => {
          collector.end ??= 'complete';
        },
      },
    );
    return Object.assign(collector, { stop });
  }
}
