import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ExecutionArgs, GraphQLError } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import type { Logger } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import { limits } from '../core/limits.ts';
import type { Caller } from '../graphql/access.ts';
import { pathOf } from './path.ts';
import { type Engine, prepare } from './prepare.ts';
import { graphqlPath, type Yoga } from './yoga.ts';

/** Clients closed at once while draining, and the pause after: they shall not all come back in one moment. */
const drainSlice = 100;
const drainPauseMs = 50;

/** A close code after which clients try again. */
const serviceRestart = 1012;

const pingMs = 12_000;

export interface Websockets {
  readonly count: () => number;
  /** Tells every client to reconnect, slice by slice. */
  drain(): Promise<void>;
}

interface Extra extends Record<PropertyKey, unknown> {
  caller?: Caller;
}

/** `graphql-transport-ws` on the same path as HTTP, behind the same engine. */
export function serveWebsockets(
  server: Server,
  yoga: Yoga,
  authenticate: (authorization: unknown) => Caller,
  logger: Logger,
): Websockets {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: limits.websocketMessageBytes });
  /** Queries and mutations under way: a drain waits for their answers. */
  const running = new Set<Promise<unknown>>();
  let draining = false;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (pathOf(request.url) !== graphqlPath) return refuse(socket, '404 Not Found');
    if (draining || sockets.clients.size >= limits.connections) return refuse(socket, '503 Service Unavailable');
    sockets.handleUpgrade(request, socket, head, (client) => {
      sockets.emit('connection', client, request);
      // ws has closed it by then; graphql-ws would write to the console whatever a client does wrong.
      client.removeAllListeners('error');
      client.on('error', ({ message }) => logger.debug({ reason: message }, 'a websocket was closed for an error'));
    });
  });

  useServer<Record<string, unknown>, Extra>(
    {
      execute: (args) => {
        const execution = Promise.resolve(engineOf(args).execute(args));
        running.add(execution);
        const done = () => void running.delete(execution);
        execution.then(done, done);
        return execution;
      },
      subscribe: (args) => engineOf(args).subscribe(args),
      // False closes with 4403, which clients may retry with another key.
      onConnect: ({ connectionParams, extra }) => {
        try {
          extra.caller = authenticate(connectionParams?.authorization ?? connectionParams?.Authorization);
          return true;
        } catch {
          return false;
        }
      },
      onSubscribe: async (connection, _id, params) => {
        if (Object.keys(connection.subscriptions).length > limits.subscriptionsPerConnection) {
          const message = `A connection may hold ${limits.subscriptionsPerConnection} subscriptions; end some first.`;
          return [new GraphQLError(message, { extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } })];
        }
        const { caller = 'anonymous' } = connection.extra;
        const engine = yoga.getEnveloped({ caller, requestId: crypto.randomUUID(), params } as never);
        const document = prepare(engine, params.query);
        if (!('kind' in document)) return document;
        const args: ExecutionArgs = {
          schema: engine.schema,
          document,
          operationName: params.operationName,
          variableValues: params.variables,
          contextValue: await engine.contextFactory(),
        };
        engines.set(args, engine);
        return args;
      },
    },
    sockets,
    pingMs,
  );

  return {
    count: () => sockets.clients.size,
    drain: async () => {
      draining = true;
      while (running.size > 0) await Promise.allSettled(running);
      // Their answers are being written: that takes microtasks alone.
      await new Promise((resolve) => setImmediate(resolve));
      await closeAll([...sockets.clients]);
    },
  };
}

/** Each operation's own engine: plugins may wrap execution differently for each. */
const engines = new WeakMap<object, Engine>();

function engineOf(args: object): Engine {
  const engine = engines.get(args);
  if (!engine) throw new Error('an operation is executed that was not prepared');
  return engine;
}

function refuse(socket: Duplex, status: string): void {
  // Nobody else listens to a socket that asks for an upgrade: a client that hangs up would end the process.
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
}

async function closeAll(clients: WebSocket[]): Promise<void> {
  for (let i = 0; i < clients.length; i += drainSlice) {
    for (const client of clients.slice(i, i + drainSlice)) client.close(serviceRestart, 'The service restarts');
    if (i + drainSlice < clients.length) await new Promise((resolve) => setTimeout(resolve, drainPauseMs));
  }
  // A client that does not answer the close is not waited for.
  const deadline = setTimeout(() => {
    for (const client of clients) client.terminate();
  }, 1_000);
  await Promise.all(clients.map((client) => closed(client)));
  clearTimeout(deadline);
}

const closed = (client: WebSocket) =>
  new Promise<void>((resolve) => {
    if (client.readyState === client.CLOSED) resolve();
    else client.once('close', () => resolve());
  });
