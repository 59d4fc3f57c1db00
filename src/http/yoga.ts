import { createYoga } from 'graphql-yoga';
import type { Logger } from 'pino';
import { type Context, createContext, type Request, type Services } from '../graphql/context.ts';
import { maskError } from '../graphql/mask.ts';
import { schema } from '../graphql/schema.ts';
import { enginePlugins } from './engine-plugins.ts';
import { graphiqlPage } from './graphiql.ts';
import type { Metrics } from './metrics.ts';

export const graphqlPath = '/graphql';

/** The GraphQL engine behind every transport: parse, validate, cost, execute, mask. */
export function makeYoga(services: Services, metrics: Metrics, logger: Logger) {
  return createYoga<Request, Context>({
    schema,
    graphqlEndpoint: graphqlPath,
    context: ({ caller, requestId }) => createContext(services, { caller, requestId }),
    plugins: enginePlugins(metrics, logger),
    maskedErrors: {
      // What fails before there is an operation.
      maskError: (error) =>
        maskError(error, null, (cause) => logger.error({ err: cause }, 'unexpected error before an operation')),
    },
    // The raw handler bounds bodies: Yoga's own limit halves the throughput.
    maxRequestBodySize: false,
    cors: { origin: '*', credentials: false, allowedHeaders: ['authorization', 'content-type', 'x-request-id'] },
    multipart: false,
    batching: false,
    landingPage: false,
    logging: false,
    renderGraphiQL: graphiqlPage,
  });
}

export type Yoga = ReturnType<typeof makeYoga>;
