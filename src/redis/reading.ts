import type { Place } from '../core/cursor.ts';
import { type Leaderboard, rankMethods } from '../core/leaderboard.ts';
import type { HashRead, Head, Histogram, Page, PeriodRead, Read, Window } from '../core/reading.ts';
import { rankRun, type Standing } from '../core/standing.ts';
import { keys, keysPerPeriod } from './keys.ts';
import type { Reading } from './shared-reads.ts';

/** What read.lua takes: see its header. */
export interface Question {
  readonly request: string;
  /** Members and scores, which the request names by their place among the arguments. */
  readonly values: readonly string[];
  /** Keys of hashes. */
  readonly hashes: readonly string[];
}

/**
 * Members and scores are kept out of the request, so that Redis has the same text for the same kind of question, and
 * decodes it once. Written plainly, and for the one read of most queries: it is run for each.
 */
export function encodeReads(board: Leaderboard, reads: readonly PeriodRead[], periods: readonly string[]): Question {
  const values: string[] = [];
  const hashes: string[] = [];
  const firstHash = 3 + keysPerPeriod * periods.length;
  const places = new Map(periods.map((period, i) => [period, i + 1]));
  let encoded = '';
  for (const { period, read } of reads) {
    if (encoded) encoded += ',';
    if (read.kind === 'periods' || read.kind === 'closed' || read.kind === 'indexing') {
      hashes.push(hashKeys[read.kind](board.key));
      encoded += `{"kind":"hash","hash":${firstHash + hashes.length - 1}}`;
    } else {
      const fields = encodeRead(board, read, values);
      encoded += `{"kind":"${read.kind}","period":${places.get(period)}${fields}}`;
    }
  }
  return { request: `{"periods":${JSON.stringify(periods)},"reads":[${encoded}]}`, values, hashes };
}

const hashKeys = { periods: keys.periods, closed: keys.closed, indexing: keys.dense };

/** Board and request come first. */
const put = (values: string[], value: string): number => values.push(value) + 2;

/** A read's own fields as JSON: numbers all, for texts are among the values. */
function encodeRead(board: Leaderboard, read: Exclude<Read, HashRead>, values: string[]): string {
  switch (read.kind) {
    case 'page': {
      const { offset, first, last, window, after, before } = read;
      const size = first === null ? `,"last":${last}` : `,"first":${first}`;
      const places = encodePlace('after', after, values) + encodePlace('before', before, values);
      return `,"offset":${offset}${size}${places}${encodeWindow(board, window, values)}`;
    }
    case 'around': {
      const { centre, above, below, fill } = read;
      const place =
        'score' in centre ? `"score":${put(values, centre.score)}` : `"member":${put(values, centre.memberId)}`;
      return `,${place},"above":${above},"below":${below},"fill":${fill}`;
    }
    case 'entry':
      return `,"member":${put(values, read.memberId)}`;
    case 'list':
      return `,"members":[${read.memberIds.map((memberId) => put(values, memberId))}]`;
    case 'position':
      return `,"score":${put(values, read.score)}`;
    case 'histogram':
      return `,"buckets":${read.buckets}`;
    case 'head':
      return '';
  }
}

const encodePlace = (name: string, place: Place | null, values: string[]) =>
  place ? `,"${name}":{"score":${put(values, place.score)},"member":${put(values, place.member)}}` : '';

function encodeWindow(board: Leaderboard, window: Window, values: string[]): string {
  if (window.kind === 'all') return '';
  if (window.kind === 'rank') return `,"rank":${window.rank}`;
  const bound = (name: string, score: string | null) => (score === null ? '' : `,"${name}":${put(values, score)}`);
  const descends = board.sortOrder === 'HIGH_TO_LOW';
  return bound(descends ? 'worst' : 'best', window.minScore) + bound(descends ? 'best' : 'worst', window.maxScore);
}

