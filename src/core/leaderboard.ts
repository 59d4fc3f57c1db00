import { LaurelError } from './errors.ts';
import { limits } from './limits.ts';
import { type Cadence, type ClosedPeriod, cadences, checkTimeZone, type Period, type PeriodState } from './period.ts';
import { highestStored, maxScale, parseScore, type ScoreText } from './score.ts';
import { checkText } from './text.ts';

export const sortOrders = ['HIGH_TO_LOW', 'LOW_TO_HIGH'] as const;
export type SortOrder = (typeof sortOrders)[number];

export const scorePolicies = ['BEST', 'LATEST', 'SUM'] as const;
export type ScorePolicy = (typeof scorePolicies)[number];

export const tieBreaks = ['MEMBER_ID', 'EARLIEST', 'LATEST', 'SORT_KEY'] as const;
export type TieBreak = (typeof tieBreaks)[number];

export const rankMethods = ['COMPETITION', 'DENSE', 'ORDINAL'] as const;
export type RankMethod = (typeof rankMethods)[number];

export const sortKeyTypes = ['TEXT', 'INTEGER'] as const;
export type SortKeyType = (typeof sortKeyTypes)[number];

export const sortKeyOrders = ['ASCENDING', 'DESCENDING'] as const;
export type SortKeyOrder = (typeof sortKeyOrders)[number];

/** A period with edges of its own. Epoch milliseconds. */
export interface Season {
  readonly key: string;
  readonly startsAt: number;
  readonly endsAt: number;
}

/** What a caller decides about a board. */
export interface LeaderboardRules {
  readonly title: string;
  readonly sortOrder: SortOrder;
  readonly scorePolicy: ScorePolicy;
  readonly tieBreak: TieBreak;
  /** What the keys of a SORT_KEY board are, and which end of them comes first among equal scores. */
  readonly sortKeyType: SortKeyType;
  readonly sortKeyOrder: SortKeyOrder;
  /** BCP 47 tag: by its rules a `sortName` becomes a sort key. */
  readonly sortLocale: string;
  /** Whether numbers inside sort names are ordered by value: 9 before 10. */
  readonly naturalNumbers: boolean;
  readonly rankMethod: RankMethod;
  /** Whether an index of distinct scores is kept, which dense ranks need. */
  readonly denseRanks: boolean;
  /** Whether that index is complete: until then there are no dense ranks to show. */
  readonly denseReady: boolean;
  /** The best so many entries are kept; null: all. */
  readonly maxEntries: number | null;
  /** Decimals of a score, 0 to 9. */
  readonly scoreScale: number;
  readonly minScore: ScoreText | null;
  readonly maxScore: ScoreText | null;
  readonly cadences: readonly Cadence[];
  /** IANA name. */
  readonly timeZone: string;
  /** Minutes after midnight at which a day, and with it every calendar period, begins. */
  readonly dayStartMinutes: number;
  /** What the cadence SEASON is cut into, in time's order, none overlapping another. */
  readonly seasons: readonly Season[];
  /** How long Redis keeps a closed period. */
  readonly retentionSeconds: number;
  /** Whether closed periods go into the archive. */
  readonly archive: boolean;
  /** How long the archive keeps them; null: for ever. */
  readonly archiveRetentionSeconds: number | null;
  /** How long after its end a period accepts late scores. */
  readonly graceSeconds: number;
  /** While true, periods that ended accept scores: a backfill's hold (rule T2). */
  readonly backfill: boolean;
}

/** A board as the store holds it. */
export interface Leaderboard extends LeaderboardRules {
  readonly key: string;
  /** +1 for every change of the rules. */
  readonly version: number;
  /** A random id of this board from its creation to its deletion (rule T5). */
  readonly incarnation: string;
  /** A random id of its data as the store holds it: another one wherever writes may have been lost (rule T5). */
  readonly epoch: string;
}

