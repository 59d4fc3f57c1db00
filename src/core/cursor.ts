import { LaurelError } from './errors.ts';

/** A place in a period's board order: the pair <score, member>, in the store's own terms. */
export interface Place {
  /** Stored integer text. */
  readonly score: string;
  /** The member as the sorted set holds it. */
  readonly member: string;
}

/** A place, and what tells whether it still means anything: where it came from and what was true then. */
export interface Cursor extends Place {
  readonly board: string;
  readonly incarnation: string;
  readonly period: string;
  readonly epoch: string;
  /** The period's version at the reading the cursor came from. */
  readonly version: number;
  /** The entry's index then. */
  readonly index: number;
}

/** base64url of the fields as a JSON array: opaque to clients, and a truncated one does not parse. */
export function encodeCursor(cursor: Cursor): string {
  const { board, incarnation, period, epoch, version, index, score, member } = cursor;
  const fields = [board, incarnation, period, epoch, version, index, score, member];
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Lone surrogates are no UTF-8: the store could not even read them. */
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 400 && !/\p{Cs}/u.test(value);

/** What GraphQL's Int holds, and the drift that is computed from it. */
const highestIndex = 2 ** 31 - 1;

/** Reads a cursor from outside. Nothing in it is trusted: every field is checked for its shape. */
export function decodeCursor(text: string): Cursor {
  const fields = parse(text);
  if (Array.isArray(fields) && fields.length === 8) {
    const [board, incarnation, period, epoch, version, index, score, member] = fields;
    const ok =
      [board, incarnation, period, epoch, member].every(isText) &&
      isCount(version) &&
      isCount(index) &&
      index <= highestIndex &&
      typeof score === 'string' &&
      /^(0|-?[1-9]\d{0,15})$/.test(score);
    if (ok) return { board, incarnation, period, epoch, version, index, score, member };
  }
  throw new LaurelError('BAD_CURSOR', 'This cursor is malformed or cut short; pass one exactly as a page returned it.');
}

function parse(text: string): unknown {
  if (text.length > 4096 || !/^[\w-]+$/.test(text)) return null;
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

/** Refuses a cursor that was made for something else (rule P4). */
export function checkCursor(cursor: Cursor, board: { key: string; incarnation: string }, period: string): void {
  if (cursor.board !== board.key) {
    throw new LaurelError('CURSOR_OF_OTHER_LEADERBOARD', `This cursor belongs to leaderboard ${cursor.board}.`);
  }
  if (cursor.incarnation !== board.incarnation) {
    throw new LaurelError(
      'CURSOR_OF_OTHER_INCARNATION',
      `Leaderboard ${board.key} was deleted and made anew since; begin again without a cursor.`,
    );
  }
  if (cursor.period !== period) {
    throw new LaurelError('CURSOR_OF_OTHER_PERIOD', `This cursor belongs to period ${cursor.period}, not ${period}.`);
  }
}
