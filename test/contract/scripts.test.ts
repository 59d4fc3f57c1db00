import { createConnection, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { openRedis } from '../../src/redis/redis.ts';
import { startOwnRedis } from '../support/own-redis.ts';
import { connectRedis } from '../support/redis-client.ts';
import { openStore, TestBoard, wholePage } from '../support/store.ts';
import { until } from '../support/until.ts';

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

it('when memory is full nothing is written, but reading, removing, freezing and deleting go on, also after a deploy', async () => {
  const { path } = await startOwnRedis();
  const redis = await connectRedis(path);
  const before = await openRedis(path, silent, () => {});
  const board = await TestBoard.make({ ...before, redis } as never, { cadences: ['DAILY'] });
  const [day = ''] = board.submission('ann', 1).periods.map(({ key }) => key);
  await board.submit('ann', 1);
  await board.submit('bob', 2);
  await redis.config('SET', 'maxmemory', '1000000');
  await expect(board.submit('eve', 3)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  const { entries, periods, definitions, close } = await openRedis(path, silent, () => {});
  const entryCount = async () =>
    (await entries.read(board.board, [{ period: day, read: { kind: 'head' } }]))[0].entryCount;
  expect(await entryCount()).toBe(2);
  await entries.removeEntry(board.board, 'ann', [day], { now: board.now, evenClosed: false });
  expect(await entryCount()).toBe(1);
  expect(await periods.freeze(board.board, day, board.now)).toMatchObject({ entryCount: 1 });
  await definitions.remove(board.board);
  expect(await board.redisKeys()).toEqual([]);
  await Promise.all([close(), before.close()]);
});

it('an error in the middle of a step leaves nothing without a number and a message', async () => {
  const { path } = await startOwnRedis();
  const store = await openStore(path);
  const board = await TestBoard.make(store, { cadences: ['ALL_TIME'] });
  await store.redis.set(`lb:{${board.key}}#idem:broken`, 'no JSON');
  const step = [board.submission('ann', 1), board.submission('bob', 2, { idempotencyKey: 'broken' })];
  await expect(board.step(step)).rejects.toThrow();
  const [{ head, standings }] = await store.entries.read(board.board, [{ period: 'all', read: wholePage }]);
  expect(standings.map(({ memberId }) => memberId)).toEqual(['ann']);
  expect(head.version).toBe(1);
  expect(await board.log()).toMatchObject([{ member: 'ann', changes: [{ version: 1 }] }]);
  expect(await store.redis.hget(`lb:{${board.key}}#periods`, 'all')).toBe('ALL_TIME');
  store.close();
});

it('what scripts remember of long requests is nothing: no limit of memory counts it', async () => {
  const { path } = await startOwnRedis();
  const store = await openStore(path);
  const board = await TestBoard.make(store);
  await board.submit('ann', 1);
  const held = async () => Number(/used_memory_vm_functions:(\d+)/.exec(await store.redis.info('memory'))?.[1]);
  const memberIds = Array.from({ length: 500 }, (_, i) => `m${i}`);
  const ask = (offset: number) =>
    store.entries.read(board.board, [
      { period: 'all', read: { kind: 'list', memberIds } },
      { period: 'all', read: { ...wholePage, offset } },
    ]);
  await ask(0);
  const before = await held();
  expect(before).toBeGreaterThan(0);
  for (let i = 1; i <= 500; i += 1) await ask(i);
  expect((await held()) - before).toBeLessThan(3_000_000);
  store.close();
});

it('a command that gets no reply ends, and closing does not wait for one for ever', async () => {
  const { path } = await startOwnRedis();
  const store = await openStore(path);
  const { close } = await openRedis(path, silent, () => {});
  const board = await TestBoard.make(store);
  const redis = await connectRedis(path);
  await redis.call('CLIENT', 'PAUSE', '60000', 'ALL');
  const began = performance.now();
  await Promise.all([expect(board.submit('ann', 1)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' }), close()]);
  const took = performance.now() - began;
  expect(took).toBeGreaterThan(4_900);
  expect(took).toBeLessThan(8_000);
  store.close();
}, 12_000);

it('when Redis is silent all who ask are told so in time, and what failed is not done later', async () => {
  const redis = await startOwnRedis();
  const store = await openStore(redis.path);
  const board = await TestBoard.make(store);
  await board.submit('ann', 1);
  const readAll = () => store.entries.read(board.board, [{ period: 'all', read: wholePage }]);
  await readAll();
  // Its late answer to the write will be that it lacks the scripts.
  await store.redis.call('FUNCTION', 'FLUSH');
  redis.halt();
  const began = performance.now();
  const asked = [board.submit('bob', 2), ...Array.from({ length: 5 * limits.sharedReads }, readAll)];
  const settled = await Promise.allSettled(asked);
  expect(performance.now() - began).toBeLessThan(8_000);
  const refused = { status: 'rejected', reason: expect.objectContaining({ code: 'STORE_UNAVAILABLE' }) };
  expect(settled).toEqual(asked.map(() => refused));
  redis.goOn();
  const [{ standings }] = await readAll();
  expect(standings.map(({ memberId }) => memberId)).toEqual(['ann']);
  store.close();
}, 20_000);

it('a connection that was taken but is never answered is tried again', async () => {
  const { path } = await startOwnRedis();
  const silentPath = `${path}.silent`;
  let silence = false;
  const server = createServer((client) => {
    if (silence) return;
    const upstream = createConnection(path);
    client.pipe(upstream).pipe(client);
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    clients.add(client);
  });
  const clients = new Set<Socket>();
  await new Promise<void>((resolve) => server.listen(silentPath, resolve));
  const { up, bus, close, definitions } = await openRedis(silentPath, silent, () => {});
  let gaps = 0;
  const board = await TestBoard.make({ definitions } as never);
  await bus.subscribe(board.key, { event: () => {}, gap: () => (gaps += 1) });
  silence = true;
  for (const client of clients) client.destroy();
  await until(async () => (await new Promise<number>((done) => server.getConnections((_, n) => done(n)))) >= 2);
  silence = false;
  await until(() => up() && gaps > 0, 12_000);
  await close();
  server.close();
}, 20_000);
