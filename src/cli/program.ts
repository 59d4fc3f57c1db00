import { Command, CommanderError } from 'commander';
import { boardsCommand } from './boards/boards-command.ts';
import { createCommand } from './boards/create-command.ts';
import { holdCommand, releaseCommand } from './boards/hold-commands.ts';
import { topCommand } from './boards/top-command.ts';
import { Client, ServiceError } from './client.ts';
import { demoCommand } from './demo/demo-command.ts';
import { exportCommand } from './export/export-command.ts';
import { CliFailure, exitCodes, messageOf } from './failure.ts';
import { importCommand } from './import/import-command.ts';
import type { OpenSession } from './session.ts';
import { note, type Terminal } from './terminal.ts';

/** Everything the commands get from outside. */
export interface Surroundings {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** Where the service answers unless --url says otherwise. */
  readonly url: string;
  readonly key: string | null;
  readonly keyOrigin: string;
  /** How long a call that may be repeated is tried; for tests. */
  readonly patienceMs?: number;
}

const guide = `
The commands talk to a running service (npm start) over GraphQL. Those that write need its API key: from ADMIN_API_KEY,
else from the file admin-api-key in DATA_DIR (./data), where a service without a configured key keeps the one it made.

Start with:
  $ laurel demo                     a board that moves, to look at
  $ laurel create goals --policy SUM --cadence ALL_TIME YEARLY
  $ laurel import goals.csv --board goals --member scorer --increment 1
  $ laurel top goals

laurel <command> --help has examples for each. In a checkout, laurel is: npm run laurel --`;

/** Runs one command line and returns its exit code; failures are told, never thrown. */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { terminal } = surroundings;
  try {
    await makeProgram(surroundings).parseAsync([...args], { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    // Commander has written its message or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.failure;
    note(terminal, error instanceof ServiceError ? `${error.message} (${error.code})` : messageOf(error));
    return error instanceof CliFailure ? error.exitCode : exitCodes.failure;
  }
}

function makeProgram(surroundings: Surroundings): Command {
  const { terminal } = surroundings;
  const program = new Command('laurel');
  const open = openSession(program, surroundings);
  program
    .description('Boards of the Laurel leaderboard service, from the command line.')
    .option('--url <url>', 'where the service answers (or LAUREL_URL)', surroundings.url)
    .addHelpText('after', guide);
  const commands = [
    importCommand(open),
    exportCommand(open),
    boardsCommand(open),
    topCommand(open),
    createCommand(open),
    holdCommand(open),
    releaseCommand(open),
    demoCommand(open),
  ];
  for (const command of [program, ...commands]) {
    command
      .exitOverride()
      .showHelpAfterError(`(laurel ${command === program ? '' : `${command.name()} `}--help has examples)`);
    command.configureOutput({
      writeOut: (text) => terminal.results.write(text),
      writeErr: (text) => terminal.notes.write(text),
    });
    if (command !== program) program.addCommand(command);
  }
  return program;
}

function openSession(program: Command, { terminal, signal, key, keyOrigin, patienceMs }: Surroundings): OpenSession {
  return () => {
    const { url } = program.opts<{ url: string }>();
    if (!URL.canParse(url)) throw new CliFailure(`--url ${JSON.stringify(url)} is not a URL.`);
    const onRetry = (problem: string, waitMs: number) =>
      note(terminal, `The service is away (${problem}); trying again in ${waitMs / 1000} s.`);
    const patience = patienceMs === undefined ? {} : { patienceMs };
    const client = new Client({ url, key, keyOrigin, signal, onRetry, ...patience });
    return { client, terminal, signal, url };
  };
}
