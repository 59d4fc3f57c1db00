import { createSourceEventStream, type DocumentNode, type ExecutionResult, type GraphQLError } from 'graphql';
import { Audience } from '../live/audience.ts';
import type { Fed } from '../live/feed.ts';
import { FeedAudience } from '../live/feed-audience.ts';
import { Latest } from '../live/latest.ts';
import { PeriodTurns } from '../live/period-turns.ts';
import { hasSeen } from '../live/position.ts';
import type { Sink } from '../live/sink.ts';
import type { ViewState } from '../live/view.ts';
import { viewpointOf } from './access.ts';
import { createContext, type Request, type Services } from './context.ts';
import { costError } from './cost.ts';
import { type Delivery, deliveryOf } from './delivery.ts';
import { executor } from './plan.ts';
import { schema } from './schema.ts';

/** A subscription that was parsed and validated. */
export interface LiveRequest extends Request {
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

export type Joined = { readonly leave: () => void } | { readonly errors: readonly GraphQLError[] };

interface Group {
  /** Null once everybody has left. */
  join(sink: Sink, delivery: Delivery): (() => void) | null;
}

/**
 * Running subscriptions. Those with the same document, variables (less `since` and `throttleMs`) and rights are one
 * group: each state is executed and serialised once, whatever the number of subscribers.
 */
export class LiveOperations {
  readonly #services: Services;
  readonly #mask: (error: unknown, requestId: string) => GraphQLError;
  /** By document: the parser gives equal texts the same one, and lets it go when it is not used any more. */
  readonly #groups = new WeakMap<DocumentNode, Map<string, Promise<Group | { errors: readonly GraphQLError[] }>>>();
  #subscribers = 0;

  constructor(services: Services, mask: (error: unknown, requestId: string) => GraphQLError) {
    this.#services = services;
    this.#mask = mask;
  }

  /** Those that are only beginning included. */
  get subscriberCount(): number {
    return this.#subscribers;
  }

  /** Sends a subscription's results to a sink until `leave` is called or the source ends. */
  async subscribe(request: LiveRequest, sink: Sink): Promise<Joined> {
    this.#subscribers += 1;
    let gone = false;
    const count = () => {
      if (!gone) this.#subscribers -= 1;
      gone = true;
    };
    const joined = await this.#join(request, sink).catch((error: unknown) => ({
      errors: this.#masked([error], request),
    }));
    if ('errors' in joined) {
      count();
      return joined;
    }
    return {
      leave: () => {
        if (!gone) joined.leave();
        count();
      },
    };
  }

  async #join(request: LiveRequest, sink: Sink): Promise<Joined> {
    const delivery = deliveryOf(schema, request.document, request.operationName, request.variables);
    if ('errors' in delivery) return { errors: this.#masked(delivery.errors, request) };
    for (;;) {
      const group = await this.#group(request, delivery);
      if ('errors' in group) return group;
      const leave = group.join(sink, delivery);
      if (leave) return { leave };
    }
  }

  #group(
    request: LiveRequest,
    { alone, ownVariables }: Delivery,
  ): Promise<Group | { errors: readonly GraphQLError[] }> {
    if (alone) return this.#open(request, () => {});
    const groups = this.#groups.get(request.document) ?? new Map();
    this.#groups.set(request.document, groups);
    const shared = Object.entries(request.variables).filter(([name]) => !ownVariables.includes(name));
    const key = JSON.stringify([viewpointOf(request.caller), request.operationName, ...shared.sort(byName)]);
    const held = groups.get(key);
    if (held) return held;
    const forget = () => {
      if (groups.get(key) === made) groups.delete(key);
    };
    const made = this.#open(request, forget).catch((error: unknown) => ({ errors: this.#masked([error], request) }));
    groups.set(key, made);
    void made.then((group) => {
      if ('errors' in group) forget();
    });
    return made;
  }

  async #open(request: LiveRequest, forget: () => void): Promise<Group | { errors: readonly GraphQLError[] }> {
    const { document, operationName, variables } = request;
    const args = { schema, document, operationName, variableValues: variables };
    const error = costError(args);
    if (error) return { errors: [error] };
    const source = await createSourceEventStream({ ...args, contextValue: createContext(this.#services, request) });
    if (!(Symbol.asyncIterator in source)) return { errors: this.#masked(source.errors ?? [], request) };
    let ended = false;
    const end = () => {
      ended = true;
      forget();
    };
    const run = executor(args);
    const render = (rootValue: unknown) => this.#render(run, request, rootValue);
    if (!(source instanceof Latest)) {
      const feed = source[Symbol.asyncIterator]() as AsyncIterator<Fed<unknown>>;
      const audience = new FeedAudience(feed, render, end, source instanceof PeriodTurns ? source : null);
      return { join: (sink) => (ended ? null : audience.join(sink)) };
    }
    const audience = new Audience<ViewState>(source, render, end);
    return {
      join: (sink, { since, throttleMs }) => {
        if (ended) return null;
        const seen = (state: ViewState) => since !== null && !state.stale && hasSeen(since, state);
        const follows = (state: ViewState, before: ViewState) => state.line === before.line;
        return audience.join(sink, { throttleMs, resumed: since !== null, hasSeen: seen, follows });
      },
    };
  }

  /** One result as bytes. Every one has its own context: nothing loaded for an earlier one is used again. */
  #render(run: ReturnType<typeof executor>, request: Request, rootValue: unknown): Buffer | Promise<Buffer> {
    const failed = (error: unknown) => Buffer.from(JSON.stringify({ errors: this.#masked([error], request) }));
    try {
      const result = run(rootValue, createContext(this.#services, request));
      return 'then' in result
        ? result.then((made) => this.#bytes(made, request)).catch(failed)
        : this.#bytes(result, request);
    } catch (error) {
      return failed(error);
    }
  }

  #bytes({ errors, data }: ExecutionResult, request: Request): Buffer {
    return Buffer.from(JSON.stringify(errors ? { errors: this.#masked(errors, request), data } : { data }));
  }

  #masked(errors: readonly unknown[], { requestId }: Request): readonly GraphQLError[] {
    return errors.map((error) => this.#mask(error, requestId));
  }
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);
