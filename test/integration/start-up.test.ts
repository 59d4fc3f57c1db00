import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { startApp } from '../../src/app.ts';
import { adminKey, startTestApp, testConfig } from '../support/app.ts';
import { keepLog } from '../support/log.ts';
import { spawnService, startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SocketClient } from '../support/websocket-client.ts';

/** Somebody who takes connections and never says a word. */
async function silentServer(): Promise<number> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('starting', () => {
  it.each([
    ['refuses connections', async () => 'redis://127.0.0.1:1'],
    ['does not exist', async () => `${temporaryFolder().path}/none.sock`],
    ['never answers', async () => `redis://127.0.0.1:${await silentServer()}`],
    ['has no such name', async () => 'redis://nowhere.invalid:6379'],
    ['does not know the user', async () => `${inject('redisUrl')}?username=nobody&password=hush-hush-hush`],
  ])('with a Redis that %s fails within seconds, and tries no more', async (_, address) => {
    const began = performance.now();
    const log = keepLog();
    const failure = await startApp(testConfig({ redisUrl: await address() }), { logger: log.logger }).catch(
      (e: Error) => e,
    );
    expect(performance.now() - began).toBeLessThan(8_000);
    expect(failure).toMatchObject({ message: expect.stringMatching(/^Redis cannot be used: \S/) });
    expect(`${log.text()} ${(failure as Error).message}`).not.toContain('hush');
  });

  it('as a process ends with code 1, and says why without a stack', async () => {
    const service = spawnService({ REDIS_URL: 'redis://127.0.0.1:1' });
    expect(await service.exited(15_000)).toEqual({ code: 1, signal: null });
    expect(service.output()).toMatch(/^Redis cannot be used: \S/m);
    expect(service.output()).not.toMatch(/^\s+at /m);
  });

  it('on a port that is taken fails', async () => {
    const port = await silentServer();
    await expect(startApp(testConfig({ port }))).rejects.toThrow(/EADDRINUSE/);
  });

  it('says where it serves, and keeps keys and passwords to itself down to the finest logging', async () => {
    const dataDir = join(temporaryFolder().path, 'data');
    const service = await startService({ DATA_DIR: dataDir, LOG_LEVEL: 'trace' });
    const key = await service.api.createBoard();
    await service.api.code('mutation { nonsense }');
    await service.api.anonymous().send('{ __typename }', {}, { authorization: 'Bearer wrong-0123456789' });
    const client = new SocketClient(service.url, { authorization: `Bearer ${adminKey}` });
    await client.results(`{ leaderboard(key: "${key}") { key } }`).next();
    // This machine alone, unless told otherwise.
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(service.output()).toContain(`GraphiQL and GraphQL  ${service.url}/graphql`);
    expect(service.output()).toContain(`websocket             ${service.url.replace('http', 'ws')}/graphql`);
    expect(service.output()).toMatch(/"requestId":"[\w-]+","method":"POST","path":"\/graphql","status":200/);
    expect(service.output()).not.toContain(adminKey);
    expect(service.output()).not.toContain('wrong-0123456789');
  });

  it('on IPv6 too', async () => {
    const { url, api } = await startTestApp({ host: '::1' });
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(await api.data('{ __typename }')).toEqual({ __typename: 'Query' });
  });
});
