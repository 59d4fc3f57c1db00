import { expect, it } from 'vitest';
import { decodeMessage } from '../../src/redis/message.ts';

it('a message that no script wrote is none, and ends nothing', () => {
  expect(decodeMessage('not JSON')).toBeNull();
  expect(decodeMessage('{"epoch":"e","changes":{}}')).toMatchObject({ epoch: 'e', changes: [] });
});
