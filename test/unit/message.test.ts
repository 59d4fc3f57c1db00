import { expect, it } from 'vitest';
import { decodeMessage } from '../../src/redis/message.ts';

it('a message that no script wrote is none, and ends nothing', () => {
  for (const text of ['not JSON', '7', 'null', '[]', '{"epoch":"e"}', '[null]', '["e",null]', '["e",["id","m",1]]']) {
    expect(decodeMessage(text)).toBeNull();
  }
  expect(decodeMessage('["e",["id","m",1,[]]]')).toEqual([{ epoch: 'e', id: 'id', member: 'm', at: 1, changes: [] }]);
});
