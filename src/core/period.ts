import { Temporal } from 'temporal-polyfill';

/** How a board's scores are cut by time. */
export const cadences = ['ALL_TIME', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'SEASON'] as const;
export type Cadence = (typeof cadences)[number];

export type PeriodState = 'UPCOMING' | 'OPEN' | 'GRACE' | 'CLOSED' | 'ARCHIVED';

/** One cut of one board. Instants are epoch milliseconds; null where the period has no such edge. */
export interface Period {
  readonly key: string;
  readonly cadence: Cadence;
  readonly startsAt: number | null;
  readonly endsAt: number | null;
}

/** What is remembered for ever of a period that closed (rule T3). Instants are epoch milliseconds. */
export interface ClosedPeriod {
  readonly closedAt: number;
  /** Version, epoch and entry count when it was frozen. */
  readonly version: number;
  readonly epoch: string;
  readonly entryCount: number;
  /** Whether the archive holds it. */
  readonly archived?: boolean;
  /** By when Redis lets it go; absent while it is still being closed. */
  readonly expiresAt?: number;
  /** 1 as closed; +1 for each correction, which only the archive holds. */
  readonly revision?: number;
}

const allTime: Period = { key: 'all', cadence: 'ALL_TIME', startsAt: null, endsAt: null };

/** The first and last event times: calendar keys have four-digit years, and a tie-break's time has 48 bits. */
export const earliestInstant = new Date('0001-01-09').getTime();
export const latestInstant = new Date('8900-01-01').getTime();

/** Cadences whose edges follow from the calendar. */
export type CalendarCadence = Exclude<Cadence, 'ALL_TIME' | 'SEASON'>;

const pad = (value: number, width: number) => String(value).padStart(width, '0');

/** First local day of the cut that holds a day, its length, and its key. */
const cuts: Record<
  CalendarCadence,
  (day: Temporal.PlainDate) => { first: Temporal.PlainDate; length: Temporal.DurationLike; key: string }
> = {
  DAILY: (day) => ({ first: day, length: { days: 1 }, key: day.toString() }),
  WEEKLY: (day) => ({
    first: day.subtract({ days: day.dayOfWeek - 1 }),
    length: { days: 7 },
    key: `${pad(day.yearOfWeek ?? day.year, 4)}-W${pad(day.weekOfYear ?? 0, 2)}`,
  }),
  MONTHLY: (day) => ({
    first: day.with({ day: 1 }),
    length: { months: 1 },
    key: `${pad(day.year, 4)}-${pad(day.month, 2)}`,
  }),
  YEARLY: (day) => ({ first: day.with({ month: 1, day: 1 }), length: { years: 1 }, key: pad(day.year, 4) }),
};

/** Where a local day begins: after a zone skipped that time or the whole day, the first instant that follows. */
function startOfDay(day: Temporal.PlainDate, timeZone: string, dayStartMinutes: number): number {
  if (dayStartMinutes === 0) return day.toZonedDateTime({ timeZone }).epochMilliseconds;
  const plainTime = Temporal.PlainTime.from({ hour: Math.floor(dayStartMinutes / 60), minute: dayStartMinutes % 60 });
  return day.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
}

function periodOfDay(
  cadence: CalendarCadence,
  day: Temporal.PlainDate,
  timeZone: string,
  dayStartMinutes: number,
): Period {
  const { first, length, key } = cuts[cadence](day);
  const edge = (at: Temporal.PlainDate) => startOfDay(at, timeZone, dayStartMinutes);
  return { key, cadence, startsAt: edge(first), endsAt: edge(first.add(length)) };
}

/** Periods met lately, by zone and cadence: converting an instant through a time zone costs some 20 µs. */
const recent = new Map<string, Period[]>();
const recentLength = 32;

const holds = (period: Period, instant: number) =>
  (period.startsAt ?? -Infinity) <= instant && instant < (period.endsAt ?? Infinity);

/** The period of a cadence that contains an instant, in a zone where days start so late after midnight (rule T1). */
export function periodAt(
  cadence: Exclude<Cadence, 'SEASON'>,
  timeZone: string,
  instant: number,
  dayStartMinutes = 0,
): Period {
  if (cadence === 'ALL_TIME') return allTime;
  const slot = `${cadence} ${timeZone} ${dayStartMinutes}`;
  const known = recent.get(slot) ?? [];
  const hit = known.find((period) => holds(period, instant));
  if (hit) return hit;
  const clock = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDateTime();
  const day = clock.subtract({ minutes: dayStartMinutes }).toPlainDate();
  // Near a change of the clocks the wall's time is ambiguous: of three days one holds the instant.
  const period = [day, day.add({ days: 1 }), day.subtract({ days: 1 })]
    .map((one) => periodOfDay(cadence, one, timeZone, dayStartMinutes))
    .find((one) => holds(one, instant));
  if (!period) throw new Error(`no ${cadence} period of ${timeZone} holds ${instant}`);
  recent.set(slot, [period, ...known.slice(0, recentLength - 1)]);
  return period;
}

/** A day that a zone left out, as Samoa did 30 December 2011, is no period. */
const isSkipped = ({ startsAt, endsAt }: Period) => startsAt === endsAt;

const shapes: Record<CalendarCadence, RegExp> = {
  DAILY: /^(\d{4})-(\d{2})-(\d{2})$/,
  WEEKLY: /^(\d{4})-W(\d{2})$/,
  MONTHLY: /^(\d{4})-(\d{2})$/,
  YEARLY: /^(\d{4})$/,
};

/** The period a key names, whether or not anything was scored in it; null for what is no period's key. */
export function periodOfKey(key: string, timeZone: string, dayStartMinutes = 0): Period | null {
  if (key === allTime.key) return allTime;
  for (const cadence of ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const) {
    const parts = shapes[cadence].exec(key)?.slice(1).map(Number);
    if (!parts) continue;
    const day = dayOfParts(cadence, parts);
    const period = day && periodOfDay(cadence, day, timeZone, dayStartMinutes);
    return period?.key === key && !isSkipped(period) ? period : null;
  }
  return null;
}

function dayOfParts(cadence: CalendarCadence, [year = 0, second = 1, third = 1]: number[]): Temporal.PlainDate | null {
  if (year < 1) return null;
  try {
    if (cadence !== 'WEEKLY')
      return Temporal.PlainDate.from({ year, month: second, day: third }, { overflow: 'reject' });
    // ISO 8601: week 1 is the week of 4 January.
    const fourth = Temporal.PlainDate.from({ year, month: 1, day: 4 });
    return fourth.subtract({ days: fourth.dayOfWeek - 1 }).add({ weeks: second - 1 });
  } catch {
    return null;
  }
}

/** Whether a key has a calendar period's shape or is `all`: no season may have such a key. */
export const isCalendarKey = (key: string): boolean =>
  key === allTime.key || Object.values(shapes).some((shape) => shape.test(key.toUpperCase()));

/** An IANA zone's name in its usual case, or null where there is no such zone. */
export function checkTimeZone(timeZone: string): string | null {
  // Offsets, which some engines take for names.
  if (/^[+-]/.test(timeZone)) return null;
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    // Intl would answer with an alias instead, and another one with each of its versions: Asia/Calcutta for Asia/Kolkata.
    return new Temporal.ZonedDateTime(0n, timeZone).timeZoneId;
  } catch {
    return null;
  }
}
