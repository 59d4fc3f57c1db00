import { expect, it } from 'vitest';
import { decodeMessage } from '../../src/redis/message.ts';

it('a message that no script wrote is none, and ends nothing', () => {
  for (const text of [
    'not JSON',
    '7',
    'null',
    '[]',
    '["e"]',
    '{"epoch":"e"}',
    '[null]',
    '["e",null]',
    '["e",["id","m",1]]',
  ]) {
    expect(decodeMessage(text)).toBeNull();
  }
  expect(decodeMessage('["e",["id","m",1,[]]]')).toEqual([{ epoch: 'e', id: 'id', member: 'm', at: 1, changes: [] }]);
});

it('that a period closed is told by its key behind the changes', () => {
  const closed = { epoch: 'e', id: '', member: '', at: 5, changes: [], closed: '2026-11' };
  expect(decodeMessage('["e",["","",5,[],"2026-11"]]')).toEqual([closed]);
});
