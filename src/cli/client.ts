import { setTimeout as pause } from 'node:timers/promises';
import { CliFailure, messageOf } from './failure.ts';

export interface ClientOptions {
  readonly url: string;
  readonly key: string | null;
  /** Where the key came from, or would have: for the message when it is refused. */
  readonly keyOrigin: string;
  /** Ends the waiting between attempts. */
  readonly signal: AbortSignal;
  /** How long a call that may be repeated is tried. */
  readonly patienceMs?: number;
  /** Hears about each attempt that failed. */
  readonly onRetry?: (problem: string, waitMs: number) => void;
}

/** An error that the service answered with. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: string;
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(message: string, extensions: Readonly<Record<string, unknown>>) {
    super(message);
    this.code = String(extensions.code ?? 'INTERNAL');
    this.extensions = extensions;
  }
}

/** The service did not answer, or said that it can't just now. */
class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

interface GraphqlAnswer<T> {
  readonly data?: T | null;
  readonly errors?: readonly { message: string; extensions?: Record<string, unknown> }[];
}

const attemptTimeoutMs = 30_000;
const firstWaitMs = 250;
const longestWaitMs = 5000;
const temporaryCodes = new Set(['STORE_UNAVAILABLE', 'LEADERBOARD_CHANGED']);

/** Laurel's GraphQL API, as far as the command line uses it. */
export class Client {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** One attempt: for what must not happen twice, and for where waiting would only hide that nothing runs there. */
  async request<T>(document: string, variables: Readonly<Record<string, unknown>> = {}): Promise<T> {
    try {
      return await this.#attempt<T>(document, variables);
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** Tries again while the service or its store is away: only for what may happen twice. */
  async repeat<T>(document: string, variables: Readonly<Record<string, unknown>> = {}): Promise<T> {
    const deadline = performance.now() + (this.#options.patienceMs ?? 60_000);
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        return await this.#attempt<T>(document, variables);
      } catch (error) {
        const over = performance.now() + waitMs > deadline || this.#options.signal.aborted;
        if (over || !isTemporary(error)) throw this.#explained(error);
        this.#options.onRetry?.(messageOf(error), waitMs);
        // Ctrl-C ends the wait; the attempt that follows is the last.
        await pause(waitMs, undefined, { signal: this.#options.signal }).catch(() => undefined);
      }
    }
  }

  async #attempt<T>(document: string, variables: Readonly<Record<string, unknown>>): Promise<T> {
    const { url, key } = this.#options;
    const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
    if (key !== null) headers.authorization = `Bearer ${key}`;
    const body = JSON.stringify({ query: document, variables });
    const signal = AbortSignal.timeout(attemptTimeoutMs);
    let status: number;
    let text: string;
    try {
      const response = await fetch(endpointOf(url), { method: 'POST', headers, body, signal });
      status = response.status;
      text = await response.text();
    } catch (error) {
      throw new Unavailable(reasonOf(error));
    }
    return readAnswer<T>(status, text, url);
  }

  #explained(error: unknown): unknown {
    const { url, key, keyOrigin } = this.#options;
    if (error instanceof Unavailable) {
      return new CliFailure(
        `Laurel does not answer at ${url} (${error.message}).\nStart it with \`npm start\`, or say where it runs: --url or LAUREL_URL.`,
      );
    }
    if (error instanceof ServiceError && ['UNAUTHENTICATED', 'FORBIDDEN'].includes(error.code)) {
      const advice = key === null ? `No API key was found in ${keyOrigin}` : `The API key from ${keyOrigin} was sent`;
      return new CliFailure(
        `${error.message}\n${advice}. It must be the service's own: set ADMIN_API_KEY, or DATA_DIR to the service's directory.`,
      );
    }
    return error;
  }
}

/** An address without a path is that of the service, whose API is at /graphql. */
function endpointOf(url: string): URL {
  const endpoint = new URL(url);
  if (endpoint.pathname === '/') endpoint.pathname = '/graphql';
  return endpoint;
}

function readAnswer<T>(status: number, text: string, url: string): T {
  let answer: GraphqlAnswer<T> | null = null;
  try {
    answer = JSON.parse(text) as GraphqlAnswer<T> | null;
  } catch {
    // Whatever stands between answered in its own way; the status says enough.
  }
  const error = answer?.errors?.[0];
  if (error) throw new ServiceError(error.message, error.extensions ?? {});
  if (answer?.data) return answer.data;
  if (status >= 500 || status === 429) throw new Unavailable(`HTTP status ${status}`);
  throw new CliFailure(`What answers at ${url} (HTTP status ${status}) is not Laurel's GraphQL API.`);
}

const isTemporary = (error: unknown): boolean =>
  error instanceof Unavailable || (error instanceof ServiceError && temporaryCodes.has(error.code));

/** `fetch failed` says nothing: the reason is in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error) return 'code' in cause && cause.code ? String(cause.code) : cause.message;
  return messageOf(error);
}
