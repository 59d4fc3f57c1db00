import { isErrorCode, LaurelError } from '../core/errors.ts';
import { closesAt, type Leaderboard } from '../core/leaderboard.ts';
import type { Period } from '../core/period.ts';
import type { BlockStep, Change, Outcome, Skip, Submission } from '../core/submission.ts';
import { keys } from './keys.ts';

/** Lua's empty table encodes as an object. */
export const list = <T>(value: unknown): T[] => (Array.isArray(value) ? value : []);

const remembered = new WeakMap<Leaderboard, Map<string, string>>();
const rememberedPeriods = 1_000;

/** A period as submit.lua takes it: the same text each time, so that it is decoded once. */
function periodText(board: Leaderboard, period: Period): string {
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

/** What submit.lua takes: a request and each period, as JSON, and the idempotency keys that submissions name by number. */
export function encodeSubmissions(
  board: Leaderboard,
  submissions: readonly Submission[],
  periods: readonly Period[],
  now: number,
  block: BlockStep | undefined,
): { request: string; periodTexts: string[]; idempotencyKeys: string[] } {
  const places = new Map(periods.map((period, i) => [period.key, i + 1]));
  const idempotencyKeys: string[] = [];
  const encoded = submissions.map((one) => {
    const once = one.idempotencyKey !== null;
    return {
      id: one.id,
      member: one.memberId,
      score: one.score ?? undefined,
      sortKey: one.sortPrefix ?? undefined,
      metadata: one.metadata ?? undefined,
      policy: one.scorePolicy ?? undefined,
      at: one.occurredAt,
      periods: one.periods.map((period) => places.get(period.key)),
      key: once ? idempotencyKeys.push(keys.idempotency(board.key, one.idempotencyKey)) : undefined,
      fingerprint: once ? one.fingerprint : undefined,
    };
  });
  const request = JSON.stringify({ now, submissions: encoded, block });
  return { request, periodTexts: periods.map((period) => periodText(board, period)), idempotencyKeys };
}

type RawOutcome =
  | { refused: string }
  | { refused?: undefined; id: string; applied: boolean; duplicate?: boolean; changes: Change[]; skipped: Skip[] };

/** What submit.lua answers. */
export const decodeOutcomes = (text: string): Outcome[] => list<RawOutcome>(JSON.parse(text)).map(decodeOutcome);

function decodeOutcome(raw: RawOutcome): Outcome {
  if (raw.refused === undefined) {
    const { id, applied, duplicate = false } = raw;
    return { id, applied, duplicate, changes: list(raw.changes), skipped: list(raw.skipped) };
  }
  if (!isErrorCode(raw.refused)) throw new Error(`submit.lua refused with an unknown code: ${raw.refused}`);
  return { refused: raw.refused };
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
  const refused = new Map(list<[number, string]>(record.refused));
  return submissions.map(({ id }, i) => {
    const code = refused.get(block.positions[i] ?? 0);
    return decodeOutcome(code ? { refused: code } : { id, applied: false, duplicate: true, changes: [], skipped: [] });
  });
}
