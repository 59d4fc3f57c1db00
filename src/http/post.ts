import type { IncomingMessage } from 'node:http';
import { type ExecutionResult, type GraphQLError, getOperationAST } from 'graphql';
import type { Request } from '../graphql/context.ts';
import { isJsonObject } from './json-object.ts';
import { prepare } from './prepare.ts';
import type { Yoga } from './yoga.ts';

/** A well-formed GraphQL request, as the body of a POST. */
export interface Params {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string;
}

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const graphqlJson = 'application/graphql-response+json';

/** The media type to answer with; null where the request wants something else than one JSON result. */
function acceptedType({ accept = '*/*', 'content-type': contentType = '' }: IncomingMessage['headers']): string | null {
  if (!/^application\/json *(; *charset=utf-8)?$/i.test(contentType)) return null;
  if (/event-stream|multipart|q=/i.test(accept)) return null;
  if (accept.includes(graphqlJson)) return graphqlJson;
  return /application\/json|\*\/\*/.test(accept) ? 'application/json' : null;
}

/**
 * Answers the common case, a POST of well-formed JSON for one JSON result, straight through the engine: it spares the
 * translation to and from fetch objects, which costs more than most queries. Null: let Yoga answer, which knows the
 * rest of the GraphQL-over-HTTP specification.
 */
export async function answerPost(
  yoga: Yoga,
  request: IncomingMessage,
  body: Buffer,
  from: Request,
): Promise<Answer | null> {
  const contentType = acceptedType(request.headers);
  const params = contentType && parseParams(body);
  if (!params || !contentType) return null;
  const engine = yoga.getEnveloped({ ...from, params } as never);
  const failed = (errors: readonly GraphQLError[]): Answer => {
    const status = contentType === graphqlJson ? 400 : 200;
    return { status, contentType, body: JSON.stringify({ errors }) };
  };
  const document = prepare(engine, params.query);
  if (!('kind' in document)) return failed(document);
  const operation = getOperationAST(document, params.operationName)?.operation;
  if (operation === undefined || operation === 'subscription') return null;
  const contextValue = await engine.contextFactory();
  const { variables: variableValues, operationName } = params;
  const result: ExecutionResult = await engine.execute({
    schema: engine.schema,
    document,
    contextValue,
    variableValues,
    operationName,
  });
  if (result.data === undefined) return failed(result.errors ?? []);
  return { status: 200, contentType, body: JSON.stringify(result) };
}

export function parseParams(body: Buffer): Params | null {
  const parsed = parseJson(body);
  if (!isJsonObject(parsed)) return null;
  const { query, variables, operationName, extensions, ...others } = parsed;
  const ok =
    typeof query === 'string' &&
    query !== '' &&
    (variables === undefined || variables === null || isJsonObject(variables)) &&
    (operationName === undefined || operationName === null || typeof operationName === 'string') &&
    (extensions === undefined || extensions === null) &&
    Object.keys(others).length === 0;
  if (!ok) return null;
  return { query, ...(variables && { variables }), ...(operationName && { operationName: String(operationName) }) };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
