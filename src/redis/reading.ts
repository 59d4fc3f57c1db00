import type { Place } from '../core/cursor.ts';
import { type Leaderboard, rankMethods } from '../core/leaderboard.ts';
import type { Head, Page, PeriodRead, Read, Window } from '../core/reading.ts';
import { rankRun, type Standing } from '../core/standing.ts';

/** What read.lua takes: see its header. Written plainly: it is run for every query. */
export function encodeReads(board: Leaderboard, reads: readonly PeriodRead[], periods: readonly string[]): string {
  const { tieBreak, denseReady } = board;
  const encoded = reads.map(({ period, read }) => encodeRead(board, read, periods.indexOf(period) + 1));
  return JSON.stringify({
    descending: board.sortOrder === 'HIGH_TO_LOW',
    tieBreak,
    denseReady,
    periods,
    reads: encoded,
  });
}

/** A read's own fields; JSON leaves out what is undefined, and Lua would take null for something. */
function encodeRead(board: Leaderboard, read: Read, period: number): object {
  const { kind } = read;
  switch (kind) {
    case 'page': {
      const { after, before, offset } = read;
      const [first, last] = [read.first ?? undefined, read.last ?? undefined];
      const page = { kind, period, offset, first, last, after: encodePlace(after), before: encodePlace(before) };
      return read.window.kind === 'all' ? page : { ...page, ...encodeWindow(board, read.window) };
    }
    case 'around': {
      const { centre, above, below, fill } = read;
      return { kind, period, ...('score' in centre ? centre : { member: centre.memberId }), above, below, fill };
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
  if (window.kind === 'rank') return { rank: window.rank, method: board.rankMethod };
  const lowest = window.minScore ?? undefined;
  const highest = window.maxScore ?? undefined;
  return board.sortOrder === 'HIGH_TO_LOW' ? { best: highest, worst: lowest } : { best: lowest, worst: highest };
}

/** How read.lua found each period, a text each. */
export function decodeHeads(periods: readonly string[], texts: readonly string[]): Map<string, Head> {
  return new Map(periods.map((period, i) => [period, decodeHead(texts[i] ?? '')]));
}

function decodeHead(text: string): Head {
  const [epoch = '', version, total, method, record] = text.split('\n');
  const head = { epoch, version: Number(version), entryCount: Number(total), held: version !== '' };
  const rankMethod = rankMethods.find((one) => one === method);
  return { ...head, ...(rankMethod && { rankMethod }), closed: record ? JSON.parse(record) : null };
}

/** What read.lua answers to each read, a text each. */
export function decodeReplies(
  board: Leaderboard,
  reads: readonly PeriodRead[],
  heads: ReadonlyMap<string, Head>,
  texts: readonly string[],
): unknown[] {
  return reads.map(({ period, read }, i) => {
    const head = heads.get(period);
    if (!head) throw new Error(`read.lua answered without the head of ${period}`);
    return decodeReply(board, read, head, texts[i] ?? '');
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
