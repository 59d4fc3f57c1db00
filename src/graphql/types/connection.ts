import type { ObjectRef } from '@pothos/core';
import { builder } from '../builder.ts';

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

interface Edge<Node> {
  readonly cursor: string;
  readonly node: Node;
  /** 1-based place in the page. */
  readonly place: number;
}

/** A page of nodes as the API shows it. */
export interface Connection<Node> {
  readonly edges: readonly Edge<Node>[];
  readonly pageInfo: PageInfo;
  readonly totalCount: number;
}

/** A page's edges and page info; `more` says on which sides others lie. */
export function connect<Node>(
  nodes: readonly Node[],
  cursorOf: (node: Node) => string,
  more: { readonly before: boolean; readonly after: boolean },
): Pick<Connection<Node>, 'edges' | 'pageInfo'> {
  const edges = nodes.map((node, i) => ({ cursor: cursorOf(node), node, place: i + 1 }));
  const pageInfo = {
    hasNextPage: more.after,
    hasPreviousPage: more.before,
    startCursor: edges[0]?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
  };
  return { edges, pageInfo };
}

/** The Relay types of a list: `<Name>Connection` and `<Name>Edge`. A page may say more than they show. */
export function connectionType<Node, Page extends Connection<Node>>(
  name: string,
  node: ObjectRef<typeof builder.$inferSchemaTypes, Node>,
  what: string,
) {
  const Edge = builder.objectRef<Edge<Node>>(`${name}Edge`).implement({
    description: `One of ${what} in a page, and its place.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', {
        description: 'Its place, opaque: pass it as `after` or `before` of the next page.',
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
        resolve: (page) => [...page.edges],
      }),
      nodes: t.field({
        type: [node],
        description: 'What the page holds, without cursors.',
        resolve: (page) => page.edges.map((edge) => edge.node),
      }),
      pageInfo: t.field({
        type: builder.pageInfoRef(),
        description: 'Where the page lies.',
        resolve: (page) => page.pageInfo,
      }),
      totalCount: t.int({
        description: 'Length of the whole list, of which this is a page.',
        resolve: (page) => page.totalCount,
      }),
    }),
  });
  return { Connection, Edge };
}
