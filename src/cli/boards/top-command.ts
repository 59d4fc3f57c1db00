import { setTimeout as pause } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import type { OpenSession, Session } from '../session.ts';
import { tableLines } from '../table.ts';
import { print, write } from '../terminal.ts';
import {
  cadenceOption,
  chosenPeriod,
  type PeriodAnswer,
  type PeriodChoice,
  periodOption,
  periodQuery,
} from './period-choice.ts';

interface TopOptions extends PeriodChoice {
  readonly count: number;
  readonly watch?: boolean;
}

interface TopPeriod {
  readonly key: string;
  readonly state: string;
  readonly entries: {
    readonly totalCount: number;
    readonly nodes: readonly {
      readonly rank: number;
      readonly memberId: string;
      readonly score: number;
      readonly member: { readonly displayName: string | null };
    }[];
  };
}

const selection = `key state entries(first: $count) {
  totalCount nodes { rank memberId score member { displayName } }
}`;

const columns = [
  { title: 'RANK', align: 'right' },
  { title: 'SCORE', align: 'right' },
  { title: 'NAME', align: 'left' },
  { title: 'MEMBER', align: 'left' },
] as const;

const mostEntries = 100;
const watchEveryMs = 1000;

export function topCommand(open: OpenSession): Command {
  return new Command('top')
    .summary('show the top of a board')
    .description('Show the top of a board.')
    .argument('<board>', 'key of the board')
    .option('-n, --count <number>', `entries, up to ${mostEntries}`, parseCount, 10)
    .addOption(periodOption())
    .addOption(cadenceOption())
    .option('--watch', 'show it anew every second, until Ctrl-C')
    .addHelpText('after', '\nExamples:\n  $ laurel top goals --count 20\n  $ laurel top demo --cadence DAILY --watch')
    .action(async (board: string, options: TopOptions) => {
      const session = open();
      if (options.watch) return watch(session, board, options);
      for (const line of await topLines(session, board, options)) await print(session.terminal, line);
    });
}

function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= mostEntries) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${mostEntries}.`);
}

async function watch(session: Session, board: string, options: TopOptions): Promise<void> {
  while (!session.signal.aborted) {
    const lines = await topLines(session, board, options);
    // Home, each line to its end, then what is left below: no flicker.
    const screen = session.terminal.interactive ? `\x1b[H${lines.map((line) => `${line}\x1b[K\n`).join('')}\x1b[J` : '';
    await write(session.terminal.results, screen || `${lines.join('\n')}\n\n`);
    await pause(watchEveryMs, undefined, { signal: session.signal }).catch(() => undefined);
  }
}

async function topLines({ client }: Session, board: string, options: TopOptions): Promise<string[]> {
  const answer = await client.request<PeriodAnswer<TopPeriod>>(periodQuery(options, selection, ', $count: Int!'), {
    board,
    count: options.count,
    cadence: options.cadence,
    period: options.period,
  });
  const { key, state, entries } = chosenPeriod(answer, board, options);
  const title = `${answer.leaderboard?.title ?? board}, period ${key} (${state}), ${entries.totalCount} entries`;
  const rows = entries.nodes.map(({ rank, score, memberId, member }) => {
    return [String(rank), String(score), member.displayName ?? memberId, member.displayName === null ? '' : memberId];
  });
  return [title, ...tableLines(columns, rows)];
}
