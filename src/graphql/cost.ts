import { PothosValidationError } from '@pothos/core';
import { complexityFromQuery } from '@pothos/plugin-complexity';
import { type ExecutionArgs, GraphQLError, getOperationAST, getVariableValues } from 'graphql';
import { limits } from '../core/limits.ts';

/** Refuses an operation that is too deep, broad or costly, before it is executed or subscribed to (rule A2). */
export function costError({ document, operationName, schema, variableValues }: ExecutionArgs): GraphQLError | null {
  const operation = getOperationAST(document, operationName);
  if (!operation) return null;
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], { ...variableValues });
  // A missing or wrong variable: execution says so better, and does nothing else.
  if (!coerced) return null;
  const definitions = document.definitions.filter(
    (definition) => definition.kind !== 'OperationDefinition' || definition === operation,
  );
  try {
    return overLimit(complexityFromQuery({ ...document, definitions }, { schema, variables: coerced }));
  } catch (error) {
    if (!(error instanceof GraphQLError || error instanceof PothosValidationError)) throw error;
    // Execution would refuse the one field with the wrong argument, and go on with the others at whatever cost.
    return new GraphQLError(error.message, { extensions: { code: 'BAD_INPUT' } });
  }
}

function overLimit(cost: ReturnType<typeof complexityFromQuery>): GraphQLError | null {
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
