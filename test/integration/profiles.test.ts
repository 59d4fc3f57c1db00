import { describe, expect, it } from 'vitest';
import { keys } from '../../src/redis/keys.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { descending, unique } from '../support/graphql-client.ts';
import { keepLog, type Log } from '../support/log.ts';
import { type ProfileEndpoint, sendProfiles, startProfileEndpoint } from '../support/profile-endpoint.ts';
import { connectRedis } from '../support/redis-client.ts';

const page = `query($key: String!) { leaderboard(key: $key) { current { entries(first: 100) {
  nodes { memberId rank member { displayName avatarUrl attributes } } } } } }`;

interface Row {
  memberId: string;
  rank: number;
  member: { displayName: string | null; avatarUrl: string | null; attributes: unknown };
}

/** The page of a board; an error in it fails the test. */
async function rows({ api }: TestApp, key: string): Promise<Row[]> {
  const data = await api.data<{ leaderboard: { current: { entries: { nodes: Row[] } } } }>(page, { key });
  return data.leaderboard.current.entries.nodes;
}

const nameless = { displayName: null, avatarUrl: null, attributes: null };

describe('profiles in Redis', () => {
  it('are written whole, shown with the entries, and removed with the member', async () => {
    const app = await startTestApp();
    const key = await app.api.createBoard();
    const [ann, bob] = [unique(), unique()];
    await app.api.scores(key, { [ann]: 2, [bob]: 1 });
    const profile = {
      displayName: 'Änn 😀',
      avatarUrl: 'https://example.test/a.png',
      attributes: { level: 3, tags: ['x'] },
    };
    const write = (input: unknown) =>
      app.api.data(
        'mutation($input: MemberInput!) { upsertMembers(input: { members: [$input] }) { members { id } } }',
        { input },
      );
    await write({ memberId: ann, ...profile });
    expect((await rows(app, key)).map(({ member }) => member)).toEqual([profile, nameless]);
    await write({ memberId: ann, displayName: 'Ann' });
    expect((await rows(app, key))[0]?.member).toEqual({ ...nameless, displayName: 'Ann' });
    await app.api.data('mutation($id: String!) { removeMember(input: { memberId: $id }) { removedEntries } }', {
      id: ann,
    });
    expect((await rows(app, key)).map(({ memberId }) => memberId)).toEqual([bob]);
    expect(await (await connectRedis()).exists(keys.profile(ann))).toBe(0);
  });

  it('are written all or none: one that is refused spoils the call', async () => {
    const { api } = await startTestApp();
    const [ann, bob] = [unique(), unique()];
    const query =
      'mutation($members: [MemberInput!]!) { upsertMembers(input: { members: $members }) { members { id } } }';
    for (const bad of [
      { memberId: bob, avatarUrl: 'javascript:alert(1)' },
      { memberId: bob, displayName: 'x'.repeat(201) },
      { memberId: bob, attributes: { filling: 'x'.repeat(4_096) } },
    ]) {
      expect(await api.code(query, { members: [{ memberId: ann, displayName: 'Ann' }, bad] })).toBe('BAD_INPUT');
    }
    expect(await api.code(query, { members: [{ memberId: ann }, { memberId: '' }] })).toBe('BAD_MEMBER_ID');
    const tooMany = Array.from({ length: 1_001 }, () => ({ memberId: ann }));
    expect(await api.code(query, { members: tooMany })).toBe('BATCH_TOO_LARGE');
    expect(await (await connectRedis()).exists(keys.profile(ann))).toBe(0);
  });
});

interface WithEndpoint extends TestApp {
  readonly endpoint: ProfileEndpoint;
  readonly log: Log;
  readonly key: string;
}

/** A board of three whose profiles an endpoint has. */
async function withEndpoint(timeoutMs = 5_000): Promise<WithEndpoint> {
  const [endpoint, log] = [await startProfileEndpoint(), keepLog()];
  const app = await startTestApp({ profileUrl: endpoint.url, profileTimeoutMs: timeoutMs }, { logger: log.logger });
  const key = await app.api.createBoard();
  await app.api.scores(key, descending(3));
  return { ...app, endpoint, log, key };
}

const warnings = ({ lines }: Log) =>
  lines.filter(({ level }) => level >= 40).map(({ msg, reason }) => `${msg}: ${reason}`);

