import type { Place } from '../core/cursor.ts';
import { type Leaderboard, rankMethods } from '../core/leaderboard.ts';
import type { HashRead, Head, Page, PeriodRead, Read, Window } from '../core/reading.ts';
import { rankRun, type Standing } from '../core/standing.ts';
import { keys, keysPerPeriod } from './keys.ts';

/** What read.lua takes: see its header. Written plainly: it is run for every query. */
export function encodeReads(
  board: Leaderboard,
  reads: readonly PeriodRead[],
  periods: readonly string[],
): { request: string; hashes: string[] } {
  const hashes: string[] = [];
  const firstHash = 3 + keysPerPeriod * periods.length;
  const encoded = reads.map(({ period, read }) => {
    if (read.kind !== 'periods' && read.kind !== 'closed' && read.kind !== 'indexing') {
      return encodeRead(board, read, periods.indexOf(period) + 1);
    }
    hashes.push(hashKeys[read.kind](board.key));
    return { hash: firstHash + hashes.length - 1 };
  });
  return { request: JSON.stringify({ periods, reads: encoded }), hashes };
}

const hashKeys = { periods: keys.periods, closed: keys.closed, indexing: keys.dense };

/** A read's own fields; JSON leaves out what is undefined, and Lua would take null for something. */
function encodeRead(board: Leaderboard, read: Exclude<Read, HashRead>, period: number): object {
  const { kind } = read;
  switch (kind) {
    case 'page': {
      const { offset, first, last, window } = read;
      const [after, before] = [encodePlace(read.after), encodePlace(read.before)];
      const page = { kind, period, offset, first: first ?? undefined, last: last ?? undefined, after, before };
      return window.kind === 'all' ? page : { ...page, ...encodeWindow(board, window) };
    }
    case 'around': {
      const { centre, above, below, fill } = read;
      if ('score' in centre) return { kind, period, score: centre.score, above, below, fill };
      return { kind, period, member: centre.memberId, above, below, fill };
    }
    case 'entry':
      return { kind, period, member: read.memberId };
    case 'list':
      return { kind, period, members: read.memberIds };
    case 'position':
      return { kind, period, score: read.score };
    case 'histogram':
      return { kind, period, buckets: read.buckets };
    default:
      return { kind, period };
  }
}

const encodePlace = (place: Place | null) => (place ? { score: place.score, member: place.member } : undefined);

function encodeWindow(board: Leaderboard, window: Exclude<Window, { kind: 'all' }>): object {
  if (window.kind === 'rank') return { rank: window.rank };
  const lowest = window.minScore ?? undefined;
  const highest = window.maxScore ?? undefined;
  return board.sortOrder === 'HIGH_TO_LOW' ? { best: highest, worst: lowest } : { best: lowest, worst: highest };
}

/** How read.lua found each period: a text each, after its status. */
export function decodeHeads(periods: readonly string[], reply: readonly string[]): Map<string, Head> {
  const heads = new Map<string, Head>();
  for (let i = 0; i < periods.length; i += 1) heads.set(periods[i] ?? '', decodeHead(reply[1 + i] ?? ''));
  return heads;
}

function decodeHead(text: string): Head {
  const [epoch = '', version, total, method, record] = text.split('\n');
  const rankMethod = method ? rankMethods.find((one) => one === method) : undefined;
  const closed = record ? JSON.parse(record) : null;
  return { epoch, version: Number(version), entryCount: Number(total), held: version !== '', rankMethod, closed };
}

/** What read.lua answers to each read: a text each, after those of the periods. */
export function decodeReplies(
  board: Leaderboard,
  reads: readonly PeriodRead[],
  heads: ReadonlyMap<string, Head>,
  reply: readonly string[],
): unknown[] {
  return reads.map(({ period, read }, i) => {
    const head = heads.get(period);
    if (!head) throw new Error(`read.lua answered without the head of ${period}`);
    return decodeReply(board, read, head, reply[1 + heads.size + i] ?? '');
  });
}

const numbersOf = (line: string) => line.split(' ').map(Number) as [number, number, number, number, ...number[]];

/** A run's line of numbers and its standings. Plain loops and slices: it is run for every entry of every query. */
function decodeRun(board: Leaderboard, text: string): { numbers: number[]; standings: Standing[] } {
  const lineEnd = text.indexOf('\n');
  if (lineEnd < 0) return { numbers: numbersOf(text), standings: [] };
  const numbers = numbersOf(text.slice(0, lineEnd));
  const lines = text.slice(lineEnd + 1).split('\n');
  // After members and scores in turn, a line of metadata a member where the period has any: JSON, or "-" for none.
  const last = lines[lines.length - 1] ?? '';
  const hasMetadata = last === '-' || last.startsWith('{');
  const flat = hasMetadata ? lines.slice(0, (2 * lines.length) / 3) : lines;
  const metadata = hasMetadata ? lines.slice(flat.length).map((json) => (json === '-' ? null : json)) : [];
  const run = { start: numbers[0], better: numbers[1], through: numbers[2], dense: numbers[3] || null, flat, metadata };
  return { numbers, standings: rankRun(board, run) };
}

const decodeEntry = (board: Leaderboard, text: string) => (text ? (decodeRun(board, text).standings[0] ?? null) : null);

function decodePage(board: Leaderboard, head: Head, text: string): Page {
  const { numbers, standings } = decodeRun(board, text);
  const [start = 0, , , , low = 0, high = 0, after = -1, before = -1] = numbers;
  const place = (index: number) => (index < 0 ? null : index);
  return { head, standings, start, low, high, after: place(after), before: place(before) };
}

function decodeReply(board: Leaderboard, read: Read, head: Head, text: string): unknown {
  switch (read.kind) {
    case 'page':
      return decodePage(board, head, text);
    case 'around':
      return text ? decodePage(board, head, text) : null;
    case 'entry':
      return { head, standing: decodeEntry(board, text) };
    case 'list':
      return { head, standings: text.split('\n\n').map((one) => decodeEntry(board, one)) };
    case 'position': {
      const [better, ties, dense] = numbersOf(text);
      return { head, better, ties, denseRank: dense || null };
    }
    case 'histogram': {
      const [lowest, width, ...counts] = numbersOf(text);
      return text ? { lowest, width, counts } : null;
    }
    case 'head':
      return head;
    case 'periods':
      return [...pairs(text).keys()];
    case 'closed':
      return new Map([...pairs(text)].map(([key, json]) => [key, JSON.parse(json)]));
    case 'indexing':
      return pairs(text);
  }
}

/** HGETALL's fields and values, a line each. */
function pairs(text: string): Map<string, string> {
  const lines = text === '' ? [] : text.split('\n');
  return new Map(lines.flatMap((key, i) => (i % 2 === 0 ? [[key, lines[i + 1] ?? '']] : [])));
}
