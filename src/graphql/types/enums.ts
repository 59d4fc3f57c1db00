import { errorMeanings } from '../../core/errors.ts';
import { builder } from '../builder.ts';

/** `name: description` pairs as an enum's values. */
const values = <const T extends Record<string, string>>(meanings: T) =>
  Object.fromEntries(Object.entries(meanings).map(([name, description]) => [name, { description }])) as {
    [K in keyof T]: { description: string };
  };

export const SortOrder = builder.enumType('SortOrder', {
  description: 'Which scores come first.',
  values: values({ HIGH_TO_LOW: 'Points: the highest score is first.', LOW_TO_HIGH: 'Times: the lowest is first.' }),
});

export const ScorePolicy = builder.enumType('ScorePolicy', {
  description: 'What a new score does to the old one.',
  values: values({
    BEST: 'The better of the two stays.',
    LATEST: 'The one that arrived last stays.',
    SUM: 'They are added.',
  }),
});

export const TieBreak = builder.enumType('TieBreak', {
  description: 'What decides between equal scores.',
  values: values({
    MEMBER_ID: 'The byte order of the member id, in the direction of the sort order: descending on HIGH_TO_LOW boards.',
  }),
});

export const RankMethod = builder.enumType('RankMethod', {
  description: 'How equal scores share a rank.',
  values: values({
    COMPETITION: '1, 2, 2, 4: entries strictly better, plus one.',
    ORDINAL: '1, 2, 3, 4: the index plus one; the tie-break decides.',
  }),
});

export const Cadence = builder.enumType('Cadence', {
  description: "How a board's scores are cut by time, in the board's time zone.",
  values: values({
    ALL_TIME: 'One period that never ends: `all`.',
    DAILY: 'A local day: `2026-11-30`.',
    WEEKLY: 'An ISO week, from Monday: `2026-W49`.',
    MONTHLY: 'A calendar month: `2026-11`.',
    YEARLY: 'A calendar year: `2026`.',
  }),
});

export const PeriodState = builder.enumType('PeriodState', {
  description: 'Whether a period accepts scores.',
  values: values({
    UPCOMING: 'It has not begun.',
    OPEN: 'It accepts scores.',
    GRACE: 'It has ended; late scores are still accepted.',
    CLOSED: 'It accepts no more scores.',
  }),
});

export const ChangeOutcome = builder.enumType('ChangeOutcome', {
  description: 'What a submission did to one period.',
  values: values({
    APPLIED: 'The entry was made or moved.',
    UNCHANGED: 'The entry stays as it was: the score was not better, was equal, or added nothing.',
  }),
});

export const ScoreEventKind = builder.enumType('ScoreEventKind', {
  description: 'What happened to an entry.',
  values: values({ APPLIED: 'A score was applied.', REMOVED: 'The entry was removed.' }),
});

export const ErrorCode = builder.enumType('ErrorCode', {
  description: 'Every error, by the stable code that `extensions.code` carries.',
  values: values(errorMeanings),
});
