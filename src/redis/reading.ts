import type { Place } from '../core/cursor.ts';
import { type Leaderboard, rankMethods } from '../core/leaderboard.ts';
import { limits } from '../core/limits.ts';
import type { EntryRead, HashRead, Head, Histogram, Page, PeriodRead, Read, Window } from '../core/reading.ts';
import { rankRun, type Standing } from '../core/standing.ts';
import type { Given } from './fenced.ts';
import { keys, periodKeys } from './keys.ts';
import type { Reading } from './shared-reads.ts';

/**
 * What read.lua takes: see its header. Members, scores, ranks and offsets are kept out of the request, so that Redis has
 * the same text for the same kind of question, and decodes it once. Written plainly, and for the one read of most queries: it is run for each.
 */
export function encodeReads(
  board: Leaderboard,
  boardText: string,
  reads: readonly PeriodRead[],
  periods: readonly string[],
): Given {
  const names = [keys.definition(board.key), keys.closed(board.key)];
  for (const period of periods) names.push(...periodKeys(board.key, period));
  // The request comes first, so that the length of the list with a value in it is the value's place in Lua.
  const args = [''];
  let encoded = '';
  for (let at = 0; at < reads.length; at += 1) {
    const { period, read } = reads[at] as PeriodRead;
    if (encoded) encoded += ',';
    if (read.kind === 'periods' || read.kind === 'closed' || read.kind === 'indexing') {
      encoded += `{"kind":"hash","hash":${names.push(hashKeys[read.kind](board.key))}}`;
      continue;
    }
    const number = periods.indexOf(period) + 1;
    const more = read.kind === 'entry' ? entriesAfter(reads, at) : 0;
    if (more > 0) {
      const places = reads.slice(at, at + 1 + more).map((one) => args.push((one.read as EntryRead).memberId));
      encoded += `{"kind":"list","period":${number},"members":[${places}]}`;
      at += more;
    } else {
      encoded += `{"kind":"${read.kind}","period":${number}${encodeRead(board, read, args)}}`;
    }
  }
  args[0] = `{"board":${boardText},"periods":${periods.length},"reads":[${encoded}]}`;
  return { keys: names, args };
}

/** How many reads of one entry each of the same period follow: they are looked up together, and answered as a list is. */
function entriesAfter(reads: readonly PeriodRead[], at: number): number {
  const period = reads[at]?.period;
  let next = at + 1;
  while (reads[next]?.read.kind === 'entry' && reads[next]?.period === period && next - at < limits.listSize) next += 1;
  return next - at - 1;
}

const hashKeys = { periods: keys.periods, closed: keys.closed, indexing: keys.dense };

/** A read's own fields as JSON: numbers all, sizes or places among the args. */
function encodeRead(board: Leaderboard, read: Exclude<Read, HashRead>, args: string[]): string {
  switch (read.kind) {
    case 'page': {
      const { offset, first, last, window, after, before } = read;
      const size = first === null ? `,"last":${last}` : `,"first":${first}`;
      const skipped = offset === 0 ? '' : `,"offset":${args.push(String(offset))}`;
      const places = encodePlace('after', after, args) + encodePlace('before', before, args);
      return `${size}${skipped}${places}${encodeWindow(board, window, args)}`;
    }
    case 'around': {
      const { centre, above, below, fill } = read;
      const place = 'score' in centre ? `"score":${args.push(centre.score)}` : `"member":${args.push(centre.memberId)}`;
      return `,${place},"above":${above},"below":${below},"fill":${fill}`;
    }
    case 'entry':
      return `,"member":${args.push(read.memberId)}`;
    case 'list':
      return `,"members":[${read.memberIds.map((memberId) => args.push(memberId))}]`;
    case 'position':
      return `,"score":${args.push(read.score)}`;
    case 'histogram':
      return `,"buckets":${read.buckets}`;
    case 'head':
      return '';
  }
}

const encodePlace = (name: string, place: Place | null, args: string[]) =>
  place ? `,"${name}":{"score":${args.push(place.score)},"member":${args.push(place.member)}}` : '';

function encodeWindow(board: Leaderboard, window: Window, args: string[]): string {
  if (window.kind === 'all') return '';
  if (window.kind === 'rank') return `,"rank":${args.push(String(window.rank))}`;
  const bound = (name: string, score: string | null) => (score === null ? '' : `,"${name}":${args.push(score)}`);
  const descends = board.sortOrder === 'HIGH_TO_LOW';
  return bound(descends ? 'worst' : 'best', window.minScore) + bound(descends ? 'best' : 'worst', window.maxScore);
}

/** What read.lua answers: lines, each read by who knows what it is. Cut one by one: that is quicker than a list of all. */
class Lines {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  text(): string {
    const from = this.#at;
    if (from > this.#text.length) throw new Error('read.lua answered with too few lines');
    const end = this.#text.indexOf('\n', from);
    this.#at = (end < 0 ? this.#text.length : end) + 1;
    return end < 0 ? this.#text.slice(from) : this.#text.slice(from, end);
  }

  /** A number; null for an empty line, which goes without saying. */
  number(): number | null {
    const text = this.text();
    return text === '' ? null : Number(text);
  }

  texts(count: number): string[] {
    const texts: string[] = [];
    while (texts.length < count) texts.push(this.text());
    return texts;
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
  for (const period of periods) heads.set(period, decodeHead(board, lines));
  const answers: unknown[] = [];
  for (const { period, read } of reads) {
    const head = heads.get(period);
    if (!head) throw new Error(`read.lua was not asked for the head of ${period}`);
    answers.push(decodeReply(board, read, head, lines));
  }
  return { heads, answers };
}

function decodeHead({ epoch }: Leaderboard, lines: Lines): Head {
  const first = lines.text();
  if (first !== '*') {
    const entryCount = lines.number() ?? 0;
    return { epoch, version: Number(first), entryCount, held: true, rankMethod: undefined, closed: null };
  }
  const version = lines.number();
  const entryCount = lines.number() ?? 0;
  const closedIn = lines.text();
  const method = lines.text();
  const record = lines.text();
  return {
    epoch: closedIn || epoch,
    version: version ?? 0,
    entryCount,
    held: version !== null,
    rankMethod: rankMethods.find((one) => one === method),
    closed: record ? JSON.parse(record) : null,
  };
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

function decodeAround(board: Leaderboard, head: Head, lines: Lines): Page | null {
  const first = lines.text();
  return first === '-' ? null : decodePage(board, head, lines, first);
}

function decodePage(board: Leaderboard, head: Head, lines: Lines, first = lines.text()): Page {
  const low = Number(first);
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
      return decodeAround(board, head, lines);
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
