import { type Client, ServiceError } from '../client.ts';
import { demoMembers } from './demo-members.ts';

const createDocument = `mutation CreateDemo($input: CreateLeaderboardInput!) {
  createLeaderboard(input: $input) { leaderboard { key } }
}`;
const membersDocument = `mutation DemoMembers($input: UpsertMembersInput!) {
  upsertMembers(input: $input) { members { memberId } }
}`;
const firstScoresDocument = `mutation DemoScores($input: SubmitScoresInput!) {
  submitScores(input: $input) { outcomes { error { code message } } }
}`;

/** Scores in one call that is applied once. */
const blockRows = 150;

/** Makes the board with its members and their first scores, each unless it is there. Says whether the board is new. */
export async function makeDemoBoard(client: Client, key: string): Promise<boolean> {
  const created = await createBoard(client, key);
  await client.repeat(membersDocument, { input: { members: demoMembers } });
  for (let start = 0; start < demoMembers.length; start += blockRows) {
    const scores = demoMembers.slice(start, start + blockRows).map(({ memberId }, i) => {
      return { memberId, score: firstScore(start + i) };
    });
    // Sent as a block, so that a demo started again does not add them again.
    const block = { from: `demo-${start}`, to: `demo-${start + scores.length}` };
    await client.repeat(firstScoresDocument, { input: { leaderboard: key, scores, block } });
  }
  return created;
}

async function createBoard(client: Client, key: string): Promise<boolean> {
  const rules = { title: 'Demo', scorePolicy: 'SUM', cadences: ['ALL_TIME', 'DAILY', 'WEEKLY'] };
  try {
    await client.request(createDocument, { input: { key, ...rules } });
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'LEADERBOARD_EXISTS') return false;
    throw error;
  }
}

/** Close together, so that a few points are worth a few ranks. */
const firstScore = (i: number): number => 500 + ((i * 7919) % 150);
