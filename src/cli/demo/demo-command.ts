import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import type { Client } from '../client.ts';
import { formatCount } from '../numbers.ts';
import type { OpenSession } from '../session.ts';
import { displayWidth } from '../table.ts';
import { print } from '../terminal.ts';
import { makeDemoBoard } from './demo-board.ts';
import { type DemoMember, demoMembers } from './demo-members.ts';

/** The board of the examples in GraphiQL. */
const demoBoard = 'demo';

interface DemoOptions {
  readonly board: string;
  readonly rate: number;
  readonly count?: number;
}

interface SubmitAnswer {
  readonly submitScore: {
    readonly changes: readonly {
      readonly entry: { readonly score: number; readonly rank: number } | null;
      readonly previousRank: number | null;
    }[];
  };
}

const submitDocument = `mutation DemoScore($input: SubmitScoreInput!) {
  submitScore(input: $input) { changes { entry { score rank } previousRank } }
}`;

export function demoCommand(open: OpenSession): Command {
  return new Command('demo')
    .summary('make a board that moves, to look at')
    .description('Make a board with a few hundred invented members, and keep sending it scores until Ctrl-C.')
    .option('-b, --board <key>', 'the board', demoBoard)
    .option('--rate <number>', 'scores in a second', parsePositive, 4)
    .option('--count <number>', 'stop after so many scores (default: never)', parsePositive)
    .action(async ({ board, rate, count = Infinity }: DemoOptions) => {
      const { client, signal, terminal, url } = open();
      const created = await makeDemoBoard(client, board);
      const state = created ? `is made, with ${demoMembers.length} members` : 'was there already; it goes on';
      await print(
        terminal,
        `Board ${board} ${state}. Scores are coming in, until Ctrl-C.\n\n${howToWatch(url, board)}\n`,
      );
      for (let sent = 0; sent < count && !signal.aborted; sent += 1) {
        await print(terminal, await sendScore(client, board, sent));
        await pause(1000 / rate, undefined, { signal }).catch(() => undefined);
      }
      await print(terminal, `Stopped. The board stays; \`laurel top ${board}\` shows it.`);
    });
}

function parsePositive(text: string): number {
  const number = Number(text);
  if (number > 0) return number;
  throw new InvalidArgumentError('It must be a number above 0.');
}

/** GraphiQL has it as an example for the board that is made when no other is named. */
const howToWatch = (url: string, board: string): string =>
  board === demoBoard
    ? `Watch it in a browser: open ${url}, and press play in the tab WatchTop.`
    : `Watch it in a browser: open ${url} and run

  subscription {
    entriesChanged(leaderboard: "${board}", first: 10) {
      entries { rank score member { displayName } }
    }
  }`;

async function sendScore(client: Client, board: string, sent: number): Promise<string> {
  const member = pickMember(sent);
  const points = 5 + Math.floor(Math.random() * 40);
  const input = { leaderboard: board, memberId: member.memberId, score: points, idempotencyKey: randomUUID() };
  const { submitScore } = await client.repeat<SubmitAnswer>(submitDocument, { input });
  const change = submitScore.changes[0];
  const name = member.displayName + ' '.repeat(Math.max(0, 20 - displayWidth(member.displayName)));
  if (!change?.entry) return `${name} +${points}`;
  const { score, rank } = change.entry;
  const climbed = (change.previousRank ?? rank) - rank;
  const move = climbed > 0 ? `, up ${climbed}` : '';
  return `${name} +${String(points).padEnd(3)} ${formatCount(score).padStart(7)}  rank ${rank}${move}`;
}

/** How many scores a run of luck lasts, and how many members share it: without luck everybody would stay in place. */
const luckLength = 120;
const luckyCount = 10;

function pickMember(sent: number): DemoMember {
  const run = Math.floor(sent / luckLength);
  const lucky = (run * 31 + Math.floor(Math.random() * luckyCount) * 29) % demoMembers.length;
  const anyone = Math.floor(Math.random() * demoMembers.length);
  const member = demoMembers[Math.random() < 0.6 ? lucky : anyone];
  if (!member) throw new RangeError('no such demo member');
  return member;
}
