import { describe, expect, it, onTestFinished } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { exampleTabs } from '../../src/http/examples.ts';
import { adminKey, startTestApp, type TestApp } from '../support/app.ts';
import { runLaurel } from '../support/command-line.ts';
import { Graphiql } from '../support/graphiql.ts';
import { startOwnRedis } from '../support/own-redis.ts';
import { until } from '../support/until.ts';

/** GraphiQL on a service with the demo's board. A Redis of its own: the examples name the board. */
async function openDemo(): Promise<{ app: TestApp; graphiql: Graphiql }> {
  const app = await startTestApp({ redisUrl: (await startOwnRedis()).path });
  const { code, out, err } = await runLaurel(['demo', '--count', '40', '--rate', '1000'], {
    url: app.api.endpoint,
    key: adminKey,
  });
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain(`open ${app.api.endpoint}, and press play in the tab WatchTop.`);
  const graphiql = await Graphiql.open(app.url);
  onTestFinished(() => expect([graphiql.strayed, graphiql.complaints]).toEqual([[], []]));
  return { app, graphiql };
}

/** What the page shows once it shows what it should. */
async function shown<T>(graphiql: Graphiql, wanted: (result: T) => boolean | undefined): Promise<T> {
  let last: unknown;
  return until(async () => {
    last = await graphiql.result();
    return last !== undefined && wanted(last as T) ? (last as T) : null;
  }, 30_000).catch(async (error: unknown) => {
    throw new Error(`GraphiQL shows ${JSON.stringify(last)}: ${await graphiql.state()}`, { cause: error });
  });
}

const example = (operation: string) => exampleTabs.find(({ query }) => query.includes(` ${operation} {`))?.query ?? '';

