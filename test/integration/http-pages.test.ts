import { describe, expect, it } from 'vitest';
import { exampleTabs } from '../../src/http/examples.ts';
import { startTestApp } from '../support/app.ts';
import { SocketClient } from '../support/websocket-client.ts';

describe('pages that watch over the service', () => {
  it('/healthz says that the process lives, /readyz that it can answer', async () => {
    const { url } = await startTestApp();
    const [health, ready] = await Promise.all([fetch(`${url}/healthz`), fetch(`${url}/readyz`)]);
    expect([health.status, await health.text()]).toEqual([200, 'ok\n']);
    expect([ready.status, await ready.text()]).toEqual([200, 'ready\n']);
  });

  it('/metrics is in the format of Prometheus, and counts operations and who watches', async () => {
    const { api, url } = await startTestApp();
    const key = await api.createBoard();
    await api.code('{ leaderboards(first: 1000) { totalCount } }');
    const client = new SocketClient(url);
    const live = client.watch('subscription($key: String!) { entriesChanged(leaderboard: $key) { version } }', { key });
    await live.next();
    const response = await fetch(`${url}/metrics`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const lines = (await response.text()).split('\n');
    const value = (name: string) =>
      Number(
        lines
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')
          .at(-1),
      );
    expect(value('laurel_graphql_operation_seconds_count{outcome="ok"}')).toBeGreaterThanOrEqual(1);
    expect(value('laurel_graphql_operation_seconds_count{outcome="error"}')).toBe(1);
    expect(value('laurel_websocket_connections')).toBe(1);
    expect(value('laurel_live_boards')).toBe(1);
    expect(value('laurel_live_windows')).toBe(1);
    expect(value('laurel_live_subscribers')).toBe(1);
    expect(value('laurel_live_feeds')).toBe(0);
    expect(value('laurel_store_up')).toBe(1);
    expect(value('laurel_store_connection_errors_total')).toBe(0);
    expect(value('laurel_process_resident_memory_bytes')).toBeGreaterThan(1e6);
  });

  it('/ leads to GraphQL, and what does not exist is 404 with a hint', async () => {
    const { url } = await startTestApp();
    const root = await fetch(url, { redirect: 'manual' });
    expect([root.status, root.headers.get('location')]).toEqual([302, '/graphql']);
    const nothing = await fetch(`${url}/nothing`);
    expect([nothing.status, await nothing.text()]).toEqual([404, 'Not found. GraphQL is at /graphql.\n']);
  });
});

describe('GraphiQL', () => {
  it('is what a browser gets, whole in one page: nothing is loaded from elsewhere', async () => {
    const { api } = await startTestApp();
    const response = await fetch(api.endpoint, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    const page = await response.text();
    expect(page.includes('<title>Laurel</title>')).toBe(true);
    const markup = page
      .replaceAll(/(<script[^>]*>)[\s\S]*?(<\/script>)/g, '$1$2')
      .replaceAll(/<style[^>]*>[\s\S]*?<\/style>/g, '');
    expect(markup).toContain('<script');
    expect(markup.match(/\b(?:src|href)=["']?(?!data:|#)[^"'\s>]+/g) ?? []).toEqual([]);
    expect(page.match(/url\(\s*["']?(?:https?:)?\/\/[^)]*\)/g) ?? []).toEqual([]);
    expect(page.match(/\bimport\s*\(?\s*["'](?:https?:)?\/\/[^"']*/g) ?? []).toEqual([]);
    expect(page.match(/\b(unpkg\.com|cdn\.jsdelivr\.net|esm\.sh|cdnjs\.cloudflare\.com)\b/)).toBeNull();
  });

  it('comes with queries to run at once, and watches over the websocket', async () => {
    const { api } = await startTestApp();
    const page = await (await fetch(api.endpoint, { headers: { accept: 'text/html' } })).text();
    const operations = exampleTabs.flatMap(({ query }) => /^(?:query|mutation|subscription) \w+/m.exec(query) ?? []);
    expect(operations.map((operation) => operation.split(' ')[0])).toEqual(
      expect.arrayContaining(['query', 'mutation', 'subscription']),
    );
    expect(operations.filter((operation) => !page.includes(operation))).toEqual([]);
    expect(/"?subscriptionsProtocol"?\s*:\s*"WS"/.test(page)).toBe(true);
  });

  it('is not what a program gets', async () => {
    const { api } = await startTestApp();
    const response = await fetch(`${api.endpoint}?query={__typename}`, { headers: { accept: 'application/json' } });
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
  });
});
