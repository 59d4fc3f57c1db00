import { GraphQLError } from 'graphql';
import { LaurelError } from '../core/errors.ts';

/**
 * What a caller may see of an error: expected ones as they are with their code, mistakes in the query as graphql-js
 * words them, and of anything else no more than that it happened.
 */
export function maskError(error: unknown, unexpected: (cause: unknown) => void): GraphQLError {
  const cause = error instanceof GraphQLError && error.originalError ? innermost(error.originalError) : error;
  const place = error instanceof GraphQLError ? { nodes: error.nodes ?? null, path: error.path ?? null } : {};
  if (cause instanceof LaurelError) {
    return new GraphQLError(cause.message, { ...place, extensions: { code: cause.code, ...publicDetails(cause) } });
  }
  if (cause instanceof GraphQLError) {
    cause.extensions.code ??= 'BAD_INPUT';
    return cause;
  }
  unexpected(cause);
  return new GraphQLError('Something unexpected went wrong; the log has more under the request id.', {
    ...place,
    extensions: { code: 'INTERNAL' },
  });
}

const innermost = (error: Error): Error =>
  error instanceof GraphQLError && error.originalError ? innermost(error.originalError) : error;

/** What Redis or the database said stays in the log. */
function publicDetails({ code, details }: LaurelError): Readonly<Record<string, unknown>> {
  return code === 'STORE_UNAVAILABLE' || code === 'ARCHIVE_UNAVAILABLE' ? {} : details;
}
