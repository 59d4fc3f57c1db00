import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import { type Context, createContext, type Request, type Services } from '../graphql/context.ts';
import { costError } from '../graphql/cost.ts';
import { maskError } from '../graphql/mask.ts';
import { schema } from '../graphql/schema.ts';
import { exampleTabs } from './examples.ts';
import type { Metrics } from './metrics.ts';

export const graphqlPath = '/graphql';

/** The GraphQL engine behind every transport: parse, validate, cost, execute, mask. */
export function makeYoga(services: Services, metrics: Metrics, logger: Logger) {
  return createYoga<Request, Context>({
    schema,
    graphqlEndpoint: graphqlPath,
    context: ({ caller, requestId }) => createContext(services, { caller, requestId }),
    plugins: [limitCost(), measure(metrics)],
    maskedErrors: {
      maskError: (error) => maskError(error, (cause) => logger.error({ err: cause }, 'unexpected error in a resolver')),
    },
    // The raw handler bounds bodies: Yoga's own limit halves the throughput.
    maxRequestBodySize: false,
    cors: { origin: '*', credentials: false, allowedHeaders: ['authorization', 'content-type', 'x-request-id'] },
    multipart: false,
    batching: false,
    landingPage: false,
    logging: false,
    graphiql: { title: 'Laurel', subscriptionsProtocol: 'WS', defaultTabs: exampleTabs },
    renderGraphiQL,
  });
}

export type Yoga = ReturnType<typeof makeYoga>;

function limitCost(): Plugin {
  const refuse = ({
    args,
    setResultAndStopExecution,
  }: {
    args: ExecutionArgs;
    setResultAndStopExecution: (result: { errors: Error[] }) => void;
  }) => {
    const error = costError(args);
    if (error) setResultAndStopExecution({ errors: [error] });
  };
  // Subscriptions do not run here (see graphql/live.ts): what gets to this one asked for neither of their transports.
  const elsewhere = ({
    setResultAndStopExecution,
  }: {
    setResultAndStopExecution: (result: ExecutionResult) => void;
  }) => {
    const message = 'Subscribe over a websocket, or with "Accept: text/event-stream".';
    setResultAndStopExecution({ errors: [new GraphQLError(message, { extensions: { code: 'BAD_INPUT' } })] });
  };
  return { onExecute: refuse as never, onSubscribe: elsewhere as never };
}

function measure(metrics: Metrics): Plugin {
  return {
    onExecute() {
      const done = metrics.operation();
      return { onExecuteDone: ({ result }) => done('errors' in result && result.errors ? 'error' : 'ok') };
    },
  };
}
