import { Command } from 'commander';
import type { OpenSession } from '../session.ts';
import { print } from '../terminal.ts';
import { setHold } from './hold.ts';

/** `laurel import --backfill` holds and releases by itself; these are for backfills that come another way, and for after a crash. */
export function holdCommand(open: OpenSession): Command {
  return new Command('hold')
    .summary('let the ended periods of a board accept scores, for a backfill')
    .description('Put a board under the hold of a backfill: its ended periods accept scores until it is released.')
    .argument('<board>', 'key of the board')
    .action(async (board: string) => {
      const { client, terminal } = open();
      await setHold(client, board, true);
      await print(terminal, `${board} is held: its ended periods accept scores. Release it: laurel release ${board}`);
    });
}

export function releaseCommand(open: OpenSession): Command {
  return new Command('release')
    .summary('end the hold of a backfill')
    .description('End the hold of a backfill: the ended periods of the board accept scores no more.')
    .argument('<board>', 'key of the board')
    .action(async (board: string) => {
      const { client, terminal } = open();
      await setHold(client, board, false);
      await print(terminal, `${board} is released: its ended periods are closed.`);
    });
}
