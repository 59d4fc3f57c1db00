import { describe, expect, it } from 'vitest';
import { eventTimeReader } from '../../src/cli/import/event-time.ts';
import { makeFilter } from '../../src/cli/import/filter.ts';
import { type MappingOptions, makeMapping } from '../../src/cli/import/mapping.ts';
import type { Row } from '../../src/cli/import/row.ts';
import { parseScoreText } from '../../src/cli/import/score-text.ts';

const row = (fields: Record<string, string>): Row => ({
  line: 7,
  text: JSON.stringify(fields),
  value: (column) => fields[column] ?? '',
  report: (problem) => problem,
});

const mapping = (options: Partial<MappingOptions>, scorePolicy = 'BEST') =>
  makeMapping({ member: 'player', missing: 'NA', ...options }, { scorePolicy, readTime: eventTimeReader('UTC') });

describe('a score as text', () => {
  it.each([
    ['0', 0],
    ['-0', -0],
    [' 12 ', 12],
    ['+3.50', 3.5],
    ['.5', 0.5],
    ['1e3', 1000],
    ['9007199254740991', 9007199254740991],
    ['123456789012.345', 123456789012.345],
    ['100000000000000000000', 1e20],
  ])('%s is a number', (text, score) => {
    expect(parseScoreText(text)).toBe(score);
  });

  it.each([
    '',
    ' ',
    '.',
    'e5',
    'NA',
    '1,234',
    '1_000',
    '0x10',
    'Infinity',
    '-Infinity',
    'NaN',
    '1e400',
    '12 points',
    '--1',
  ])('%j is none', (text) => {
    expect(() => parseScoreText(text)).toThrow('is not a number');
  });

  it.each(['9007199254740993', '0.12345678901234567', '1234567890.1234567'])(
    '%s is not rounded but refused',
    (text) => {
      expect(() => parseScoreText(text)).toThrow('more digits than can be kept exactly');
    },
  );
});

describe('an event time', () => {
  it.each([
    ['1916-07-02', 'UTC', '1916-07-02T00:00:00.000Z'],
    ['2026-01-01', 'America/New_York', '2026-01-01T05:00:00.000Z'],
    ['2026-07-19', 'Asia/Tokyo', '2026-07-18T15:00:00.000Z'],
    ['2026-07-19 18:30', 'Europe/Zurich', '2026-07-19T16:30:00.000Z'],
    ['2026-07-19T18:30:15.25', 'UTC', '2026-07-19T18:30:15.250Z'],
    ['2026-07-19T18:30:15Z', 'Asia/Tokyo', '2026-07-19T18:30:15.000Z'],
    ['2026-07-19t18:30z', 'Asia/Tokyo', '2026-07-19T18:30:00.000Z'],
    ['2026-07-19 18:30:15 +0200', 'UTC', '2026-07-19T16:30:15.000Z'],
    ['2026-07-19T18:30:15-04:30', 'UTC', '2026-07-19T23:00:15.000Z'],
    ['1784484000', 'Asia/Tokyo', '2026-07-19T18:00:00.000Z'],
    ['1784484000123', 'UTC', '2026-07-19T18:00:00.123Z'],
    // A day whose midnight the clock skips begins at one o'clock.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ])('%s in %s is %s', (text, timeZone, expected) => {
    const read = eventTimeReader(timeZone);
    expect([read(text), read(text)]).toEqual([expected, expected]);
  });

  it.each([
    '',
    '2026',
    '2026-02-30',
    '19.07.2026',
    '07/19/2026',
    '2026-07-19T25:00Z',
    'yesterday',
    '123',
    '2026-07-19T18',
  ])('%j is none', (text) => {
    expect(() => eventTimeReader('UTC')(text)).toThrow('is not a time');
  });
});

describe('a filter', () => {
  it('keeps what meets all conditions', () => {
    const filter = makeFilter(['own=FALSE', 'name!=NA', 'name!=', 'note=a=b']);
    const base = { own: 'FALSE', name: 'Ann', note: 'a=b' };
    expect(filter.columns).toEqual(['own', 'name', 'name', 'note']);
    expect(filter.keeps(row(base))).toBe(true);
    for (const change of [{ own: 'TRUE' }, { name: 'NA' }, { name: '' }, { note: 'a' }]) {
      expect(filter.keeps(row({ ...base, ...change }))).toBe(false);
    }
  });

  it.each(['own', '=FALSE', '!=x', ''])('%j is refused', (condition) => {
    expect(() => makeFilter([condition])).toThrow(/must be column=value/);
  });
});

describe('a mapping', () => {
  it('takes member, score and time from their columns', () => {
    const { columns, map } = mapping({ score: 'points', occurredAt: 'day' });
    expect(columns).toEqual(['player', 'points', 'day']);
    expect(map(row({ player: ' Ann ', points: '7', day: '2026-07-19' }))).toEqual({
      memberId: ' Ann ',
      score: 7,
      occurredAt: '2026-07-19T00:00:00.000Z',
    });
  });

  it('fills a template', () => {
    const { columns, map } = mapping({ member: 'f:{team}/{player}', score: 'points' });
    expect(columns).toEqual(['team', 'player', 'points']);
    expect(map(row({ team: 'A$&', player: '{team}', points: '1' })).memberId).toBe('f:A$&/{team}');
  });

  it('adds an increment by the policy SUM, said only where the board has another', () => {
    expect(mapping({ increment: 2 }).map(row({ player: 'Ann' }))).toEqual({
      memberId: 'Ann',
      score: 2,
      scorePolicy: 'SUM',
    });
    expect(mapping({ increment: 0 }, 'SUM').map(row({ player: 'Ann' }))).toEqual({ memberId: 'Ann', score: 0 });
  });

  it.each([
    [{ player: '' }, '"player" is empty'],
    [{ player: ' \t' }, '"player" is empty'],
    [{ player: 'NA' }, '"player" is NA, which stands for a missing value'],
    [{ points: '' }, '"points" is empty'],
    [{ points: 'x' }, '"x" is not a number'],
    [{ day: '' }, '"day" is empty'],
    [{ day: 'x' }, '"x" is not a time'],
  ])('finds %j bad', (change, problem) => {
    const { map } = mapping({ score: 'points', occurredAt: 'day' });
    expect(() => map(row({ player: 'Ann', points: '1', day: '2026-07-19', ...change }))).toThrow(problem);
  });

  it('takes another text for a missing value, or none', () => {
    expect(() => mapping({ increment: 1, missing: '?' }).map(row({ player: '?' }))).toThrow('missing value');
    expect(mapping({ increment: 1, missing: '' }).map(row({ player: 'NA' })).memberId).toBe('NA');
  });

  it.each([{}, { score: 'points', increment: 1 }])('needs one source of scores, not %j', (options) => {
    expect(() => mapping(options)).toThrow('either --score COLUMN or --increment NUMBER');
  });
});
