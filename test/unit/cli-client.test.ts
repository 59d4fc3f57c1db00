import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { write } from '../../src/cli/terminal.ts';
import { runLaurel } from '../support/command-line.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
}

const refusing = (code: string) =>
  serve((_, response) => response.end(JSON.stringify({ errors: [{ message: 'No.', extensions: { code } }] })));

describe('the command line', () => {
  it('says how to start a service that is not there', async () => {
    const { code, err } = await runLaurel(['boards'], { url: 'http://127.0.0.1:1/graphql' });
    expect(code).toBe(2);
    expect(err).toContain('Laurel does not answer at http://127.0.0.1:1/graphql');
    expect(err).toContain('`npm start`');
  });

  it.each([
    ['bad gateway', 502, '<html>', 'does not answer'],
    ['a page', 200, '<html>', "is not Laurel's GraphQL API"],
    ['not found', 404, '{}', "is not Laurel's GraphQL API"],
    ['JSON null', 200, 'null', "is not Laurel's GraphQL API"],
  ])('knows what is not the service: %s', async (_, status, body, message) => {
    const url = await serve((_request, response) => response.writeHead(status).end(body));
    const { code, err } = await runLaurel(['boards', '--url', url]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it.each(['UNAUTHENTICATED', 'FORBIDDEN'])('says where the key comes from when it is %s', async (answer) => {
    const url = await refusing(answer);
    const without = await runLaurel(['hold', 'goals'], { url, key: null, keyOrigin: 'data/admin-api-key' });
    expect(without).toMatchObject({ code: 2 });
    expect(without.err).toContain('No API key was found in data/admin-api-key');
    const wrong = await runLaurel(['hold', 'goals'], {
      url,
      key: 'secret-key-of-somebody',
      keyOrigin: 'ADMIN_API_KEY',
    });
    expect(wrong.err).toContain('The API key from ADMIN_API_KEY was sent');
    expect(wrong.err + wrong.out).not.toContain('secret-key');
  });

  it('sends the key as a bearer token, and none where there is none', async () => {
    const seen: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end(JSON.stringify({ data: { updateLeaderboard: null } }));
    });
    await runLaurel(['release', 'goals'], { url, key: 'abc' });
    await runLaurel(['release', 'goals'], { url, key: null });
    expect(seen).toEqual(['Bearer abc', undefined]);
  });

  it('does not try again what must not happen twice', async () => {
    let calls = 0;
    const url = await serve((request) => {
      calls += 1;
      request.socket.destroy();
    });
    await runLaurel(['create', 'goals'], { url });
    expect(calls).toBe(1);
  });

  it('names the code of an error of the service', async () => {
    const { code, err } = await runLaurel(['create', 'goals'], { url: await refusing('LEADERBOARD_EXISTS') });
    expect({ code, err }).toEqual({ code: 2, err: 'No. (LEADERBOARD_EXISTS)\n' });
  });

  it('refuses a URL that is none', async () => {
    expect(await runLaurel(['boards', '--url', 'nowhere'])).toMatchObject({
      code: 2,
      err: '--url "nowhere" is not a URL.\n',
    });
  });

  it.each(['import', 'export', 'boards', 'top', 'create', 'hold', 'release', 'demo'])(
    'has help for %s',
    async (name) => {
      const { code, out } = await runLaurel([name, '--help']);
      expect(code).toBe(0);
      expect(out).toContain(`Usage: laurel ${name}`);
    },
  );

  it('teaches with examples, and ends with 2 for what it does not know', async () => {
    expect((await runLaurel(['--help'])).out).toContain('$ laurel import goals.csv --board goals');
    expect((await runLaurel(['import', '--help'])).out).toContain("--where 'scorer!=NA' --backfill");
    expect(await runLaurel(['imprt'])).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean import?') });
    expect((await runLaurel(['top'])).code).toBe(2);
    expect((await runLaurel(['top', 'goals', '--count', '101'])).err).toContain('from 1 to 100');
  });
});

describe('write', () => {
  it('fails with what the stream has failed with, and does not wait for it for ever', async () => {
    const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('disk full')), highWaterMark: 1 });
    full.on('error', () => undefined);
    await expect(write(full, 'first')).rejects.toThrow('disk full');
    await expect(write(full, 'second')).rejects.toThrow('disk full');
  });

  it('waits until there is room', async () => {
    const taken: string[] = [];
    const slow = new Writable({
      write: (chunk, _encoding, done) => {
        setImmediate(() => {
          taken.push(String(chunk));
          done();
        });
      },
      highWaterMark: 1,
    });
    await write(slow, 'first');
    expect(taken).toEqual(['first']);
  });
});