/** Rules as a caller states them: scores still numbers, what is left out undefined. */
export interface LeaderboardInput {
  readonly title?: string | undefined;
  readonly sortOrder?: SortOrder | undefined;
  readonly scorePolicy?: ScorePolicy | undefined;
  readonly tieBreak?: TieBreak | undefined;
  readonly sortKeyType?: SortKeyType | undefined;
  readonly sortKeyOrder?: SortKeyOrder | undefined;
  readonly sortLocale?: string | undefined;
  readonly naturalNumbers?: boolean | undefined;
  readonly rankMethod?: RankMethod | undefined;
  readonly denseRanks?: boolean | undefined;
  readonly maxEntries?: number | undefined;
  readonly scoreScale?: number | undefined;
  readonly minScore?: number | null | undefined;
  readonly maxScore?: number | null | undefined;
  readonly cadences?: readonly Cadence[] | undefined;
  readonly timeZone?: string | undefined;
  readonly dayStartsAt?: string | undefined;
  readonly seasons?: readonly Season[] | undefined;
  readonly retentionSeconds?: number | undefined;
  readonly archive?: boolean | undefined;
  readonly archiveRetentionSeconds?: number | null | undefined;
  readonly graceSeconds?: number | undefined;
  readonly backfill?: boolean | undefined;
}

const defaults: LeaderboardRules = {
  title: '',
  sortOrder: 'HIGH_TO_LOW',
  scorePolicy: 'BEST',
  tieBreak: 'MEMBER_ID',
  sortKeyType: 'TEXT',
  sortKeyOrder: 'ASCENDING',
  sortLocale: 'en',
  naturalNumbers: false,
  rankMethod: 'COMPETITION',
  denseRanks: false,
  denseReady: false,
  maxEntries: null,
  scoreScale: 0,
  minScore: null,
  maxScore: null,
  cadences: ['ALL_TIME'],
  timeZone: 'UTC',
  dayStartMinutes: 0,
  seasons: [],
  retentionSeconds: 90 * 24 * 60 * 60,
  archive: true,
  archiveRetentionSeconds: null,
  graceSeconds: 0,
  backfill: false,
};

const secondsInYear = 366 * 24 * 60 * 60;

/** Board and season keys: lower case, so that they read the same in a URL, a file name and redis-cli. */
export function checkKey(key: string): string {
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(key)) {
    throw new LaurelError('BAD_KEY', `${JSON.stringify(key.slice(0, 80))} is not a key: [a-z0-9][a-z0-9_-]{0,63}.`);
  }
  return key;
}

/** The rules that `input` makes of `base`, checked as a whole. */
export function makeRules(key: string, input: LeaderboardInput, base: LeaderboardRules = defaults): LeaderboardRules {
  const { dayStartsAt, ...plain } = input;
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  const scale = input.scoreScale ?? base.scoreScale;
  if (!Number.isInteger(scale) || scale < 0 || scale > maxScale) {
    throw new LaurelError('BAD_INPUT', `scoreScale must be a whole number from 0 to ${maxScale}, not ${scale}.`);
  }
  const bound = (score: number | null | undefined, before: ScoreText | null) =>
    score === undefined ? before : score === null ? null : parseScore(score, scale);
  const rules: LeaderboardRules = {
    ...base,
    ...given,
    title: input.title ?? (base.title || key),
    minScore: bound(input.minScore, base.minScore),
    maxScore: bound(input.maxScore, base.maxScore),
    timeZone: knownTimeZone(input.timeZone ?? base.timeZone),
    dayStartMinutes: dayStartsAt === undefined ? base.dayStartMinutes : minutesOf(dayStartsAt),
    sortLocale: knownLocale(input.sortLocale ?? base.sortLocale),
    ...denseRules(input, base),
  };
  checkRules(rules);
  return rules;
}

function knownTimeZone(name: string): string {
  const timeZone = checkTimeZone(name);
  if (timeZone) return timeZone;
  throw new LaurelError('BAD_INPUT', `timeZone must be an IANA name such as Europe/Zurich, not ${name.slice(0, 80)}.`);
}

function minutesOf(time: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  if (hours && minutes) return Number(hours) * 60 + Number(minutes);
  throw new LaurelError('BAD_INPUT', `dayStartsAt must be a time from 00:00 to 23:59, not ${time.slice(0, 80)}.`);
}

function knownLocale(tag: string): string {
  try {
    const [locale] = Intl.getCanonicalLocales(tag);
    if (locale) return locale;
  } catch {}
  throw new LaurelError('BAD_INPUT', `sortLocale must be a BCP 47 tag such as en or zh-CN, not ${tag.slice(0, 80)}.`);
}