/** What read.lua answers: lines, each read by who knows what it is. */
class Lines {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#lines = text.split('\n');
  }

  text(): string {
    const line = this.#lines[this.#at];
    if (line === undefined) throw new Error('read.lua answered with too few lines');
    this.#at += 1;
    return line;
  }

  /** A number; null for an empty line, which goes without saying. */
  number(): number | null {
    const text = this.text();
    return text === '' ? null : Number(text);
  }

  texts(count: number): string[] {
    this.#at += count;
    if (this.#at > this.#lines.length) throw new Error('read.lua answered with too few lines');
    return this.#lines.slice(this.#at - count, this.#at);
  }
}

/** How read.lua found each period, and what it answers to each read. */
export function decodeReading(
  board: Leaderboard,
  reads: readonly PeriodRead[],
  periods: readonly string[],
  reply: string,
): Reading {
  const lines = new Lines(reply);
  const heads = new Map<string, Head>();
  for (const period of periods) heads.set(period, decodeHead(lines));
  const answers: unknown[] = [];
  for (const { period, read } of reads) {
    const head = heads.get(period);
    if (!head) throw new Error(`read.lua was not asked for the head of ${period}`);
    answers.push(decodeReply(board, read, head, lines));
  }
  return { heads, answers };
}

function decodeHead(lines: Lines): Head {
  const epoch = lines.text();
  const version = lines.number();
  const entryCount = lines.number() ?? 0;
  const method = lines.text();
  const record = lines.text();
  const rankMethod = method ? rankMethods.find((one) => one === method) : undefined;
  const closed = record ? JSON.parse(record) : null;
  return { epoch, version: version ?? 0, entryCount, held: version !== null, rankMethod, closed };
}

/** A run's standings, and the index where it starts. */
function decodeRun(board: Leaderboard, lines: Lines): { start: number; standings: Standing[] } {
  const count = lines.number() ?? 0;
  const start = lines.number() ?? 0;
  const better = lines.number() ?? start;
  const through = lines.number() ?? start + count;
  const dense = lines.number();
  const hasMetadata = lines.number() !== null;
  const flat = lines.texts(2 * count);
  const metadata = hasMetadata ? lines.texts(count).map((json) => (json === '-' ? null : json)) : [];
  return { start, standings: rankRun(board, { start, better, through, dense, flat, metadata }) };
}

const decodeEntry = (board: Leaderboard, lines: Lines) => decodeRun(board, lines).standings[0] ?? null;

function decodePage(board: Leaderboard, head: Head, lines: Lines): Page {
  const low = lines.number() ?? 0;
  const high = lines.number() ?? head.entryCount;
  const after = lines.number();
  const before = lines.number();
  const { start, standings } = decodeRun(board, lines);
  return { head, standings, start, low, high, after, before };
}

function decodeHistogram(lines: Lines): Histogram | null {
  const count = lines.number();
  if (count === null) return null;
  const [lowest, width] = [lines.number() ?? 0, lines.number() ?? 0];
  return { lowest, width, counts: lines.texts(count).map(Number) };
}

function decodeReply(board: Leaderboard, read: Read, head: Head, lines: Lines): unknown {
  switch (read.kind) {
    case 'page':
      return decodePage(board, head, lines);
    case 'around':
      return lines.number() !== null ? decodePage(board, head, lines) : null;
    case 'entry':
      return { head, standing: decodeEntry(board, lines) };
    case 'list':
      return { head, standings: read.memberIds.map(() => decodeEntry(board, lines)) };
    case 'position':
      return { head, better: lines.number() ?? 0, ties: lines.number() ?? 0, denseRank: lines.number() };
    case 'histogram':
      return decodeHistogram(lines);
    case 'head':
      return head;
    case 'periods':
      return [...pairs(lines).keys()];
    case 'closed':
      return new Map([...pairs(lines)].map(([key, json]) => [key, JSON.parse(json)]));
    case 'indexing':
      return pairs(lines);
  }
}

/** HGETALL's fields and values, a line each. */
function pairs(lines: Lines): Map<string, string> {
  const flat = lines.texts(lines.number() ?? 0);
  return new Map(flat.flatMap((key, i) => (i % 2 === 0 ? [[key, flat[i + 1] ?? '']] : [])));
}