interface Shown {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

describe('GraphiQL, with the network cut off,', () => {
  it('has examples in its tabs, and those that read run at once', async () => {
    const { app, graphiql } = await openDemo();
    expect(await graphiql.tabs()).toEqual(['Top', 'AroundMe', 'SendScore', 'WatchTop', 'NewBoard']);
    expect(await graphiql.page.title()).toBe('Laurel');
    for (const name of ['Top', 'AroundMe']) {
      await graphiql.openTab(name);
      await graphiql.press();
      const { data } = await shown<Shown>(graphiql, (result) => result.data !== undefined);
      expect(data).toEqual(await app.api.data(example(name)));
      expect(JSON.stringify(data)).toMatch(/"rank":\d+,"score":\d+,.*"displayName":"[^"]+"/);
      await graphiql.screenshot(name);
    }
    expect(graphiql.websockets).toEqual([]);
  });

  it('shows the top as it changes, over a websocket', async () => {
    const { app, graphiql } = await openDemo();
    interface Top extends Shown {
      readonly data: { entriesChanged: { version: number; entries: { member: { displayName: string | null } }[] } };
    }
    const leaders = ({ data }: Top) => data.entriesChanged.entries.map(({ member }) => member.displayName);
    await graphiql.openTab('WatchTop');
    await graphiql.press();
    const before = await shown<Top>(graphiql, ({ data }) => data !== undefined);
    expect(before.data.entriesChanged.entries).toHaveLength(5);
    expect(graphiql.websockets).toEqual([`${app.url.replace('http', 'ws')}/graphql`]);
    await app.api.names({ ada: 'Ada', ben: 'Ben' });
    await app.api.scores('demo', { ben: 5000, ada: 5001 });
    const after = await shown<Top>(graphiql, (result) => leaders(result)[1] === 'Ben');
    expect(leaders(after)).toEqual(['Ada', 'Ben', ...leaders(before).slice(0, 3)]);
    expect(after.data.entriesChanged.version).toBe(before.data.entriesChanged.version + 2);
    await app.api.scores('demo', { ben: 2 });
    expect(leaders(await shown<Top>(graphiql, (result) => leaders(result)[0] === 'Ben')).slice(0, 2)).toEqual([
      'Ben',
      'Ada',
    ]);
    await graphiql.screenshot('WatchTop');
    await graphiql.press();
    await until(() => app.counts().subscribers === 0);
  });

  it('writes with the API key from Headers, and not without', async () => {
    const { app, graphiql } = await openDemo();
    const scoreOfMe = async () => {
      const query = '{ leaderboard(key: "demo") { current { entry(memberId: "me") { score } } } }';
      return app.api.data<{ leaderboard: { current: { entry: { score: number } | null } } }>(query);
    };
    await graphiql.openTab('SendScore');
    await graphiql.press();
    const refused = await shown<Shown>(graphiql, ({ errors }) => errors !== undefined);
    expect(refused.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect(refused.errors?.[0]?.message).toContain('Authorization: Bearer');
    expect((await scoreOfMe()).leaderboard.current.entry).toBeNull();
    await graphiql.screenshot('SendScore-without-a-key');

    await graphiql.setHeaders({ Authorization: `Bearer ${adminKey}` });
    await graphiql.press();
    const sent = await shown<Shown>(graphiql, ({ data }) => Boolean(data));
    expect(sent.data?.submitScore).toMatchObject({ applied: true, changes: [{ period: { key: 'all' } }, {}, {}] });
    expect((await scoreOfMe()).leaderboard.current.entry).toEqual({ score: 250 });
    await graphiql.screenshot('SendScore');

    await graphiql.openTab('NewBoard');
    await graphiql.setHeaders({ Authorization: `Bearer ${adminKey}` });
    await graphiql.press();
    const made = await shown<Shown>(graphiql, ({ data }) => Boolean(data?.createLeaderboard));
    expect(made.data).toEqual({
      createLeaderboard: { leaderboard: { key: 'my-board', title: 'My board', timeZone: 'UTC' } },
    });
    await graphiql.screenshot('NewBoard');
  });

  it('has the same tabs after a reload, the one that was open in front, with its key', async () => {
    const { graphiql } = await openDemo();
    const tabs = await graphiql.tabs();
    await graphiql.reload();
    expect(await graphiql.tabs()).toEqual(tabs);
    await graphiql.openTab('SendScore');
    await graphiql.setHeaders({ Authorization: `Bearer ${adminKey}` });
    await graphiql.press();
    await shown<Shown>(graphiql, ({ data }) => Boolean(data?.submitScore));
    await graphiql.openTab('WatchTop');
    await graphiql.reload();
    expect([await graphiql.tabs(), await graphiql.selected()]).toEqual([tabs, 'WatchTop']);
    expect(await graphiql.headers()).toBe('');
    await graphiql.openTab('SendScore');
    await graphiql.reload();
    expect([await graphiql.tabs(), await graphiql.selected()]).toEqual([tabs, 'SendScore']);
    expect(await graphiql.headers()).toContain(adminKey);
  });

  it('explains every field in its documentation', async () => {
    const { graphiql } = await openDemo();
    const { page } = graphiql;
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    const docs = page.locator('.graphiql-doc-explorer');
    const types = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    for (const type of types) {
      if (!type) throw new Error('a root type is missing');
      await docs.getByRole('link', { name: type.name, exact: true }).first().click();
      const fields = Object.values(type.getFields());
      await docs.getByText(fields[0]?.description ?? '').waitFor();
      const text = (await docs.textContent()) ?? '';
      for (const { name, description } of fields) {
        expect(text).toContain(name);
        // A description is Markdown, shown as such.
        expect(text.replaceAll(/\s+/g, ' ')).toContain(description?.replaceAll('`', '').replaceAll(/\s+/g, ' '));
      }
      await graphiql.screenshot(`documentation-${type.name}`);
      await docs.getByRole('link', { name: 'Docs' }).click();
    }
  });

  it('shows the letters of names as they are, not as doubtful ones in code', async () => {
    const { app, graphiql } = await openDemo();
    await app.api.names({ elif: 'Elif Yılmaz' });
    await app.api.scores('demo', { elif: 9000 });
    await graphiql.press();
    await shown<Shown>(graphiql, ({ data }) => data !== undefined);
    const marked = graphiql.page.locator('.result-window .unicode-highlight');
    await marked.first().waitFor({ state: 'attached' });
    const borders = await marked.evaluateAll((elements) =>
      elements.map((element) => element.computedStyleMap().get('border-top-style')?.toString()),
    );
    expect(new Set(borders)).toEqual(new Set(['none']));
    await graphiql.screenshot('names');
  });
});
