import { type DocumentNode, type ExecutionArgs, GraphQLError, type ParseOptions, parse, type Source } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import { limits } from '../core/limits.ts';
import type { Context } from '../graphql/context.ts';
import { costError } from '../graphql/cost.ts';
import { maskError } from '../graphql/mask.ts';
import type { Metrics } from './metrics.ts';

/** What is done to every operation, over every transport: bound, name what is wrong with its text, mask, measure. */
export const enginePlugins = (metrics: Metrics, logger: Logger): Plugin[] => [
  limitText(),
  nameErrors(),
  limitCost(),
  leaveSubscriptions(),
  mask(logger),
  measure(metrics),
];

/** Validation takes time that grows with the square of a text, and parsing stack with its depth (rule A2). */
function limitText(): Plugin {
  const bounded = (text: string | Source, options?: ParseOptions): DocumentNode => {
    try {
      return parse(text, { ...options, maxTokens: limits.queryTokens });
    } catch (error) {
      if (error instanceof GraphQLError && !error.message.includes('Parsing aborted')) throw error;
      throw new GraphQLError(
        `The text of an operation may have ${limits.queryTokens} tokens. Ask for less at a time.`,
        {
          extensions: { code: 'QUERY_TOO_COMPLEX' },
        },
      );
    }
  };
  return { onParse: ({ setParseFn }) => setParseFn(bounded) };
}

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
  return { onExecute: refuse as never };
}

/** Subscriptions do not run here (see graphql/live.ts): what gets to this one asked for neither of their transports. */
function leaveSubscriptions(): Plugin {
  const message = 'Subscribe over a websocket, or with "Accept: text/event-stream".';
  const errors = [new GraphQLError(message, { extensions: { code: 'BAD_INPUT' } })];
  return { onSubscribe: ({ setResultAndStopExecution }) => setResultAndStopExecution({ errors }) };
}

interface Result {
  readonly errors?: readonly GraphQLError[];
}

interface Results {
  readonly result: Result | AsyncIterable<Result>;
  readonly setResult: (result: never) => void;
}

/** Here rather than in Yoga's own masking, which does not know the request whose id belongs into the log. */
function mask(logger: Logger): Plugin {
  const masking = (args: { contextValue?: unknown }) => {
    const { requestId } = args.contextValue as Context;
    const maskOne = (error: GraphQLError) =>
      maskError(error, requestId, (cause) => logger.error({ err: cause, requestId }, 'unexpected error in a resolver'));
    return ({ result, setResult }: Results) => {
      if ('errors' in result && result.errors) setResult({ ...result, errors: result.errors.map(maskOne) } as never);
    };
  };
  return { onExecute: ({ args }) => ({ onExecuteDone: masking(args) as never }) };
}

function measure(metrics: Metrics): Plugin {
  return {
    onExecute() {
      const done = metrics.operation();
      return { onExecuteDone: ({ result }) => done('errors' in result && result.errors ? 'error' : 'ok') };
    },
  };
}
