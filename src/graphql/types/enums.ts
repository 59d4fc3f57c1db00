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
    EARLIEST: 'Who reached the score first is before the others.',
    LATEST: 'Who reached the score last is before the others.',
    SORT_KEY: 'A key sent with the score, or derived from a name sent with it.',
    MEMBER_ID: 'The byte order of the member id, in the direction of the sort order: descending on HIGH_TO_LOW boards.',
  }),
});

export const SortKeyType = builder.enumType('SortKeyType', {
  description: 'What the sort keys of a SORT_KEY board are.',
  values: values({ TEXT: 'Text, by its bytes in UTF-8.', INTEGER: 'Whole numbers of 64 bits.' }),
});

export const SortKeyOrder = builder.enumType('SortKeyOrder', {
  description: 'Which sort key comes first among equal scores.',
  values: values({ ASCENDING: 'The lowest: a before b.', DESCENDING: 'The highest: b before a.' }),
});

export const OrderRule = builder.enumType('OrderRule', {
  description: 'What put one entry before another.',
  values: values({
    SCORE: 'The better score.',
    EARLIEST: 'Equal scores: reached earlier.',
    LATEST: 'Equal scores: reached later.',
    SORT_KEY: 'Equal scores: the sort key.',
    MEMBER_ID: 'All else equal: the member id.',
  }),
});

export const RankMethod = builder.enumType('RankMethod', {
  description: 'How equal scores share a rank.',
  values: values({
    COMPETITION: '1, 2, 2, 4: entries strictly better, plus one.',
    DENSE: '1, 2, 2, 3: distinct better scores, plus one. It needs `denseRanks`.',
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
    SEASON: 'Stretches with a start and an end of their own, named by their keys.',
  }),
});

export const PeriodState = builder.enumType('PeriodState', {
  description: 'Whether a period accepts scores.',
  values: values({
    UPCOMING: 'It has not begun.',
    OPEN: 'It accepts scores.',
    GRACE: 'It has ended; late scores are still accepted.',
    CLOSED: 'It is final.',
    ARCHIVED: 'It is final, and read from the archive.',
  }),
});

export const ChangeOutcome = builder.enumType('ChangeOutcome', {
  description: 'What a submission did to one period.',
  values: values({
    APPLIED: 'The entry was made or moved.',
    BELOW_CUT: 'The score is not among the best that the board keeps: there is no entry.',
    UNCHANGED: 'The entry stays as it was: not better, equal, or plus nothing.',
  }),
});

export const ScoreEventKind = builder.enumType('ScoreEventKind', {
  description: 'What happened to an entry.',
  values: values({
    APPLIED: 'A score was applied.',
    REMOVED: 'The entry was removed.',
    EVICTED: 'The entry fell out of a board that keeps its best only.',
  }),
});

export const UpdateMode = builder.enumType('UpdateMode', {
  description: 'How the states of a window are told.',
  values: values({
    STATE: 'Every state whole.',
    PATCH: 'The first one whole, then by changes; whole again whenever a state does not follow from the one before.',
  }),
});

export const WindowChangeKind = builder.enumType('WindowChangeKind', {
  description: 'What happened to a member of a window.',
  values: values({
    ENTERED: 'It came into the window.',
    LEFT: 'It went out of the window.',
    MOVED: 'Its index is another.',
    UPDATED: 'Its index is the same; something else about its entry is not.',
  }),
});

export const ErrorCode = builder.enumType('ErrorCode', {
  description: 'Every error, by the stable code that `extensions.code` carries.',
  values: values(errorMeanings),
});
