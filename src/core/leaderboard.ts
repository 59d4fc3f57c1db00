import { LaurelError } from './errors.ts';
import { limits } from './limits.ts';
import { type Cadence, cadences, checkTimeZone, type Period, type PeriodState } from './period.ts';
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
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
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
  if (!Number.isInteger(rules.graceSeconds) || rules.graceSeconds < 0 || rules.graceSeconds > secondsInYear) {
    throw new LaurelError('BAD_INPUT', `graceSeconds must be a whole number from 0 to ${secondsInYear}.`);
  }
  if (rules.minScore !== null && rules.maxScore !== null && Number(rules.minScore) > Number(rules.maxScore)) {
    throw new LaurelError('BAD_INPUT', 'minScore must not be above maxScore.');
  }
}

/** What can never change while a board lives, because its scores and periods are stored in these terms. */
export const immutableRules = [
  'sortOrder',
  'scoreScale',
  'timeZone',
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

/** A period's state at an instant, by the calendar and the board's hold. */
export function stateOf(board: LeaderboardRules, period: Period, now: number): PeriodState {
  if (period.startsAt !== null && now < period.startsAt) return 'UPCOMING';
  if (period.endsAt === null || now < period.endsAt) return 'OPEN';
  const closes = closesAt(board, period) ?? Infinity;
  return now < closes || board.backfill ? 'GRACE' : 'CLOSED';
}
