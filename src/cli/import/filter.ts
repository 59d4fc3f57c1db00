import { CliFailure } from '../failure.ts';
import type { Row } from './row.ts';

export interface RowFilter {
  readonly columns: readonly string[];
  /** Throws BadRow. */
  keeps(row: Row): boolean;
}

/** Conditions `column=value` and `column!=value`, all of which must hold. */
export function makeFilter(conditions: readonly string[]): RowFilter {
  const parsed = conditions.map(parseCondition);
  return {
    columns: parsed.map(({ column }) => column),
    keeps: (row) => parsed.every(({ column, value, equal }) => (row.value(column) === value) === equal),
  };
}

function parseCondition(condition: string) {
  const [, column, operator, value] = /^([^=!]+)(!?=)(.*)$/s.exec(condition) ?? [];
  if (!column || value === undefined) {
    throw new CliFailure(`--where ${JSON.stringify(condition)} must be column=value or column!=value.`);
  }
  return { column, value, equal: operator === '=' };
}
