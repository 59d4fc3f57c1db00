import { expect, test } from 'vitest';
import { startApp } from '../../src/app.ts';
import { adminKey, testConfig } from '../support/app.ts';
import { openEventStream } from '../support/event-stream.ts';
import { Api } from '../support/graphql-client.ts';
import { until } from '../support/until.ts';
import { SocketClient } from '../support/websocket-client.ts';

const top = 'subscription($board: String!) { entriesChanged(leaderboard: $board) { version } }';

test('a process that stops closes websockets with a code that lets them come back, and cuts event streams', async () => {
  const app = await startApp(testConfig());
  const api = new Api(app.url, adminKey);
  const board = await api.createBoard();
  const clients = Array.from({ length: 250 }, () => new SocketClient(app.url));
  const lives = clients.map((client) => client.watch(top, { board }));
  const streams = await Promise.all(Array.from({ length: 5 }, () => openEventStream(app.url, top, { board })));
  await Promise.all([...lives, ...streams].map((live) => live.next()));
  await app.close();
  await until(() => clients.every(({ closed }) => closed !== null));
  expect(new Set(clients.map(({ closed }) => closed?.code))).toEqual(new Set([1012]));
  for (const stream of streams) expect(await stream.ended()).not.toBe('complete');
  expect(app.counts()).toEqual({ boards: 0, windows: 0, subscribers: 0, feeds: 0 });
});

test('GraphQL over SSE: EventSource, errors and what is no subscription', async () => {
  const app = await startApp(testConfig());
  const api = new Api(app.url, adminKey);
  const board = await api.createBoard();
  const url = new URL(api.endpoint);
  url.search = new URLSearchParams({ query: top, variables: JSON.stringify({ board }) }).toString();
  const headers = { accept: 'text/event-stream' };
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!text.includes('"version":0')) text += decoder.decode((await reader?.read())?.value);
  abort.abort();
  const unknown = await openEventStream(app.url, top, { board: 'nowhere' });
  expect((await unknown.next()).errors).toMatchObject([{ extensions: { code: 'LEADERBOARD_NOT_FOUND' } }]);
  expect(await unknown.ended()).toBe('complete');
  const invalid = await openEventStream(app.url, 'subscription { nothing }');
  expect(invalid.status === 400 || (await invalid.next()).errors).toBeTruthy();
  const query = await openEventStream(app.url, '{ leaderboard(key: "x") { key } }');
  expect((await query.next()).data).toEqual({ leaderboard: null });
  await app.close();
});
