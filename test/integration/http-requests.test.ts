import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { rawConnect, upgradeRequest } from '../support/raw-http.ts';
import { until } from '../support/until.ts';

const json = { 'content-type': 'application/json' };
const bodyOf = (bytes: number) => {
  const empty = JSON.stringify({ query: '{ __typename }', variables: { filling: '' } });
  return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`);
};

/** In pieces, so that its length is not announced. */
const chunked = (text: string) =>
  new ReadableStream({
    start(controller) {
      for (let i = 0; i < text.length; i += 65_536) controller.enqueue(Buffer.from(text.slice(i, i + 65_536)));
      controller.close();
    },
  });

const post = ({ api }: TestApp, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(api.endpoint, { method: 'POST', headers: { ...json, ...headers }, body, duplex: 'half' } as RequestInit);

describe('rule A2: a body has a largest size', () => {
  it('takes one of exactly that size, announced or not', async () => {
    const app = await startTestApp();
    const body = bodyOf(limits.bodyBytes);
    expect(await (await post(app, body)).json()).toEqual({ data: { __typename: 'Query' } });
    expect(await (await post(app, chunked(body))).json()).toEqual({ data: { __typename: 'Query' } });
  });

  it.each([
    ['one byte over it', 1],
    ['megabytes over it', 8 * limits.bodyBytes],
  ])('refuses %s, announced or not, and tells the client so', async (_, over) => {
    const app = await startTestApp();
    const body = bodyOf(limits.bodyBytes + over);
    for (const sent of [body, chunked(body)]) {
      const response = await post(app, sent);
      expect(response.status).toBe(413);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'BODY_TOO_LARGE' } }] });
    }
  });
});

describe('the API key', () => {
  it.each(['Bearer wrong', 'Bearer ', 'Basic aW50ZWdyYXRpb24=', 'integration-0123456789'])(
    '%j is refused with 401',
    async (authorization) => {
      const { api } = await startTestApp();
      const { status, code, headers } = await api.anonymous().send('{ __typename }', {}, { authorization });
      expect([status, code]).toEqual([401, 'UNAUTHENTICATED']);
      expect(headers.get('access-control-allow-origin')).toBe('*');
    },
  );

  it('a wrong one is refused on GET and on an event stream too', async () => {
    const { api } = await startTestApp();
    const headers = { authorization: 'Bearer wrong' };
    expect((await fetch(`${api.endpoint}?query={__typename}`, { headers })).status).toBe(401);
    const { status } = await api.anonymous().send('{ __typename }', {}, { ...headers, accept: 'text/event-stream' });
    expect(status).toBe(401);
  });

  it('without one reading is allowed, and writing is not', async () => {
    const { api } = await startTestApp();
    const key = await api.createBoard();
    const anonymous = api.anonymous();
    expect(await anonymous.data('query($key: String!) { leaderboard(key: $key) { key } }', { key })).toEqual({
      leaderboard: { key },
    });
    const write = 'mutation($key: String!) { deleteLeaderboard(input: { key: $key }) { key } }';
    const refused = await anonymous.send(write, { key });
    expect(refused).toMatchObject({ status: 200, code: 'FORBIDDEN', data: null });
    expect(await anonymous.data('query($key: String!) { leaderboard(key: $key) { key } }', { key })).not.toBeNull();
  });
});

describe('request ids', () => {
  it('a given one comes back, and without one each answer has its own', async () => {
    const { api } = await startTestApp();
    const idOf = async (headers?: Record<string, string>) =>
      (await api.send('{ __typename }', {}, headers)).headers.get('x-request-id');
    expect(await idOf({ 'x-request-id': 'abc-1.2_3' })).toBe('abc-1.2_3');
    const [first, second] = [await idOf(), await idOf()];
    expect(first).toMatch(/^[\w-]{36}$/);
    expect(second).not.toBe(first);
  });

  it.each(['x'.repeat(65), 'a b', '"quoted"', '<script>'])('%j is not taken over', async (given) => {
    const { api } = await startTestApp();
    const { headers } = await api.send('{ __typename }', {}, { 'x-request-id': given });
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  });
});

describe('browsers of other origins', () => {
  it('may ask first, without the key, and are told what they may send', async () => {
    const { api } = await startTestApp();
    const response = await fetch(api.endpoint, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://game.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-request-id',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toMatch(/^(\*|https:\/\/game\.example)$/);
    expect(response.headers.get('access-control-allow-methods')).toMatch(/POST/);
    for (const header of ['authorization', 'content-type', 'x-request-id']) {
      expect(response.headers.get('access-control-allow-headers')).toContain(header);
    }
    expect(response.headers.get('access-control-allow-credentials')).not.toBe('true');
  });

  it.each(['application/json', 'application/graphql-response+json', 'text/event-stream'])(
    'read answers as %s',
    async (accept) => {
      const { api } = await startTestApp();
      const response = await fetch(api.endpoint, {
        method: 'POST',
        headers: { ...json, accept, origin: 'https://game.example' },
        body: JSON.stringify({ query: '{ __typename }' }),
      });
      expect(response.headers.get('access-control-allow-origin')).toMatch(/^(\*|https:\/\/game\.example)$/);
      await response.text();
    },
  );
});

describe('clients that misbehave', () => {
  it.each(['//', '/graphql%', '/%ff', '/?', '*'])('the target %s is answered like any other', async (target) => {
    const app = await startTestApp();
    const { closed } = await rawConnect(
      app.url,
      `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(await closed()).toMatch(/^HTTP\/1\.1 (404|302) /);
  });

  it.each(['//', '/other', '*'])('an upgrade at %s is refused, and ends nothing else', async (target) => {
    const app = await startTestApp();
    const { closed } = await rawConnect(app.url, upgradeRequest(target));
    expect(await closed()).toMatch(/^HTTP\/1\.1 404 /);
    expect(await app.api.data('{ __typename }')).toEqual({ __typename: 'Query' });
  });

  it('one that hangs up on the refusal of its upgrade ends nothing else', async () => {
    const app = await startTestApp();
    const uncaught: unknown[] = [];
    const note = (error: unknown) => uncaught.push(error);
    process.on('uncaughtException', note);
    for (let i = 0; i < 20; i += 1) {
      const { socket, closed } = await rawConnect(app.url, upgradeRequest('/other'));
      setImmediate(() => socket.resetAndDestroy());
      await closed();
    }
    expect(await app.api.data('{ __typename }')).toEqual({ __typename: 'Query' });
    process.off('uncaughtException', note);
    expect(uncaught).toEqual([]);
  });

  it('a request that is cut short leaves the service well', async () => {
    const app = await startTestApp();
    const head = `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
    const { socket, closed } = await rawConnect(app.url, `${head}{"query":`);
    socket.destroy();
    await closed();
    await until(async () => (await app.api.send('{ __typename }')).status === 200);
  });
});
