import type { Api } from './graphql-client.ts';

/** A value as an argument in the text of a query. */
const literal = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? `{ ${Object.entries(value)
        .map(([name, one]) => `${name}: ${literal(one)}`)
        .join(', ')} }`
    : JSON.stringify(value);

/** Arguments in parentheses; none where there are none. */
export function args(values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : `(${given.map(([name, value]) => `${name}: ${literal(value)}`).join(', ')})`;
}

const periodQuery = (selection: string) =>
  `query($key: String!, $period: String!) { leaderboard(key: $key) { period(key: $period) { ${selection} } } }`;

/** Reads fields of one period. */
export async function readPeriod<T>(api: Api, key: string, selection: string, period = 'all'): Promise<T> {
  const data = await api.data<{ leaderboard: { period: T } }>(periodQuery(selection), { key, period });
  return data.leaderboard.period;
}

/** The code that a reading of one period is refused with; null where it is not. */
export const readingCode = (api: Api, key: string, selection: string, period = 'all'): Promise<unknown> =>
  api.code(periodQuery(selection), { key, period });

/** Reads fields of a board. */
export async function readBoard<T>(api: Api, key: string, selection: string): Promise<T> {
  const data = await api.data<{ leaderboard: T }>(`query($key: String!) { leaderboard(key: $key) { ${selection} } }`, {
    key,
  });
  return data.leaderboard;
}

const inputType = (field: string) => `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;

const mutation = (field: string, selection: string) =>
  `mutation($input: ${inputType(field)}!) { ${field}(input: $input) { ${selection} } }`;

/** Runs one mutation, named by its field, and returns what it answers. */
export async function mutate<T>(api: Api, field: string, input: object, selection: string): Promise<T> {
  const data = await api.data<Record<string, T>>(mutation(field, selection), { input });
  return data[field] as T;
}

/** The code that a mutation is refused with; null where it is not. */
export const mutationCode = (api: Api, field: string, input: object): Promise<unknown> =>
  api.code(mutation(field, '__typename'), { input });

export interface Page<Node> {
  readonly totalCount: number;
  readonly version: number;
  readonly changed: boolean;
  readonly drift: number | null;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly edges: readonly { readonly cursor: string; readonly place: number; readonly node: Node }[];
}

/** The selection of a page of entries with these fields. */
export const pageOf = (fields: string): string => `{ totalCount version changed drift
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor place node { ${fields} } } }`;

/** A page of a period's entries, with these fields of each. */
export async function readPage<Node>(
  api: Api,
  key: string,
  given: Readonly<Record<string, unknown>>,
  fields: string,
  period?: string,
): Promise<Page<Node>> {
  const selection = `entries${args(given)} ${pageOf(fields)}`;
  return (await readPeriod<{ entries: Page<Node> }>(api, key, selection, period)).entries;
}

/** All edges of a list of entries, page after page in one direction, in the order of the list. */
export async function walkPages<Node>(
  read: (page: Record<string, unknown>) => Promise<Page<Node>>,
  size: number,
  back = false,
): Promise<Page<Node>['edges'][number][]> {
  const pages: Page<Node>['edges'][] = [];
  for (let cursor: string | null | undefined; ; ) {
    const page = await read(back ? { last: size, before: cursor } : { first: size, after: cursor });
    pages.push(page.edges);
    cursor = back ? page.pageInfo.startCursor : page.pageInfo.endCursor;
    if (!(back ? page.pageInfo.hasPreviousPage : page.pageInfo.hasNextPage)) break;
  }
  return (back ? pages.reverse() : pages).flat();
}

export const closePeriod = (api: Api, leaderboard: string, period: string) =>
  mutate(api, 'closePeriod', { leaderboard, period }, 'period { state }');

/** Corrects an archived period: another score for a member, or none. */
export const correctEntry = (api: Api, leaderboard: string, memberId: string, score: number | null, period: string) =>
  mutate<object>(
    api,
    'correctEntry',
    { leaderboard, period, memberId, score },
    'period { key state revision version entryCount entries { nodes { memberId score rank } } }',
  );
