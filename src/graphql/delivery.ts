import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  Kind,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { LaurelError } from '../core/errors.ts';

/** What each subscriber may ask for by itself, without a difference in what it is sent. */
const ownArguments = ['since', 'throttleMs'];

const mostThrottleMs = 60_000;

export interface Delivery {
  readonly since: string | null;
  readonly throttleMs: number;
  /** Whether nobody else can share what it is sent: one that begins at a place of its own. */
  readonly alone: boolean;
  /** Variables that nothing but `since` and `throttleMs` depends on. */
  readonly ownVariables: readonly string[];
}

/** The one field of a subscription, through fragments. */
function rootFieldOf(document: DocumentNode, { selections }: SelectionSetNode): FieldNode | null {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) return selection;
    const named = (definition: DocumentNode['definitions'][number]): definition is FragmentDefinitionNode =>
      definition.kind === Kind.FRAGMENT_DEFINITION &&
      selection.kind === Kind.FRAGMENT_SPREAD &&
      definition.name.value === selection.name.value;
    const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : document.definitions.find(named);
    const field = inner && rootFieldOf(document, inner.selectionSet);
    if (field) return field;
  }
  return null;
}

/** How often each variable is used. */
function usesOf(document: DocumentNode): Map<string, number> {
  const uses = new Map<string, number>();
  visit(document, {
    VariableDefinition: () => false,
    Variable: ({ name: { value } }) => {
      uses.set(value, (uses.get(value) ?? 0) + 1);
    },
  });
  return uses;
}

/** Reads what a checked subscription says of its own delivery. Throws BAD_INPUT. */
export function deliveryOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null,
  variables: Readonly<Record<string, unknown>>,
): Delivery | { errors: readonly GraphQLError[] } {
  const operation = getOperationAST(document, operationName);
  const field = operation && rootFieldOf(document, operation.selectionSet);
  const definition = field && schema.getSubscriptionType()?.getFields()[field.name.value];
  if (!operation || !field || !definition) throw new LaurelError('BAD_INPUT', 'There is no subscription to start.');
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  if (!coerced) return { errors: errors ?? [] };
  const { since, throttleMs = 0 } = getArgumentValues(definition, field, coerced);
  if (!(Number(throttleMs) >= 0 && Number(throttleMs) <= mostThrottleMs)) {
    throw new LaurelError('BAD_INPUT', `throttleMs must be from 0 to ${mostThrottleMs} milliseconds.`);
  }
  // A feed begins where `since` says: what it sends depends on it.
  const shared = definition.args.some(({ name }) => name === 'throttleMs');
  const uses = shared ? usesOf(document) : new Map<string, number>();
  const ownVariables = (field.arguments ?? []).flatMap(({ name, value }) =>
    ownArguments.includes(name.value) && value.kind === Kind.VARIABLE && uses.get(value.name.value) === 1
      ? [value.name.value]
      : [],
  );
  const from = typeof since === 'string' ? since : null;
  return { since: from, throttleMs: Number(throttleMs), alone: from !== null && !shared, ownVariables };
}
