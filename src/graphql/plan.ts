import {
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
} from 'graphql';
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';

/** What a plan leaves to graphql-js: errors with all they entail, and types whose objects have to be told apart. */
class Unplanned extends Error {}

/** One execution under way. */
interface Run {
  readonly context: unknown;
  /** What resolvers promised, once it is in its place; none of it rejects. */
  readonly pending: Promise<void>[];
  failed: boolean;
}

type Data = Record<string, unknown>;
type Complete = (value: unknown, run: Run) => unknown;

interface Step {
  /** In the result. */
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly resolve: GraphQLFieldResolver<unknown, unknown>;
  readonly complete: Complete;
}

interface Operation {
  readonly schema: GraphQLSchema;
  readonly fragments: Record<string, FragmentDefinitionNode>;
  readonly variables: Record<string, unknown>;
}

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined;

function take(steps: readonly Step[], source: unknown, run: Run): Data {
  const data: Data = {};
  for (const { name, args, resolve, complete } of steps) {
    // Resolvers of this schema that look at `info` are not found below subscriptions.
    const value = resolve(source, args, run.context, undefined as never);
    if (value instanceof Promise) {
      // Keeps its place among the others.
      data[name] = undefined;
      const put = (found: unknown) => {
        data[name] = complete(found, run);
      };
      const fail = () => {
        run.failed = true;
      };
      run.pending.push(value.then(put).catch(fail));
    } else {
      data[name] = complete(value, run);
    }
  }
  return data;
}

function planFields(operation: Operation, type: GraphQLObjectType, fields: ReadonlyMap<string, readonly FieldNode[]>) {
  return [...fields].map(([name, nodes]): Step => {
    const [node] = nodes;
    // An alias that would not become a field of an object; graphql-js makes its objects without a prototype.
    if (name === '__proto__') throw new Unplanned();
    if (node?.name.value === '__typename') {
      return { name, args: {}, resolve: () => type.name, complete: (value) => value };
    }
    const field = node && type.getFields()[node.name.value];
    if (!field) throw new Unplanned();
    const resolve = field.resolve ?? propertyOf(field.name);
    const args = getArgumentValues(field, node, operation.variables);
    return { name, args, resolve, complete: planValue(operation, field.type, nodes) };
  });
}

/** What graphql-js' own resolver does, but for methods, which no type of this schema has. */
const propertyOf = (name: string) => (source: unknown) => (source as Readonly<Record<string, unknown>>)[name];

/** How a value of a type becomes part of the result. */
function planValue(operation: Operation, type: GraphQLOutputType, nodes: readonly FieldNode[]): Complete {
  if (isNonNullType(type)) {
    const complete = planValue(operation, type.ofType, nodes);
    return (value, run) => {
      if (isNothing(value)) throw new Unplanned();
      return complete(value, run);
    };
  }
  if (isListType(type)) {
    const complete = planValue(operation, type.ofType, nodes);
    const one = (value: unknown, run: Run) => {
      if (value instanceof Promise) throw new Unplanned();
      return complete(value, run);
    };
    return (value, run) => {
      if (isNothing(value)) return null;
      if (!Array.isArray(value)) throw new Unplanned();
      return value.map((each) => one(each, run));
    };
  }
  if (isLeafType(type)) {
    return (value) => {
      if (isNothing(value)) return null;
      const made = type.serialize(value);
      if (isNothing(made)) throw new Unplanned();
      return made;
    };
  }
  if (!isObjectType(type) || type.isTypeOf) throw new Unplanned();
  const { schema, fragments, variables } = operation;
  const steps = planFields(operation, type, collectSubfields(schema, fragments, variables, type, nodes));
  return (value, run) => (isNothing(value) ? null : take(steps, value, run));
}

/** Null where graphql-js has to execute it after all. */
type Planned = Data | null;

/** An operation with its variables, made out once. Null where it cannot be. */
export function planOf(
  args: ExecutionArgs,
): ((rootValue: unknown, context: unknown) => Planned | Promise<Planned>) | null {
  const steps = stepsOf(args);
  return (
    steps &&
    ((rootValue, context) => {
      const run: Run = { context, pending: [], failed: false };
      try {
        const data = take(steps, rootValue, run);
        return run.pending.length === 0 ? data : settled(run).then(() => (run.failed ? null : data));
      } catch {
        return null;
      }
    })
  );
}

async function settled({ pending }: Run): Promise<void> {
  while (pending.length > 0) await Promise.all(pending.splice(0));
}

function stepsOf({ schema, document, operationName, variableValues }: ExecutionArgs): Step[] | null {
  const operation = getOperationAST(document, operationName);
  const type = operation && schema.getRootType(operation.operation);
  if (!operation || !type) return null;
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {});
  if (!coerced) return null;
  const fragments: Record<string, FragmentDefinitionNode> = {};
  for (const one of document.definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments[one.name.value] = one;
  try {
    const fields = collectFields(schema, fragments, coerced, type, operation.selectionSet);
    return planFields({ schema, fragments, variables: coerced }, type, fields);
  } catch {
    // Also an argument that graphql-js will refuse in its own words.
    return null;
  }
}

/**
 * Makes the results of one subscription, an event at a time. What graphql-js works out anew each time (which fields, with
 * what arguments, of what types) stays the same here and is worked out once, which leaves a seventh of its time. Whatever
 * is out of the ordinary it is left to do itself.
 */
export function executor(
  args: ExecutionArgs,
): (rootValue: unknown, contextValue: unknown) => ExecutionResult | Promise<ExecutionResult> {
  let plan: ReturnType<typeof planOf> | undefined;
  return (rootValue, contextValue) => {
    if (plan === undefined) plan = planOf(args);
    const result = (data: Planned) => (data ? { data } : execute({ ...args, rootValue, contextValue }));
    const planned = plan?.(rootValue, contextValue) ?? null;
    return planned instanceof Promise ? planned.then(result) : result(planned);
  };
}
