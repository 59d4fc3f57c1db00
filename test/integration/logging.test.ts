import { describe, expect, inject, it } from 'vitest';
import { keys } from '../../src/redis/keys.ts';
import { adminKey, startTestApp } from '../support/app.ts';
import { openEventStream } from '../support/event-stream.ts';
import { keepLog } from '../support/log.ts';
import { connectRedis } from '../support/redis-client.ts';
import { until } from '../support/until.ts';
import { SocketClient } from '../support/websocket-client.ts';

const broken = 'query($key: String!) { leaderboard(key: $key) { key } }';

/** A database of this file's own: other tests walk through all boards there are. */
const redisUrl = () => `${inject('redisUrl')}?db=11`;

/** A board whose definition no Laurel wrote: reading it is an error that nobody expects. */
async function brokenBoard(key: string): Promise<void> {
  const redis = await connectRedis(redisUrl());
  const runId = /^run_id:(\w+)/m.exec(await redis.info('server'))?.[1] ?? '';
  await redis.hset(keys.definition(key), { incarnation: 'x', fence: `x/1/${runId}`, sortOrder: 'SIDEWAYS' });
}

describe('an unexpected error', () => {
  it('is masked, and logged with the id that the answer has', async () => {
    const log = keepLog();
    const { api } = await startTestApp({ redisUrl: redisUrl() }, { logger: log.logger });
    const key = await api.createBoard();
    await brokenBoard(key);
    const { api: fresh } = await startTestApp({ redisUrl: redisUrl() }, { logger: log.logger });
    const { headers, errors, data } = await fresh.send(broken, { key });
    expect(data).toEqual({ leaderboard: null });
    expect(errors).toMatchObject([{ path: ['leaderboard'], extensions: { code: 'INTERNAL' } }]);
    expect(JSON.stringify(errors)).not.toMatch(/SIDEWAYS|unknown sortOrder|#def/);
    const [line, ...others] = log.lines.filter(({ level }) => level >= 50);
    expect(others).toEqual([]);
    expect(line).toMatchObject({ msg: 'unexpected error in a resolver', requestId: headers.get('x-request-id') });
    expect(line?.err?.message).toContain('unknown sortOrder');
    expect(line?.err?.stack).toContain('definitions');
  });

  it('has its id in the answer, which is all that a websocket shows of it', async () => {
    const log = keepLog();
    const { api } = await startTestApp({ redisUrl: redisUrl() });
    const key = await api.createBoard();
    await brokenBoard(key);
    const { url } = await startTestApp({ redisUrl: redisUrl() }, { logger: log.logger });
    const idOf = (result: unknown) => JSON.stringify(result).match(/"requestId":"([\w-]+)"/)?.[1];
    const query = await new SocketClient(url).results(broken, { key }).next();
    const live = 'subscription($key: String!) { entriesChanged(leaderboard: $key) { version } }';
    const subscription = await new SocketClient(url).results(live, { key }).next();
    const stream = await (await openEventStream(url, live, { key })).next();
    for (const result of [query, subscription, stream]) {
      expect(result).toMatchObject({ errors: [{ extensions: { code: 'INTERNAL' } }] });
      expect(JSON.stringify(result)).not.toContain('sortOrder');
    }
    const ids = [query, subscription, stream].map(idOf);
    expect(new Set(ids).size).toBe(3);
    expect(log.lines.filter(({ level }) => level >= 50).map(({ requestId }) => requestId)).toEqual(ids);
  });
});

describe('what is logged of a request', () => {
  it('is its id, path, status and time, not what it says', async () => {
    const log = keepLog();
    const { api } = await startTestApp({ redisUrl: redisUrl() }, { logger: log.logger });
    await api.send('{ leaderboard(key: "secret-board") { key } }', {}, { 'x-request-id': 'one' });
    const line = await until(() => log.lines.find(({ msg }) => msg === 'request'));
    expect(line).toMatchObject({ requestId: 'one', method: 'POST', path: '/graphql', status: 200 });
    await fetch(`${api.endpoint}?query={leaderboard(key:"secret-board"){key}}`);
    await until(() => log.lines.filter(({ msg }) => msg === 'request').length === 2);
    expect(log.text()).not.toContain('secret-board');
  });

  it('never holds an API key, right or wrong, in whatever way it was sent', async () => {
    const log = keepLog();
    const { api, url } = await startTestApp({ redisUrl: redisUrl() }, { logger: log.logger });
    const wrong = 'a-wrong-key-0123456789';
    await api.createBoard();
    await api.anonymous().send('{ __typename }', {}, { authorization: `Bearer ${wrong}` });
    await api.code('mutation { nonsense }');
    const right = new SocketClient(url, { authorization: `Bearer ${adminKey}` });
    await right.results('{ __typename }').next();
    const refused = new SocketClient(url, { authorization: `Bearer ${wrong}` });
    await refused.results('{ __typename }').ended();
    await until(() => log.lines.filter(({ msg }) => msg === 'request').length >= 3);
    expect(log.text()).not.toContain(adminKey);
    expect(log.text()).not.toContain(wrong);
  });
});
