import { type DocumentNode, GraphQLError } from 'graphql';
import type { Yoga } from './yoga.ts';

export type Engine = ReturnType<Yoga['getEnveloped']>;

/** A checked document, or what is wrong with it. */
export function prepare(engine: Engine, query: string): DocumentNode | readonly GraphQLError[] {
  try {
    const document: DocumentNode = engine.parse(query);
    const errors: readonly GraphQLError[] = engine.validate(engine.schema, document);
    return errors.length > 0 ? errors.map(shown) : document;
  } catch (error) {
    if (error instanceof GraphQLError) return [shown(error)];
    throw error;
  }
}

/** Yoga notes under `extensions.http` what only its own transport needs. */
function shown(error: GraphQLError): GraphQLError {
  const { nodes, source, positions, path } = error;
  const { http: _, ...extensions } = error.extensions;
  return new GraphQLError(error.message, { nodes: nodes ?? null, source, positions, path: path ?? null, extensions });
}
