import type { IncomingMessage, ServerResponse } from 'node:http';
import { getOperationAST } from 'graphql';
import type { Request } from '../graphql/context.ts';
import type { LiveOperations } from '../graphql/live.ts';
import { roomBytes, type Sink } from '../live/sink.ts';
import { inSlices } from './drain.ts';
import { type Params, parseParams } from './post.ts';
import { prepare } from './prepare.ts';
import type { SlowClients } from './slow-clients.ts';
import type { Yoga } from './yoga.ts';

const pingMs = 12_000;

/** Results as events, made once for all streams that share the bytes. */
const events = new WeakMap<Buffer, Buffer>();

function eventOf(result: Buffer): Buffer {
  const made = events.get(result) ?? Buffer.concat([Buffer.from('event: next\ndata: '), result, Buffer.from('\n\n')]);
  events.set(result, made);
  return made;
}

class StreamSink implements Sink {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  hasRoom(): boolean {
    return this.#response.writableLength < roomBytes;
  }

  send(result: Buffer): void {
    if (!this.#response.writableEnded) this.#response.write(eventOf(result));
  }

  complete(): void {
    if (!this.#response.writableEnded) this.#response.end('event: complete\ndata:\n\n');
  }
}

/** Event streams of this process: GraphQL over SSE in its distinct connections mode, one operation for each stream. */
export class EventStreams {
  readonly #yoga: Yoga;
  readonly #live: LiveOperations;
  readonly #slow: SlowClients;
  readonly #open = new Set<ServerResponse>();
  readonly #ping: NodeJS.Timeout;

  constructor(yoga: Yoga, live: LiveOperations, slow: SlowClients) {
    this.#yoga = yoga;
    this.#live = live;
    this.#slow = slow;
    this.#ping = setInterval(() => this.#pingAll(), pingMs);
  }

  get count(): number {
    return this.#open.size;
  }

  /** A stream that just ended would mean "no more to come": cut it, and its client reconnects. */
  async close(): Promise<void> {
    clearInterval(this.#ping);
    await inSlices(this.#open, (response) => response.destroy());
  }

  /** Serves a subscription; false where the request is something else, or wrong, which Yoga knows how to answer. */
  async serve(
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer | null,
    from: Request,
  ): Promise<boolean> {
    const params = body ? parseParams(body) : paramsOf(request.url ?? '/');
    if (!params) return false;
    const engine = this.#yoga.getEnveloped({ ...from, params } as never);
    const document = prepare(engine, params.query);
    const operationName = params.operationName ?? null;
    if (!('kind' in document) || getOperationAST(document, operationName)?.operation !== 'subscription') return false;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
    });
    // Some browsers wait for a first byte before they say that the stream is open.
    response.write(':\n\n');
    const sink = new StreamSink(response);
    const closed = new Promise<void>((resolve) => response.once('close', () => resolve()));
    this.#open.add(response);
    const release = this.#slow.watch(request.socket, { roomy: () => {}, stalled: () => response.destroy() });
    const joined = await this.#live.subscribe(
      { ...from, document, operationName, variables: params.variables ?? {} },
      sink,
    );
    if ('errors' in joined) {
      sink.send(Buffer.from(JSON.stringify({ errors: joined.errors })));
      sink.complete();
    }
    await closed;
    this.#open.delete(response);
    release();
    if ('leave' in joined) joined.leave();
    return true;
  }

  #pingAll(): void {
    for (const response of this.#open) if (response.writableLength === 0) response.write(':\n\n');
  }
}

/** A request in a URL, as browsers' EventSource sends it. */
function paramsOf(url: string): Params | null {
  const { searchParams } = new URL(url, 'http://localhost');
  const [query, variables, operationName] = ['query', 'variables', 'operationName'].map((name) =>
    searchParams.get(name),
  );
  if (!query) return null;
  const body = `{"query":${JSON.stringify(query)},"variables":${variables || 'null'},"operationName":${JSON.stringify(operationName || null)}}`;
  return parseParams(Buffer.from(body));
}
