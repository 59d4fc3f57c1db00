import { GraphQLError } from 'graphql';
import { isErrorCode, LaurelError } from '../core/errors.ts';

/**
 * What a caller may see of an error: expected ones as they are with their code, mistakes in the query as graphql-js
 * words them, and of anything else no more than that it happened. Every error has one of the codes of docs/errors.md.
 */
export function maskError(
  error: unknown,
  requestId: string | null,
  unexpected: (cause: unknown) => void,
): GraphQLError {
  const cause = error instanceof GraphQLError && error.originalError ? innermost(error.originalError) : error;
  const place = error instanceof GraphQLError ? { nodes: error.nodes ?? null, path: error.path ?? null } : {};
  if (cause instanceof LaurelError) {
    return new GraphQLError(cause.message, { ...place, extensions: { code: cause.code, ...publicDetails(cause) } });
  }
  if (cause instanceof GraphQLError) {
    const { nodes, source, positions, path } = cause;
    const where = nodes || source ? { nodes: nodes ?? null, source, positions, path: path ?? null } : place;
    return new GraphQLError(cause.message, { ...where, extensions: publicExtensions(cause) });
  }
  unexpected(cause);
  return new GraphQLError('Something unexpected went wrong; the log has more under the request id.', {
    ...place,
    extensions: { code: 'INTERNAL', ...(requestId !== null && { requestId }) },
  });
}

const innermost = (error: Error): Error =>
  error instanceof GraphQLError && error.originalError ? innermost(error.originalError) : error;

/** The engine's codes are many and its own; ours are listed. `http` is for the transport, which takes it off. */
function publicExtensions({ extensions }: GraphQLError): Record<string, unknown> {
  const code = String(extensions.code);
  if (isErrorCode(code) || /^GRAPHQL_(PARSE|VALIDATION)_FAILED$/.test(code)) return { ...extensions };
  // What is no GraphQL request at all is refused with its status, whatever answer the client accepts.
  const http = code === 'BAD_REQUEST' ? { ...(extensions.http as object), spec: false } : extensions.http;
  return { ...(http !== undefined && { http }), code: 'BAD_INPUT' };
}

/** What Redis or the database said stays in the log. */
function publicDetails({ code, details }: LaurelError): Readonly<Record<string, unknown>> {
  return code === 'STORE_UNAVAILABLE' || code === 'ARCHIVE_UNAVAILABLE' ? {} : details;
}
