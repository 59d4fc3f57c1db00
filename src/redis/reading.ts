import type { Leaderboard } from '../core/leaderboard.ts';
import type { Head, Page, PeriodRead, Read } from '../core/reading.ts';
import { rankRun, type Standing } from '../core/standing.ts';

/** What read.lua takes: see its header. */
export function encodeReads(board: Leaderboard, reads: readonly PeriodRead[], periods: readonly string[]) {
  const places = new Map(periods.map((period, i) => [period, i + 1]));
  return {
    descending: board.sortOrder === 'HIGH_TO_LOW',
    reads: reads.map(({ period, read }) => ({ ...encodeRead(read), period: places.get(period) })),
  };
}

function encodeRead(read: Read): Record<string, unknown> {
  switch (read.kind) {
    case 'page': {
      const place = (cursor: typeof read.after) =>
        cursor ? { score: cursor.score, member: cursor.member } : undefined;
      return {
        kind: read.kind,
        after: place(read.after),
        before: place(read.before),
        offset: read.offset,
        first: read.first ?? undefined,
        last: read.last ?? undefined,
      };
    }
    case 'around':
      return { kind: read.kind, member: read.memberId, above: read.above, below: read.below, fill: read.fill };
    case 'entry':
      return { kind: read.kind, member: read.memberId };
    default:
      return { kind: read.kind };
  }
}

/** What read.lua answers, in the order of the reads. */
export function decodeReading(
  reads: readonly PeriodRead[],
  periods: readonly string[],
  epoch: string,
  heads: unknown,
  replies: unknown,
): unknown[] {
  const headOf = new Map<string, Head>();
  for (const [i, [version, total]] of (heads as [string, number][]).entries()) {
    headOf.set(periods[i] ?? '', { epoch, version: Number(version), entryCount: total });
  }
  return reads.map(({ period, read }, i) => {
    const head = headOf.get(period);
    if (!head) throw new Error(`read.lua answered without the head of ${period}`);
    return decodeReply(read, head, (replies as unknown[])[i]);
  });
}

type RawRun = [start: number, better: number, through: number, flat: string[]];
type RawPage = [...RawRun, low: number, high: number, after: number, before: number];

const decodeRun = ([start, better, through, flat]: RawRun | RawPage): Standing[] =>
  rankRun({ start, better, through, flat });

function decodePage(head: Head, raw: RawPage): Page {
  const [start, , , , low, high, after, before] = raw;
  const place = (index: number) => (index < 0 ? null : index);
  return { head, standings: decodeRun(raw), start, low, high, after: place(after), before: place(before) };
}

function decodeReply(read: Read, head: Head, reply: unknown): unknown {
  switch (read.kind) {
    case 'page':
      return decodePage(head, reply as RawPage);
    case 'around':
      return reply === null ? null : decodePage(head, reply as RawPage);
    case 'entry':
      return { head, standing: reply === null ? null : (decodeRun(reply as RawRun)[0] ?? null) };
    case 'head':
      return head;
    case 'periods':
      return (reply as string[]).filter((_, i) => i % 2 === 0);
  }
}
