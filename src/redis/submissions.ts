import { type ErrorCode, isErrorCode, LaurelError } from '../core/errors.ts';
import { closesAt, type Leaderboard } from '../core/leaderboard.ts';
import type { Period } from '../core/period.ts';
import type { BlockStep, Change, Outcome, Skip, Submission } from '../core/submission.ts';
import { decodeChange, type RawChange } from './changes.ts';
import { keys } from './keys.ts';

const remembered = new WeakMap<Leaderboard, Map<string, string>>();
const rememberedPeriods = 1_000;

/** A period as submit.lua takes it: the same text each time, so that it is decoded once. */
export function periodText(board: Leaderboard, period: Period): string {
  const texts = remembered.get(board) ?? new Map<string, string>();
  remembered.set(board, texts);
  const known = texts.get(period.key);
  if (known) return known;
  const { key, cadence } = period;
  const edges = { startsAt: period.startsAt, endsAt: period.endsAt, closesAt: closesAt(board, period) };
  // Lua would take null for something.
  const given = Object.entries(edges).filter(([, edge]) => edge !== null);
  const text = JSON.stringify({ key, cadence, ...Object.fromEntries(given) });
  if (texts.size >= rememberedPeriods) texts.clear();
  texts.set(period.key, text);
  return text;
}

/** The distinct periods of some submissions. */
export function periodsOf(submissions: readonly Submission[]): readonly Period[] {
  if (submissions.length === 1) return submissions[0]?.periods ?? [];
  const periods = new Map<string, Period>();
  for (const submission of submissions) for (const period of submission.periods) periods.set(period.key, period);
  return [...periods.values()];
}

/** What submit.lua takes of submissions: texts of each, and the idempotency keys that they name by number. */
export function encodeSubmissions(
  board: Leaderboard,
  submissions: readonly Submission[],
  periods: readonly Period[],
): { texts: string[]; idempotencyKeys: string[] } {
  const places = new Map(periods.map((period, i) => [period.key, i + 1]));
  const idempotencyKeys: string[] = [];
  const texts: string[] = [];
  for (const one of submissions) {
    const { id, memberId, score, occurredAt, scorePolicy } = one;
    const common = { periods: one.periods.map((period) => places.get(period.key)), policy: scorePolicy ?? undefined };
    texts.push(id, memberId, score ?? '', String(occurredAt), JSON.stringify(common));
    texts.push(encodeOwn(board, one, idempotencyKeys));
  }
  return { texts, idempotencyKeys };
}

/** What few submissions have. */
function encodeOwn(board: Leaderboard, one: Submission, idempotencyKeys: string[]): string {
  const { sortPrefix, metadata, idempotencyKey, fingerprint } = one;
  if (sortPrefix === null && metadata === null && idempotencyKey === null) return '';
  const key = idempotencyKey === null ? null : idempotencyKeys.push(keys.idempotency(board.key, idempotencyKey));
  // Lua would take null for something.
  return JSON.stringify({
    sortKey: sortPrefix ?? undefined,
    metadata: metadata ?? undefined,
    ...(key === null ? {} : { key, fingerprint }),
  });
}

type RawOutcome = string | [changes: RawChange<Change['outcome']>[], skipped: Skip[], firstId?: string];

/** What submit.lua answers to some submissions. */
export function decodeOutcomes(submissions: readonly Submission[], text: string): Outcome[] {
  const outcomes: RawOutcome[] = JSON.parse(text);
  return submissions.map((submission, i) => decodeOutcome(submission, outcomes[i] ?? ''));
}

function decodeOutcome({ id, memberId }: Submission, raw: RawOutcome): Outcome {
  if (typeof raw === 'string') return { refused: refusalCode(raw) };
  const [rawChanges, skipped, firstId] = raw;
  const changes = rawChanges.map((change) => decodeChange(change, memberId));
  const applied = changes.some(({ outcome }) => outcome === 'APPLIED');
  return { id: firstId ?? id, applied, duplicate: firstId !== undefined, changes, skipped };
}

function refusalCode(text: string): ErrorCode {
  if (!isErrorCode(text)) throw new Error(`submit.lua refused with an unknown code: ${text}`);
  return text;
}

/** A block sent again answers as the first time, less the details; one with other rows is refused. */
export function repeatedBlock(submissions: readonly Submission[], block: BlockStep, text: string): Outcome[] {
  const record: { to: string; rows: number; refused: unknown } = JSON.parse(text);
  if (record.to !== block.to || record.rows !== block.rows) {
    throw new LaurelError(
      'BLOCK_CONFLICT',
      `A block of ${record.rows} other rows was applied at this place before; only rows after those can be added.`,
      { appliedTo: record.to, appliedRows: record.rows },
    );
  }
  // Lua's empty table encodes as an object.
  const refused = new Map<number, string>(Array.isArray(record.refused) ? record.refused : []);
  return submissions.map(({ id }, i) => {
    const code = refused.get(block.positions[i] ?? 0);
    return code ? { refused: refusalCode(code) } : { id, applied: false, duplicate: true, changes: [], skipped: [] };
  });
}
