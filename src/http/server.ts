import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { LaurelError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import type { Services } from '../graphql/context.ts';
import { LiveOperations } from '../graphql/live.ts';
import { maskError } from '../graphql/mask.ts';
import { makeAuthenticate } from './auth.ts';
import { readBody } from './body.ts';
import { EventStreams } from './event-stream.ts';
import type { Metrics } from './metrics.ts';
import { pathOf } from './path.ts';
import { answerPost } from './post.ts';
import { SlowClients } from './slow-clients.ts';
import { serveWebsockets, type Websockets } from './websocket.ts';
import { graphqlPath, makeYoga } from './yoga.ts';

export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  readonly adminApiKey: string;
  readonly services: Services;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Whether requests can be answered just now; throws or is false where not. */
  readonly ready: () => Promise<boolean>;
}

export interface HttpServer {
  /** Base address, without a path. */
  readonly url: string;
  readonly websockets: Websockets;
  /** Running subscriptions, over whatever transport. */
  readonly subscriptions: () => number;
  /** Takes nothing new, finishes what was begun, tells streams to come back; resolves when all is quiet. */
  close(): Promise<void>;
}

/** How long answers under way may take to be read when the service drains. */
const answerTimeoutMs = 5_000;

/** Everything over HTTP: `/graphql` in all its transports, and the pages that watch over the service. */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const { services, metrics, logger } = options;
  const authenticate = makeAuthenticate(options.adminApiKey);
  const yoga = makeYoga(services, metrics, logger);
  const live = new LiveOperations(services, (error, requestId) =>
    maskError(error, requestId, (cause) =>
      logger.error({ err: cause, requestId }, 'unexpected error in a subscription'),
    ),
  );
  const slow = new SlowClients();
  const streams = new EventStreams(yoga, live, slow);
  const answering = new Set<ServerResponse>();
  let draining = false;

  async function answer(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
    const pathname = pathOf(request.url);
    if (pathname === '/healthz') return send(response, 200, 'text/plain', 'ok\n');
    if (pathname === '/readyz') {
      const ready = !draining && (await options.ready().catch(() => false));
      return send(response, ready ? 200 : 503, 'text/plain', ready ? 'ready\n' : 'not ready\n');
    }
    if (pathname === '/metrics') {
      const { contentType, body } = await metrics.text();
      return send(response, 200, contentType, body);
    }
    if (pathname === '/') return redirect(response, graphqlPath);
    if (pathname !== graphqlPath)
      return send(response, 404, 'text/plain', `Not found. GraphQL is at ${graphqlPath}.\n`);
    const from = { caller: authenticate(request.headers.authorization), requestId };
    const wantsStream = request.headers.accept?.includes('text/event-stream') ?? false;
    if (wantsStream && (draining || streams.count >= limits.connections))
      return send(response, 503, 'text/plain', draining ? 'The service restarts\n' : 'Too many streams\n');
    if (request.method === 'GET' && wantsStream && (await streams.serve(request, response, null, from))) return;
    if (request.method === 'GET') checkVariables(request.url);
    if (request.method === 'POST') {
      const body = await readBody(request);
      if (wantsStream && (await streams.serve(request, response, body, from))) return;
      const answered = await answerPost(yoga, request, body, from);
      if (answered) {
        response.setHeader('access-control-allow-origin', '*');
        return send(response, answered.status, `${answered.contentType}; charset=utf-8`, answered.body);
      }
      // The body is read: Yoga takes it from here instead of from the socket.
      Object.assign(request, { body: Readable.from([body]) });
    }
    await yoga.handle(request, response, from);
  }

  const server = createServer((request, response) => {
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : crypto.randomUUID();
    response.setHeader('x-request-id', requestId);
    answering.add(response);
    response.once('close', () => answering.delete(response));
    if (draining) response.setHeader('connection', 'close');
    const began = performance.now();
    answer(request, response, requestId)
      .catch((error: unknown) => fail(error, request, response, logger.child({ requestId })))
      .finally(() => {
        const { method, url } = request;
        const path = pathOf(url);
        const tookMs = Math.round(performance.now() - began);
        logger.debug({ requestId, method, path, status: response.statusCode, tookMs }, 'request');
      });
  });
  // A slow sender may not hold a connection for ever.
  server.requestTimeout = 30_000;
  const websockets = serveWebsockets(server, yoga, live, slow, { authenticate, logger });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });

  return {
    url: addressOf(server.address() as AddressInfo),
    websockets,
    subscriptions: () => live.subscriberCount,
    close: async () => {
      draining = true;
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.all([websockets.drain(), streams.close()]);
      slow.close();
      const deadline = AbortSignal.timeout(answerTimeoutMs);
      const quiet = async () => {
        while (answering.size > 0) {
          await Promise.all([...answering].map((response) => once(response, 'close', { signal: deadline })));
        }
      };
      // A client that does not read its answer is not waited for.
      await quiet().catch(() => {});
      // What is left has not asked for anything, and might not for ever.
      server.closeAllConnections();
      await closed;
    },
  };
}

function addressOf({ address, port, family }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }).end(body);
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}

/** Yoga takes a mistake in the variables of a GET for one of ours. */
function checkVariables(url = '/'): void {
  const variables = new URL(url, 'http://localhost').searchParams.get('variables');
  if (!variables) return;
  try {
    JSON.parse(variables);
  } catch {
    throw new LaurelError('BAD_INPUT', 'variables must be JSON.');
  }
}

const statuses: Partial<Record<LaurelError['code'], number>> = {
  BAD_INPUT: 400,
  UNAUTHENTICATED: 401,
  BODY_TOO_LARGE: 413,
};

/** What failed before or outside GraphQL. */
function fail(error: unknown, request: IncomingMessage, response: ServerResponse, logger: Logger): void {
  if (response.headersSent || request.socket.destroyed) {
    response.destroy();
    return;
  }
  const { code, message } =
    error instanceof LaurelError ? error : ({ code: 'INTERNAL', message: 'Something unexpected went wrong.' } as const);
  if (code === 'INTERNAL') logger.error({ err: error }, 'unexpected error in a request');
  response.setHeader('access-control-allow-origin', '*');
  send(
    response,
    statuses[code] ?? 500,
    'application/json',
    JSON.stringify({ errors: [{ message, extensions: { code } }] }),
  );
  // What the client still sends is thrown away: a connection closed on it may take the answer along.
  request.resume();
}
