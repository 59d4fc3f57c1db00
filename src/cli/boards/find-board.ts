import type { Client } from '../client.ts';
import { CliFailure } from '../failure.ts';

export interface Board {
  readonly key: string;
  readonly title: string;
  readonly scorePolicy: string;
  readonly cadences: readonly string[];
  readonly timeZone: string;
  readonly graceSeconds: number;
  readonly backfill: boolean;
}

const boardDocument = `query Board($key: String!) {
  leaderboard(key: $key) { key title scorePolicy cadences timeZone graceSeconds backfill }
}`;

export async function findBoard(client: Client, key: string): Promise<Board> {
  const { leaderboard } = await client.request<{ leaderboard: Board | null }>(boardDocument, { key });
  if (leaderboard) return leaderboard;
  throw new CliFailure(
    `There is no board ${JSON.stringify(key)}. \`laurel boards\` lists those there are; \`laurel create\` makes one.`,
  );
}
