import { LaurelError } from './errors.ts';
import type { LeaderboardRules } from './leaderboard.ts';
import { limits } from './limits.ts';
import { sortKeyOfName } from './sort-name.ts';
import { byteLength } from './text.ts';

/**
 * What decides between equal scores stands as a prefix before the member id in the sorted set, printable and
 * order-preserving, so that Redis itself keeps the total order (rules R1, R2). Time prefixes are made by the script
 * that writes, since they hold the version; sort keys are made here.
 */
type TieRules = Pick<
  LeaderboardRules,
  'tieBreak' | 'sortOrder' | 'sortKeyType' | 'sortKeyOrder' | 'sortLocale' | 'naturalNumbers'
>;

/** Whether prefixes are complemented: Redis reads a HIGH_TO_LOW board in reverse byte order. */
const isReversed = (board: TieRules): boolean =>
  board.tieBreak === 'SORT_KEY'
    ? (board.sortOrder === 'HIGH_TO_LOW') !== (board.sortKeyOrder === 'DESCENDING')
    : (board.sortOrder === 'HIGH_TO_LOW') !== (board.tieBreak === 'LATEST');

/**
 * A sort key's prefix: each byte as two hexadecimal digits, then a terminator that sorts before every digit, so that
 * `a` comes before `ab`; complemented, each digit is 15 minus it and the terminator sorts after every digit.
 */
function encodeSortKey(board: TieRules, key: Uint8Array): string {
  const hex = Buffer.from(key).toString('hex');
  if (!isReversed(board)) return `${hex}.`;
  return `${hex.replace(/./g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16))}~`;
}

const integerBias = 2n ** 63n;

function integerKey(text: string): Uint8Array {
  if (!/^[+-]?\d{1,19}$/.test(text)) {
    throw new LaurelError('BAD_SORT_KEY', 'This leaderboard takes whole numbers as sort keys.');
  }
  const biased = BigInt(text) + integerBias;
  if (biased < 0n || biased >= 2n * integerBias) {
    throw new LaurelError('BAD_SORT_KEY', 'A sort key must be from −2^63 to 2^63 − 1.');
  }
  return Buffer.from(biased.toString(16).padStart(16, '0'), 'hex');
}

function textKey(text: string): Uint8Array {
  if (byteLength(text) > limits.sortKeyBytes) {
    throw new LaurelError('BAD_SORT_KEY', `A sort key may have ${limits.sortKeyBytes} bytes; shorten it.`);
  }
  if (/\p{Cc}|\p{Cs}/u.test(text)) {
    throw new LaurelError('BAD_SORT_KEY', 'A sort key holds a control character or half of a surrogate pair.');
  }
  return Buffer.from(text, 'utf8');
}

/** The prefix a submission asks for: from its key, else from its name; null where it gives neither. */
export function sortPrefix(
  board: TieRules,
  { sortKey, sortName }: { sortKey?: string | undefined; sortName?: string | undefined },
): string | null {
  if (sortKey === undefined && sortName === undefined) return null;
  if (board.tieBreak !== 'SORT_KEY') {
    throw new LaurelError('BAD_SORT_KEY', 'This leaderboard has no sort keys: its tieBreak is another.');
  }
  if (sortKey !== undefined) {
    return encodeSortKey(board, board.sortKeyType === 'INTEGER' ? integerKey(sortKey) : textKey(sortKey));
  }
  if (board.sortKeyType === 'INTEGER') {
    throw new LaurelError('BAD_SORT_KEY', 'sortName makes text keys; this leaderboard takes whole numbers as sortKey.');
  }
  const derived = Buffer.from(sortKeyOfName(sortName ?? '', board.sortLocale, board.naturalNumbers), 'utf8');
  return encodeSortKey(board, derived.subarray(0, limits.sortKeyBytes));
}

/** The prefix of an entry that was never given a key: the empty key. Empty on boards without sort keys. */
export const emptyPrefix = (board: TieRules): string =>
  board.tieBreak === 'SORT_KEY' ? encodeSortKey(board, new Uint8Array()) : '';

/** Time prefixes, as include/tie.lua makes them: 8 digits of time and 6 of sequence, to the base 64. */
const alphabet = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const timeDigits = 8;
const sequenceDigits = 6;
const timeLimit = 2 ** 48 - 1;
const sequenceLimit = 2 ** 36 - 1;

/** Milliseconds from the year 1 to 1970, so that no time is negative. */
const timeOffset = 62_135_596_800_000;

function digits(number: number, count: number): string {
  let text = '';
  for (let left = number; text.length < count; left = Math.floor(left / 64)) text = alphabet.charAt(left % 64) + text;
  return text;
}

/** The prefix of an entry that reached its score at a time (epoch milliseconds), as the so-manieth change. */
export function timePrefix(board: TieRules, reachedAt: number, sequence: number): string {
  const [time, order] = isReversed(board)
    ? [timeLimit - reachedAt - timeOffset, sequenceLimit - sequence]
    : [reachedAt + timeOffset, sequence];
  return digits(time, timeDigits) + digits(order, sequenceDigits);
}

/** What the sorted set holds → the member, and when it reached its score (epoch milliseconds; null where unknown). */
export function decodeOrdered(board: TieRules, ordered: string): { memberId: string; reachedAt: number | null } {
  if (board.tieBreak === 'MEMBER_ID') return { memberId: ordered, reachedAt: null };
  if (board.tieBreak === 'SORT_KEY') {
    return { memberId: ordered.slice(ordered.search(/[.~]/) + 1), reachedAt: null };
  }
  let time = 0;
  for (let i = 0; i < timeDigits; i += 1) time = time * 64 + alphabet.indexOf(ordered.charAt(i));
  const reachedAt = (isReversed(board) ? timeLimit - time : time) - timeOffset;
  return { memberId: ordered.slice(timeDigits + sequenceDigits), reachedAt };
}

/** Code units as they sort in UTF-8: surrogates, which begin four-byte sequences, after all others. */
const byteRank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const difference = byteRank(a.charCodeAt(i)) - byteRank(b.charCodeAt(i));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Which of two entries with one score stands first in board order, by what the sorted set holds: negative for `a`. */
export const compareOrdered = ({ sortOrder }: Pick<LeaderboardRules, 'sortOrder'>, a: string, b: string): number =>
  sortOrder === 'HIGH_TO_LOW' ? compareBytes(b, a) : compareBytes(a, b);
