import { CliFailure } from '../failure.ts';
import { BadRow, type Row } from './row.ts';
import { parseScoreText } from './score-text.ts';

/** A row as a score, ready to be sent. */
export interface MappedScore {
  readonly memberId: string;
  readonly score: number;
  readonly occurredAt?: string;
  readonly scorePolicy?: 'SUM';
}

export interface MappingOptions {
  /** A column, or a template such as `{team}/{scorer}`. */
  readonly member: string;
  readonly score?: string | undefined;
  /** Added for every row, in place of a score column. */
  readonly increment?: number | undefined;
  readonly occurredAt?: string | undefined;
  /** Text that stands for a missing value, besides none at all. */
  readonly missing: string;
}

export interface Mapping {
  readonly columns: readonly string[];
  /** What decides about the meaning of a row: part of what makes a row the same one next time. */
  readonly description: string;
  /** Throws BadRow. */
  map(row: Row): MappedScore;
}

/** What makes a score of a row, on a board with this policy. */
export function makeMapping(
  options: MappingOptions,
  board: { scorePolicy: string; readTime: (text: string) => string },
): Mapping {
  const { score, increment, occurredAt, missing } = options;
  if ((score === undefined) === (increment === undefined)) {
    throw new CliFailure('Say where the score comes from: either --score COLUMN or --increment NUMBER.');
  }
  const member = parseTemplate(options.member);
  const needed = (row: Row, column: string) => {
    const text = row.value(column);
    if (text.trim() === '') throw new BadRow(`${JSON.stringify(column)} is empty`);
    if (text === missing) throw new BadRow(`${JSON.stringify(column)} is ${missing}, which stands for a missing value`);
    return text;
  };
  return {
    columns: [...member.columns, score, occurredAt].filter((column) => column !== undefined),
    description: JSON.stringify([options.member, score ?? null, increment ?? null, occurredAt ?? null]),
    map: (row) => ({
      memberId: member.fill((column) => needed(row, column)),
      score: score === undefined ? (increment ?? 0) : parseScoreText(needed(row, score)),
      ...(occurredAt !== undefined && { occurredAt: board.readTime(needed(row, occurredAt)) }),
      ...(increment !== undefined && board.scorePolicy !== 'SUM' && { scorePolicy: 'SUM' as const }),
    }),
  };
}

function parseTemplate(text: string) {
  const columns = [...text.matchAll(/\{([^{}]+)\}/g)].map(([, column = '']) => column);
  if (columns.length === 0) return { columns: [text], fill: (value: (column: string) => string) => value(text) };
  return {
    columns,
    fill: (value: (column: string) => string) => text.replaceAll(/\{([^{}]+)\}/g, (_, column: string) => value(column)),
  };
}