/** The dense index is complete at once on a new board; on one with entries it is built first, then ranks may use it. */
function denseRules(input: LeaderboardInput, base: LeaderboardRules) {
  const isNew = base === defaults;
  const denseRanks = input.denseRanks ?? (base.denseRanks || (isNew && input.rankMethod === 'DENSE'));
  const denseReady = denseRanks && (isNew || base.denseReady);
  if ((input.rankMethod ?? base.rankMethod) === 'DENSE' && !denseReady) {
    throw new LaurelError(
      'BAD_INPUT',
      'rankMethod DENSE needs the index of distinct scores: set denseRanks, and wait until denseProgress is 1.',
    );
  }
  return { denseRanks, denseReady };
}

function checkMaxEntries({ maxEntries, scorePolicy }: LeaderboardRules): void {
  if (maxEntries === null) return;
  if (!Number.isSafeInteger(maxEntries) || maxEntries < 1) {
    throw new LaurelError('BAD_INPUT', 'maxEntries must be a whole number from 1.');
  }
  if (scorePolicy === 'SUM') {
    throw new LaurelError('BAD_INPUT', 'maxEntries and SUM exclude each other: a sum that fell out would begin anew.');
  }
}

function checkRules(rules: LeaderboardRules): void {
  checkText(rules.title, 'title', limits.titleBytes);
  checkMaxEntries(rules);
  if (rules.cadences.length === 0 || new Set(rules.cadences).size < rules.cadences.length) {
    throw new LaurelError('BAD_INPUT', `cadences must name one or more of ${cadences.join(', ')}, each once.`);
  }
  checkSeconds('graceSeconds', rules.graceSeconds, 0, secondsInYear);
  checkSeconds('retentionSeconds', rules.retentionSeconds, 60, 100 * secondsInYear);
  if (rules.archiveRetentionSeconds !== null) {
    checkSeconds('archiveRetentionSeconds', rules.archiveRetentionSeconds, 60, 1000 * secondsInYear);
  }
  if (rules.minScore !== null && rules.maxScore !== null && Number(rules.minScore) > Number(rules.maxScore)) {
    throw new LaurelError('BAD_INPUT', 'minScore must not be above maxScore.');
  }
}

function checkSeconds(name: string, seconds: number, from: number, to: number): void {
  if (Number.isInteger(seconds) && seconds >= from && seconds <= to) return;
  throw new LaurelError('BAD_INPUT', `${name} must be a whole number from ${from} to ${to}.`);
}

/** What can never change while a board lives, because its scores and periods are stored in these terms. */
export const immutableRules = [
  'sortOrder',
  'scoreScale',
  'timeZone',
  'dayStartMinutes',
  'tieBreak',
  'sortKeyType',
  'sortKeyOrder',
  'cadences',
  'maxEntries',
] as const;

/** The lowest and highest stored score that a board accepts. */
export function scoreBounds(board: LeaderboardRules): { lowest: number; highest: number } {
  const limit = highestStored(board.scoreScale);
  return { lowest: Number(board.minScore ?? -limit), highest: Number(board.maxScore ?? limit) };
}

/** When a period stops accepting scores: its end and the board's grace. Null: never. */
export const closesAt = (board: LeaderboardRules, period: Period): number | null =>
  period.endsAt === null ? null : period.endsAt + board.graceSeconds * 1000;

/** Where a closed period is: in Redis, or in the archive alone; null for one that has not closed. */
export function fateOf(closed: ClosedPeriod | null, now: number): 'CLOSED' | 'ARCHIVED' | null {
  if (closed === null) return null;
  return closed.archived && (closed.expiresAt ?? Number.POSITIVE_INFINITY) <= now ? 'ARCHIVED' : 'CLOSED';
}

/**
 * A period's state at an instant, by the calendar, the board's hold, and what became of it: closed and in Redis, or
 * closed and in the archive alone.
 */
export function stateOf(
  board: LeaderboardRules,
  period: Period,
  now: number,
  fate: 'CLOSED' | 'ARCHIVED' | null = null,
): PeriodState {
  if (fate !== null) return fate;
  if (period.startsAt !== null && now < period.startsAt) return 'UPCOMING';
  if (period.endsAt === null || now < period.endsAt) return 'OPEN';
  const closes = closesAt(board, period) ?? Number.POSITIVE_INFINITY;
  return now < closes || board.backfill ? 'GRACE' : 'CLOSED';
}