describe('profiles of an endpoint of the user’s own', () => {
  it('are asked for in one request, whatever the shape of the query', async () => {
    const app = await withEndpoint();
    const shape = `query($key: String!) { a: leaderboard(key: $key) { current { entries { nodes { member { displayName } } } } }
      member(memberId: "other") { displayName } b: leaderboard(key: $key) { current { entry(memberId: "m1") { member { avatarUrl } } } } }`;
    expect(await app.api.data(shape, { key: app.key })).toMatchObject({ member: { displayName: 'Name of other' } });
    expect(app.endpoint.requests.map((ids) => ids.sort())).toEqual([['m0', 'm1', 'm2', 'other']]);
    expect(warnings(app.log)).toEqual([]);
  });

  it('may come in any order, in part, with fields missing or wrong: what can be used is', async () => {
    const app = await withEndpoint();
    app.endpoint.answer = (_, response) =>
      sendProfiles(response, [
        { memberId: 'm2', displayName: 'Two', avatarUrl: 'javascript:alert(1)', attributes: { a: 1 } },
        null,
        'm1',
        { memberId: 5 },
        { memberId: 'stranger', displayName: 'Not asked for' },
        { memberId: 'm0', displayName: 17, avatarUrl: 'https://example.test/0.png', attributes: [1], extra: true },
      ]);
    expect((await rows(app, app.key)).map(({ member }) => member)).toEqual([
      { ...nameless, avatarUrl: 'https://example.test/0.png' },
      nameless,
      { displayName: 'Two', avatarUrl: null, attributes: { a: 1 } },
    ]);
  });

  const failures: Record<string, [ProfileEndpoint['answer'], RegExp]> = {
    'an error of its own': [(_, response) => response.writeHead(500).end('{"profiles":[]}'), /status 500/],
    'no JSON': [(_, response) => response.end('<html>'), /JSON/],
    'other JSON': [(_, response) => response.end('[{"memberId":"m0"}]'), /no list/],
    nothing: [(_, response) => response.end(), /JSON/],
    'a connection that breaks': [(_, response) => response.destroy(), /./],
    'half an answer': [
      (_, response) => {
        response.writeHead(200, { 'content-length': 1_000 }).write('{"profiles":[');
        setImmediate(() => response.destroy());
      },
      /./,
    ],
    'an answer without end': [
      (_, response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      },
      /over \d+ bytes/,
    ],
  };

  it.each(Object.entries(failures))('that answers %s leaves entries without names', async (_, [answer, reason]) => {
    const app = await withEndpoint();
    app.endpoint.answer = answer;
    const found = await rows(app, app.key);
    expect(found.map(({ memberId, rank, member }) => [memberId, rank, member])).toEqual([
      ['m0', 1, nameless],
      ['m1', 2, nameless],
      ['m2', 3, nameless],
    ]);
    expect(warnings(app.log)).toEqual([expect.stringMatching(reason)]);
  });

  it('that is too slow is not waited for', async () => {
    const app = await withEndpoint(100);
    app.endpoint.answer = () => {};
    const began = performance.now();
    expect((await rows(app, app.key)).map(({ member }) => member)).toEqual([nameless, nameless, nameless]);
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(warnings(app.log)).toEqual([expect.stringMatching(/timeout|aborted/i)]);
  });

  it('that begins to answer and stops is not waited for either', async () => {
    const app = await withEndpoint(100);
    app.endpoint.answer = (_, response) => void response.writeHead(200).write('{');
    expect((await rows(app, app.key)).map(({ member }) => member)).toEqual([nameless, nameless, nameless]);
  });

  it('that cannot be reached leaves entries without names, and its address out of the log', async () => {
    const log = keepLog();
    const profileUrl = 'http://127.0.0.1:1/?token=hush-0123456789';
    const app = await startTestApp({ profileUrl }, { logger: log.logger });
    const key = await app.api.createBoard();
    await app.api.scores(key, descending(2));
    expect((await rows(app, key)).map(({ member }) => member)).toEqual([nameless, nameless]);
    expect(warnings(log)).toHaveLength(1);
    expect(log.text()).not.toContain('hush');
  });

  it('are not written by Laurel', async () => {
    const { api } = await withEndpoint();
    const query =
      'mutation { upsertMembers(input: { members: [{ memberId: "m0", displayName: "x" }] }) { members { id } } }';
    expect(await api.code(query)).toBe('BAD_INPUT');
    expect(await (await connectRedis()).exists(keys.profile('m0'))).toBe(0);
  });
});
