import { expect, it } from 'vitest';
import { decodeMessage } from '../../src/redis/message.ts';

it('a message that no script wrote is none, and ends nothing', () => {
  for (const text of ['not JSON', '7', 'null', '{"epoch":"e","changes":[]}', '[null]', '[{"epoch":"e"}]']) {
    expect(decodeMessage(text)).toBeNull();
  }
  expect(decodeMessage('[{"epoch":"e","changes":[]}]')).toEqual([{ epoch: 'e', changes: [] }]);
});
