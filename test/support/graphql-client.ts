import { randomBytes } from 'node:crypto';

interface AnsweredError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly data: unknown;
  readonly errors: readonly AnsweredError[];
  /** The first error's code; null where all is well. */
  readonly code: unknown;
}

type Variables = Readonly<Record<string, unknown>>;

/** What the tests say to a service over HTTP. Headers given win over those it sends by itself. */
export class Api {
  readonly url: string;
  readonly endpoint: string;
  readonly #key: string | null;

  constructor(url: string, key: string | null) {
    this.url = url;
    this.endpoint = `${url}/graphql`;
    this.#key = key;
  }

  /** The same service, without a key. */
  anonymous(): Api {
    return new Api(this.url, null);
  }

  async send(
    query: string,
    variables: Variables = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const response = await fetch(this.endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.#key !== null && { authorization: `Bearer ${this.#key}` }),
        ...headers,
      },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors = [] } = (await response.json()) as { data?: unknown; errors?: AnsweredError[] };
    const code = errors.length > 0 ? (errors[0]?.extensions?.code ?? 'none') : null;
    return { status: response.status, headers: response.headers, data, errors, code };
  }

  /** The data of a request that must succeed. */
  async data<T>(query: string, variables: Variables = {}): Promise<T> {
    const { data, errors } = await this.send(query, variables);
    if (errors.length > 0) throw new Error(`${query} failed: ${JSON.stringify(errors)}`);
    return data as T;
  }

  /** The code of the first error; null where there is none. */
  async code(query: string, variables: Variables = {}): Promise<unknown> {
    return (await this.send(query, variables)).code;
  }

  /** A board that no other test has, for they share one Redis; returns its key. */
  async createBoard(rules: Variables = {}): Promise<string> {
    const key = newBoardKey();
    await this.data(
      `mutation($input: CreateLeaderboardInput!) { createLeaderboard(input: $input) { leaderboard { key } } }`,
      {
        input: { key, ...rules },
      },
    );
    return key;
  }

  async deleteBoard(key: string): Promise<void> {
    await this.data(`mutation($key: String!) { deleteLeaderboard(input: { key: $key }) { key } }`, { key });
  }

  async score(leaderboard: string, memberId: string, score: number, more: Variables = {}): Promise<void> {
    await this.data(`mutation($input: SubmitScoreInput!) { submitScore(input: $input) { applied } }`, {
      input: { leaderboard, memberId, score, ...more },
    });
  }

  /** Scores by member, in their order. */
  async scores(leaderboard: string, scores: Readonly<Record<string, number>>): Promise<void> {
    const input = { leaderboard, scores: Object.entries(scores).map(([memberId, score]) => ({ memberId, score })) };
    const { submitScores } = await this.data<{ submitScores: { outcomes: { error: unknown }[] } }>(
      `mutation($input: SubmitScoresInput!) { submitScores(input: $input) { outcomes { error { code message } } } }`,
      { input },
    );
    const refused = submitScores.outcomes.filter(({ error }) => error !== null);
    if (refused.length > 0) throw new Error(`refused: ${JSON.stringify(refused)}`);
  }

  /** Display names by member. */
  async names(names: Readonly<Record<string, string>>): Promise<void> {
    const members = Object.entries(names).map(([memberId, displayName]) => ({ memberId, displayName }));
    await this.data(
      `mutation($members: [MemberInput!]!) { upsertMembers(input: { members: $members }) { members { id } } }`,
      { members },
    );
  }
}

/** A name that no other test has. */
export const unique = (): string => randomBytes(6).toString('hex');

export const newBoardKey = (): string => `b-${unique()}`;

/** Scores of so many members: `m0` the best, no two alike. */
export const descending = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, 10 * (count - i)]));

/** A global id, as the Relay plugin makes them. */
export const globalId = (type: string, id: string): string => Buffer.from(`${type}:${id}`).toString('base64');
