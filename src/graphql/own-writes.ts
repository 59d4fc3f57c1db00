import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import { type Context, forget } from './context.ts';

/** Each field of a mutation reads what it wrote itself, not what an earlier field of the same request loaded (rule P5). */
export function readOwnWrites(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve = defaultFieldResolver } = field;
    field.resolve = (root, args, context: Context, info) => {
      forget(context);
      return resolve(root, args, context, info);
    };
  }
  return schema;
}
