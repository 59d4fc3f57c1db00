import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cursor, checkCursor, decodeCursor, encodeCursor } from '../../src/core/cursor.ts';
import { refusalOf } from '../support/refusal.ts';
import { seeded } from '../support/seed.ts';

const cursor: Cursor = {
  board: 'goals',
  incarnation: 'kW9r2Zt1Qm0aXy7b',
  period: '2026-W49',
  epoch: 'Ab3dEf6hIj9lMn2p',
  version: 812,
  index: 41,
  score: '-1250',
  member: 'u:李😀"\\',
};

/** Any JSON in the form of a cursor. */
const forge = (fields: unknown) => Buffer.from(JSON.stringify(fields)).toString('base64url');

const fields: unknown[] = [
  cursor.board,
  cursor.incarnation,
  cursor.period,
  cursor.epoch,
  cursor.version,
  cursor.index,
  cursor.score,
  cursor.member,
];
const withField = (place: number, value: unknown) => forge(fields.with(place, value));

describe('P4: cursors that come back from outside', () => {
  it('mean what they meant', () => {
    expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor);
    expect(encodeCursor(cursor)).toMatch(/^[\w-]+$/);
  });

  it('mean what they meant, whatever the member', () => {
    const member = fc.string({ unit: 'binary', minLength: 1, maxLength: 128 });
    fc.assert(
      fc.property(member, fc.maxSafeNat(), fc.nat(), fc.maxSafeInteger(), (member, version, index, score) => {
        const one = { ...cursor, member, version, index, score: String(score) };
        expect(decodeCursor(encodeCursor(one))).toEqual(one);
      }),
      seeded(1000),
    );
  });

  it('are BAD_CURSOR when cut short at any length', async () => {
    const text = encodeCursor(cursor);
    for (let length = 0; length < text.length; length += 1) {
      expect([length, await refusalOf(() => decodeCursor(text.slice(0, length)))]).toEqual([length, 'BAD_CURSOR']);
      if (length > 0) expect(await refusalOf(() => decodeCursor(text.slice(length)))).toBe('BAD_CURSOR');
    }
  });

  it.each([
    ['no base64url', '***'],
    ['base64 with padding', `${Buffer.from(JSON.stringify(fields)).toString('base64url')}==`],
    ['with a line feed', `${encodeCursor(cursor)}\n`],
    ['not JSON', Buffer.from('goals,41').toString('base64url')],
    ['an object', forge({ ...cursor })],
    ['a text', forge('goals')],
    ['null', forge(null)],
    ['empty', forge([])],
    ['a field short', forge(fields.slice(0, 7))],
    ['a field long', forge([...fields, 1])],
    ['huge', forge([...fields.slice(0, 7), 'x'.repeat(5000)])],
  ])('are BAD_CURSOR when %s', async (_, text) => {
    expect(await refusalOf(() => decodeCursor(text))).toBe('BAD_CURSOR');
  });

  it.each([
    [4, [-1, 1.5, '812', null, 2 ** 53]],
    [5, [-1, 0.5, '41', null, 2 ** 31, 2 ** 53]],
    [6, [12, '', '-0', '01', '1.5', '1e3', 'inf', '-inf', 'nan', '(5', ' 5', '5\n', '12345678901234567', null]],
    [7, ['', 5, null, ['a'], 'x'.repeat(401), '\ud83d', 'a\ude00']],
    [0, ['', 5, null, '\ud83d']],
    [3, ['', 5, null]],
  ])('are BAD_CURSOR with something else in field %i', async (place, values) => {
    for (const value of values) {
      const refused = await refusalOf(() => decodeCursor(withField(place, value)));
      expect([value, refused]).toEqual([value, 'BAD_CURSOR']);
    }
  });

  it('are never anything but a cursor or BAD_CURSOR, whatever JSON they hold', () => {
    fc.assert(
      fc.property(fc.nat(7), fc.jsonValue(), (place, value) => {
        const text = withField(place, value);
        try {
          expect(Object.values(decodeCursor(text))).toHaveLength(8);
        } catch (error) {
          expect(error).toMatchObject({ code: 'BAD_CURSOR' });
        }
      }),
      seeded(1000),
    );
  });

  it.each([
    ['CURSOR_OF_OTHER_LEADERBOARD', { board: 'points' }],
    ['CURSOR_OF_OTHER_LEADERBOARD', { board: 'points', incarnation: 'x', period: 'all' }],
    ['CURSOR_OF_OTHER_INCARNATION', { incarnation: 'x' }],
    ['CURSOR_OF_OTHER_INCARNATION', { incarnation: 'x', period: 'all' }],
    ['CURSOR_OF_OTHER_PERIOD', { period: '2026-W48' }],
  ])('are %s with %o', async (code, changed) => {
    const board = { key: cursor.board, incarnation: cursor.incarnation };
    expect(await refusalOf(() => checkCursor({ ...cursor, ...changed }, board, cursor.period))).toBe(code);
    expect(() => checkCursor(cursor, board, cursor.period)).not.toThrow();
  });

  it('still hold after a mere change of epoch', () => {
    const board = { key: cursor.board, incarnation: cursor.incarnation };
    expect(() => checkCursor({ ...cursor, epoch: 'another' }, board, cursor.period)).not.toThrow();
  });
});
