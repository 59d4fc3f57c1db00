import { PothosValidationError } from '@pothos/core';
import { complexityFromQuery } from '@pothos/plugin-complexity';
import { type DocumentNode, type ExecutionArgs, GraphQLError } from 'graphql';
import { limits } from '../core/limits.ts';

/** Refuses an operation that is too deep, broad or costly, before it is executed or subscribed to (rule A2). */
export function costError({ document, operationName, schema, variableValues }: ExecutionArgs): GraphQLError | null {
  const definitions = document.definitions.filter(
    (definition) =>
      definition.kind !== 'OperationDefinition' || !operationName || definition.name?.value === operationName,
  );
  const cost = costOf({ ...document, definitions }, { schema, variables: { ...variableValues } });
  if (!cost) return null;
  const over = [
    ['depth', cost.depth, limits.queryDepth],
    ['breadth', cost.breadth, limits.queryBreadth],
    ['complexity', cost.complexity, limits.queryComplexity],
  ].find(([, value = 0, limit = 0]) => value > limit);
  if (!over) return null;
  const [what, value, limit] = over;
  return new GraphQLError(`This operation has ${what} ${value}; at most ${limit} is allowed. Ask for less at a time.`, {
    extensions: { code: 'QUERY_TOO_COMPLEX', [`${what}`]: value, limit },
  });
}

/** Null where a variable is missing or wrong: execution says so better, and does nothing else. */
function costOf(document: DocumentNode, options: Parameters<typeof complexityFromQuery>[1]) {
  try {
    return complexityFromQuery(document, options);
  } catch (error) {
    if (error instanceof GraphQLError || error instanceof PothosValidationError) return null;
    throw error;
  }
}
