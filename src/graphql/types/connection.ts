import type { ObjectRef } from '@pothos/core';
import { builder } from '../builder.ts';

/** A page of nodes as the API shows it. */
export interface Connection<Node> {
  readonly nodes: readonly Node[];
  /** Called where cursors are asked for: to make one costs more than all else about a node. */
  cursorOf(node: Node): string;
  /** On which sides of the page others lie. */
  readonly more: { readonly before: boolean; readonly after: boolean };
  readonly totalCount: number;
}

function pageInfo<Node>({ nodes, cursorOf, more }: Connection<Node>) {
  const [first] = nodes;
  const last = nodes.at(-1);
  return {
    hasNextPage: more.after,
    hasPreviousPage: more.before,
    startCursor: first === undefined ? null : cursorOf(first),
    endCursor: last === undefined ? null : cursorOf(last),
  };
}

/** The Relay types of a list: `<Name>Connection` and `<Name>Edge`. A page may say more than they show. */
export function connectionType<Node, Page extends Connection<Node>>(
  name: string,
  node: ObjectRef<typeof builder.$inferSchemaTypes, Node>,
  what: string,
) {
  const Edge = builder.objectRef<{ page: Page; node: Node }>(`${name}Edge`).implement({
    description: `One of ${what} in a page, and its place.`,
    fields: (t) => ({
      cursor: t.string({
        description: 'Its place, opaque: pass it as `after` or `before` of the next page.',
        resolve: ({ page, node }) => page.cursorOf(node),
      }),
      // Pothos cannot tell that a type parameter is no list.
      node: t.field({ type: node, description: 'The object itself.', resolve: (edge) => edge.node as never }),
    }),
  });
  const Connection = builder.objectRef<Page>(`${name}Connection`).implement({
    description: `A page of ${what}.`,
    fields: (t) => ({
      edges: t.field({
        type: [Edge],
        description: 'What the page holds, each with its cursor.',
        resolve: (page) => page.nodes.map((node) => ({ page, node })),
      }),
      nodes: t.field({
        type: [node],
        description: 'What the page holds, without cursors.',
        resolve: (page) => [...page.nodes],
      }),
      pageInfo: t.field({
        type: builder.pageInfoRef(),
        description: 'Where the page lies.',
        resolve: pageInfo,
      }),
      totalCount: t.int({
        description: 'Length of the whole list, of which this is a page.',
        resolve: (page) => page.totalCount,
      }),
    }),
  });
  return { Connection, Edge };
}
