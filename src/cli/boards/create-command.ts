import { Command, InvalidArgumentError, Option } from 'commander';
import { rankMethods, scorePolicies, sortOrders, tieBreaks } from '../../core/leaderboard.ts';
import { cadences } from '../../core/period.ts';
import type { OpenSession } from '../session.ts';
import { print } from '../terminal.ts';

interface CreateOptions {
  readonly title?: string;
  readonly policy: string;
  readonly order: string;
  readonly tieBreak: string;
  readonly rankMethod: string;
  readonly cadence: readonly string[];
  readonly scale: number;
  readonly grace: number;
  readonly timeZone: string;
}

const createDocument = `mutation Create($input: CreateLeaderboardInput!) {
  createLeaderboard(input: $input) { leaderboard { key cadences } }
}`;

const examples = `
Examples:
  Goals, added up, for ever and for each year:
    $ laurel create goals --title 'International goals' --policy SUM --cadence ALL_TIME YEARLY

  The best time of a lap in seconds with three decimals, the lowest first, anew every day in Zurich:
    $ laurel create laps --order LOW_TO_HIGH --scale 3 --cadence DAILY --time-zone Europe/Zurich`;

export function createCommand(open: OpenSession): Command {
  return new Command('create')
    .summary('make a board')
    .description('Make a board.')
    .argument('<board>', 'its key: a-z, 0-9, - and _')
    .option('--title <text>', 'what people read above it')
    .addOption(choice('--policy <policy>', 'what a new score does to the one before', scorePolicies, 'BEST'))
    .addOption(choice('--order <order>', 'which scores come first', sortOrders, 'HIGH_TO_LOW'))
    .addOption(choice('--tie-break <rule>', 'who comes first of those with equal scores', tieBreaks, 'MEMBER_ID'))
    .addOption(choice('--rank-method <method>', 'how equal scores are ranked', rankMethods, 'COMPETITION'))
    .addOption(
      new Option('--cadence <cadence...>', 'how scores are cut by time').choices(cadences).default(['ALL_TIME']),
    )
    .option('--scale <digits>', 'decimals of a score, 0 to 9', parseScale, 0)
    .option('--grace <seconds>', 'how long an ended period accepts late scores', parseSeconds, 0)
    .option('--time-zone <name>', 'where its days begin, an IANA name', 'UTC')
    .addHelpText('after', examples)
    .action(async (key: string, options: CreateOptions) => {
      const { client, terminal } = open();
      await client.request(createDocument, { input: { key, ...rulesOf(options) } });
      await print(terminal, `Board ${key} is there. Send it scores, or: laurel import FILE --board ${key} --help`);
    });
}

const rulesOf = (options: CreateOptions) => ({
  title: options.title,
  scorePolicy: options.policy,
  sortOrder: options.order,
  tieBreak: options.tieBreak,
  rankMethod: options.rankMethod,
  cadences: options.cadence,
  scoreScale: options.scale,
  graceSeconds: options.grace,
  timeZone: options.timeZone,
});

const choice = (flags: string, description: string, choices: readonly string[], usual: string): Option =>
  new Option(flags, description).choices(choices).default(usual);

function parseScale(text: string): number {
  if (/^\d$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a digit from 0 to 9.');
}

function parseSeconds(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}
