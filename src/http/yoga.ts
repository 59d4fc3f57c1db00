import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { type ExecutionArgs, GraphQLError } from 'graphql';
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
    plugins: [nameErrors(), limitCost(), measure(metrics)],
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

/** Errors of the query text get their codes here: whatever transport reads them, and however often they are cached. */
function nameErrors(): Plugin {
  return {
    onParse: () => (parsed) => {
      if (parsed.result instanceof GraphQLError) parsed.result.extensions.code ??= 'GRAPHQL_PARSE_FAILED';
    },
    onValidate: () => (validated) => {
      if (validated.valid) return;
      for (const error of validated.result) error.extensions.code ??= 'GRAPHQL_VALIDATION_FAILED';
    },
  };
}

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
  return { onExecute: refuse as never, onSubscribe: refuse as never };
}

function measure(metrics: Metrics): Plugin {
  return {
    onExecute() {
      const done = metrics.operation();
      return { onExecuteDone: ({ result }) => done('errors' in result && result.errors ? 'error' : 'ok') };
    },
  };
}
