import { expect, it } from 'vitest';
import { openRedis } from '../../src/redis/redis.ts';
import { startOwnRedis } from '../support/own-redis.ts';
import { connectRedis } from '../support/redis-client.ts';
import { openStore, TestBoard, wholePage } from '../support/store.ts';

const silent = { info: () => {}, warn: () => {} };

it('scripts that Redis has lost are given to it again: writes keep their order, and each is made once', async () => {
  const { path } = await startOwnRedis();
  const store = await openStore(path);
  const board = await TestBoard.make(store, { cadences: ['ALL_TIME'], scorePolicy: 'LATEST' });
  for (let round = 0; round < 5; round += 1) {
    await store.redis.call('FUNCTION', 'FLUSH');
    await Promise.all(Array.from({ length: 20 }, (_, i) => board.submit('ann', 100 * round + i)));
  }
  const [{ head, standings }] = await store.entries.read(board.board, [{ period: 'all', read: wholePage }]);
  expect(head.version).toBe(100);
  expect(standings.map(({ memberId, score }) => [memberId, score])).toEqual([['ann', '419']]);
  store.close();
});

it("scripts of other versions are dropped at the start, but nobody else's", async () => {
  const { path } = await startOwnRedis();
  const redis = await connectRedis(path);
  const library = (name: string) =>
    `#!lua name=${name}\nredis.register_function('${name}_call', function() return 1 end)`;
  for (const name of ['laurel_0123456789ab', 'theirs']) await redis.call('FUNCTION', 'LOAD', library(name));
  const { close, definitions } = await openRedis(path, silent, () => {});
  await TestBoard.make({ definitions } as never);
  const all = (await redis.call('FUNCTION', 'LIST')) as string[][];
  expect(all.map(([, name]) => name).sort()).toEqual([expect.stringMatching(/^laurel_[0-9a-f]{12}$/), 'theirs']);
  expect(all.flat()).not.toContain('laurel_0123456789ab');
  await close();
});

it('a command that gets no reply ends', async () => {
  const { path } = await startOwnRedis();
  const store = await openStore(path);
  const board = await TestBoard.make(store);
  const redis = await connectRedis(path);
  await redis.call('CLIENT', 'PAUSE', '60000', 'ALL');
  const began = performance.now();
  await expect(board.submit('ann', 1)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(performance.now() - began).toBeGreaterThan(4_900);
  store.close();
}, 10_000);
