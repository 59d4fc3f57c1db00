import { Option } from 'commander';
import { cadences } from '../../core/period.ts';
import { CliFailure } from '../failure.ts';

/** Which period of a board: by its key, or the running one of a cadence (of the board's first, unless named). */
export interface PeriodChoice {
  readonly period?: string | undefined;
  readonly cadence?: string | undefined;
}

export const periodOption = (): Option =>
  new Option('-p, --period <key>', 'a period by its key: all, 2026, 2026-07, 2026-W29, 2026-07-19').conflicts(
    'cadence',
  );

export const cadenceOption = (): Option =>
  new Option('-c, --cadence <cadence>', "the running period of this cadence (default: of the board's first)").choices(
    cadences,
  );

/** A query for one period of a board, answered as `leaderboard.period`. */
export function periodQuery(choice: PeriodChoice, selection: string, variables = ''): string {
  const field = choice.period === undefined ? 'current(cadence: $cadence)' : 'period(key: $period)';
  const declared = choice.period === undefined ? '$cadence: Cadence' : '$period: String!';
  return `query Period($board: String!, ${declared}${variables}) {
  leaderboard(key: $board) { key title period: ${field} { ${selection} } }
}`;
}

export interface PeriodAnswer<P> {
  readonly leaderboard: { readonly key: string; readonly title: string; readonly period: P | null } | null;
}

/** The period of an answer, or a failure that says what there is not. */
export function chosenPeriod<P>(answer: PeriodAnswer<P>, board: string, choice: PeriodChoice): P {
  if (!answer.leaderboard) {
    throw new CliFailure(`There is no board ${JSON.stringify(board)}. \`laurel boards\` lists those there are.`);
  }
  if (answer.leaderboard.period) return answer.leaderboard.period;
  throw new CliFailure(`Board ${board} has no period ${choice.period ?? `of cadence ${choice.cadence}`}.`);
}
