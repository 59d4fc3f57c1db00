import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import type { Logger } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import { limits } from '../core/limits.ts';
import type { Caller } from '../graphql/access.ts';
import type { LiveOperations, LiveRequest } from '../graphql/live.ts';
import { roomBytes } from '../live/sink.ts';
import { drain } from './drain.ts';
import { pathOf } from './path.ts';
import { type Engine, prepare } from './prepare.ts';
import type { SlowClients } from './slow-clients.ts';
import { SocketSink } from './socket-sink.ts';
import { graphqlPath, type Yoga } from './yoga.ts';

/** Clients come back after this close code. */
const tryAgainLater = 1013;

/** How long a client that has stalled may take to answer the close. */
const farewellMs = 1_000;

const pingMs = 12_000;

export interface Websockets {
  readonly count: () => number;
  /** Tells every client to reconnect, slice by slice. */
  drain(): Promise<void>;
}

interface Extra extends Record<PropertyKey, unknown> {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  caller?: Caller;
}

/** What a prepared operation is run with: plugins may wrap execution differently for each. */
interface Operation {
  readonly engine: Engine;
  readonly live: LiveRequest;
  readonly sink: SocketSink;
}

/** `graphql-transport-ws` on the same path as HTTP, behind the same engine. */
export function serveWebsockets(
  server: Server,
  yoga: Yoga,
  live: LiveOperations,
  slow: SlowClients,
  { authenticate, logger }: { authenticate: (authorization: unknown) => Caller; logger: Logger },
): Websockets {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: limits.websocketMessageBytes });
  /** Queries and mutations under way: a drain waits for their answers. */
  const running = new Set<Promise<unknown>>();
  let draining = false;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (pathOf(request.url) !== graphqlPath) return refuse(socket, '404 Not Found');
    if (draining || sockets.clients.size >= limits.connections) return refuse(socket, '503 Service Unavailable');
    sockets.handleUpgrade(request, socket, head, (client) => {
      guard(client, request.socket, slow);
      sockets.emit('connection', client, request);
      // ws has closed it by then; graphql-ws would write to the console whatever a client does wrong.
      client.removeAllListeners('error');
      client.on('error', ({ message }) => logger.debug({ reason: message }, 'a websocket was closed for an error'));
    });
  });
  const operations = new WeakMap<object, Operation>();
  const operationOf = (args: object) => {
    const operation = operations.get(args);
    if (!operation) throw new Error('an operation is executed that was not prepared');
    return operation;
  };

  useServer<Record<string, unknown>, Extra>(
    {
      execute: (args) => {
        const execution = Promise.resolve(operationOf(args).engine.execute(args));
        running.add(execution);
        const done = () => void running.delete(execution);
        execution.then(done, done);
        return execution;
      },
      subscribe: (args) => join(live, operationOf(args)),
      // False closes with 4403, which clients may retry with another key.
      onConnect: ({ connectionParams, extra }) => {
        try {
          extra.caller = authenticate(connectionParams?.authorization ?? connectionParams?.Authorization);
          return true;
        } catch {
          return false;
        }
      },
      onSubscribe: async (connection, id, params) => {
        if (Object.keys(connection.subscriptions).length > limits.subscriptionsPerConnection) {
          const message = `A connection may hold ${limits.subscriptionsPerConnection} subscriptions; end some first.`;
          return [new GraphQLError(message, { extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } })];
        }
        const { caller = 'anonymous', socket, request } = connection.extra;
        const from = { caller, requestId: crypto.randomUUID() };
        const engine = yoga.getEnveloped({ ...from, params } as never);
        const document = prepare(engine, params.query);
        if (!('kind' in document)) return document;
        const args: ExecutionArgs = {
          schema: engine.schema,
          document,
          operationName: params.operationName,
          variableValues: params.variables,
          contextValue: await engine.contextFactory(),
        };
        const { operationName = null, variables } = params;
        operations.set(args, {
          engine,
          sink: new SocketSink(socket, request.socket, id),
          live: { ...from, document, operationName, variables: variables ?? {} },
        });
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
      await drain([...sockets.clients]);
    },
  };
}

async function join(live: LiveOperations, { live: request, sink }: Operation): Promise<SocketSink | ExecutionResult> {
  const joined = await live.subscribe(request, sink);
  return 'errors' in joined ? joined : sink.onEnd(joined.leave);
}

/** A client that does not read is not listened to either, and closed after a while. */
function guard(client: WebSocket, socket: Socket, slow: SlowClients): void {
  client.on('message', () => {
    if (client.bufferedAmount >= roomBytes) client.pause();
  });
  const release = slow.watch(socket, {
    roomy: () => client.isPaused && client.resume(),
    stalled: () => {
      client.close(tryAgainLater, 'The client reads too slowly');
      setTimeout(() => client.terminate(), farewellMs);
    },
  });
  client.once('close', release);
}

function refuse(socket: Duplex, status: string): void {
  // Nobody else listens to a socket that asks for an upgrade: a client that hangs up would end the process.
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
}
