import type { Place } from '../core/cursor.ts';
import type { Leaderboard } from '../core/leaderboard.ts';
import type { ClosedPeriod } from '../core/period.ts';
import type { Head, Page, PeriodRead, Read, Window } from '../core/reading.ts';
import { rankRun, type Standing } from '../core/standing.ts';

/** What read.lua takes: see its header. */
export function encodeReads(board: Leaderboard, reads: readonly PeriodRead[], periods: readonly string[]) {
  const places = new Map(periods.map((period, i) => [period, i + 1]));
  return {
    descending: board.sortOrder === 'HIGH_TO_LOW',
    tieBreak: board.tieBreak,
    denseReady: board.denseReady,
    periods,
    reads: reads.map(({ period, read }) => ({
      ...encodeRead(board, read),
      kind: read.kind,
      period: places.get(period),
    })),
  };
}

const encodePlace = (place: Place | null) => place && { score: place.score, member: place.member };

function encodeWindow(board: Leaderboard, window: Window): Record<string, unknown> {
  if (window.kind === 'rank') return { rank: window.rank, method: board.rankMethod };
  if (window.kind === 'all') return {};
  const { minScore, maxScore } = window;
  return board.sortOrder === 'HIGH_TO_LOW' ? { best: maxScore, worst: minScore } : { best: minScore, worst: maxScore };
}

/** A read's own fields, less those that are null: Lua would take them for something. */
function encodeRead(board: Leaderboard, read: Read): Record<string, unknown> {
  const given = (fields: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  switch (read.kind) {
    case 'page': {
      const { window, after, before, offset, first, last } = read;
      const places = { after: encodePlace(after), before: encodePlace(before) };
      return given({ ...encodeWindow(board, window), ...places, offset, first, last });
    }
    case 'around': {
      const { centre, above, below, fill } = read;
      return { ...('score' in centre ? centre : { member: centre.memberId }), above, below, fill };
    }
    case 'entry':
      return { member: read.memberId };
    case 'list':
      return { members: read.memberIds };
    case 'position':
      return { score: read.score };
    case 'histogram':
      return { buckets: read.buckets };
    default:
      return {};
  }
}

type RawHead = [epoch: string, version: string, total: number, state: string, closed: string];

/** How read.lua found each period. */
export function decodeHeads(periods: readonly string[], heads: unknown): Map<string, Head> {
  const decode = ([epoch, version, entryCount, state, closed]: RawHead): Head => {
    const held = version !== '';
    const known: ClosedPeriod | null = closed ? JSON.parse(closed) : null;
    // A copy is closed, and nothing more is known of it.
    const copied = state === 'CLOSED' && !known ? { closedAt: 0, version: Number(version), epoch, entryCount } : null;
    return { epoch, version: Number(version), entryCount, closed: known ?? copied, held };
  };
  return new Map((heads as RawHead[]).map((raw, i) => [periods[i] ?? '', decode(raw)]));
}

/** What read.lua answers, in the order of the reads. */
export function decodeReplies(
  board: Leaderboard,
  reads: readonly PeriodRead[],
  heads: ReadonlyMap<string, Head>,
  replies: unknown,
): unknown[] {
  return reads.map(({ period, read }, i) => {
    const head = heads.get(period);
    if (!head) throw new Error(`read.lua answered without the head of ${period}`);
    return decodeReply(board, read, head, (replies as unknown[])[i]);
  });
}

type RawRun = [
  start: number,
  better: number,
  through: number,
  flat: string[],
  dense: number,
  metadata: (string | null)[],
];
type RawPage = [...RawRun, low: number, high: number, after: number, before: number];

function decodeRun(board: Leaderboard, raw: RawRun | RawPage): Standing[] {
  const [start, better, through, flat, dense, metadata] = raw;
  return rankRun(board, { start, better, through, flat, dense: dense || null, metadata });
}

const decodeEntry = (board: Leaderboard, raw: RawRun | null) => (raw && decodeRun(board, raw)[0]) ?? null;

function decodePage(board: Leaderboard, head: Head, raw: RawPage): Page {
  const [low, high, after, before] = raw.slice(6) as number[] as [number, number, number, number];
  const place = (index: number) => (index < 0 ? null : index);
  return {
    head,
    standings: decodeRun(board, raw),
    start: raw[0],
    low,
    high,
    after: place(after),
    before: place(before),
  };
}

function decodeReply(board: Leaderboard, read: Read, head: Head, reply: unknown): unknown {
  switch (read.kind) {
    case 'page':
      return decodePage(board, head, reply as RawPage);
    case 'around':
      return reply === null ? null : decodePage(board, head, reply as RawPage);
    case 'entry':
      return { head, standing: decodeEntry(board, reply as RawRun | null) };
    case 'list':
      return { head, standings: (reply as (RawRun | null)[]).map((raw) => decodeEntry(board, raw)) };
    case 'position': {
      const [better, ties, dense] = reply as [number, number, number];
      return { head, better, ties, denseRank: dense || null };
    }
    case 'histogram': {
      const [lowest, width, counts] = reply as [string, string, number[]] | [];
      return counts ? { lowest: Number(lowest), width: Number(width), counts } : null;
    }
    case 'head':
      return head;
    case 'periods':
      return [...pairs(reply).keys()];
    case 'closed':
      return new Map([...pairs(reply)].map(([key, text]) => [key, JSON.parse(text)]));
    case 'indexing':
      return pairs(reply);
  }
}

/** HGETALL's flat reply. */
function pairs(reply: unknown): Map<string, string> {
  const flat = reply as string[];
  return new Map(flat.flatMap((key, i) => (i % 2 === 0 ? [[key, flat[i + 1] ?? '']] : [])));
}
