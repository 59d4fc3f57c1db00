import { beforeEach, describe, expect, inject, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { descending, globalId } from '../support/graphql-client.ts';
import { connectRedis } from '../support/redis-client.ts';
import { type RedisProxy, startRedisProxy } from '../support/redis-proxy.ts';

/** A database of this file's own: an app that starts looks through all boards there are, and that is counted too. */
const database = '?db=7';

beforeEach(async () => {
  await (await connectRedis(`${inject('redisUrl')}${database}`)).flushdb();
});

interface Counted extends TestApp {
  readonly proxy: RedisProxy;
  readonly key: string;
}

/** A board of 60 with names, behind a proxy that counts; `me` is number 30. */
async function countedBoard(): Promise<Counted> {
  const proxy = await startRedisProxy();
  const app = await startTestApp({ redisUrl: `${proxy.path}${database}` });
  const key = await app.api.createBoard();
  await app.api.scores(key, descending(60));
  await app.api.names(Object.fromEntries(Object.keys(descending(60)).map((id) => [id, `Name of ${id}`])));
  return { ...app, proxy, key };
}

/** Round trips in short: what each was for, and of how many commands. */
const summary = ({ trips }: RedisProxy) =>
  trips.map(
    (names) =>
      `${names.every((name) => name.startsWith('fcall')) ? 'read' : [...new Set(names)].join()} ×${names.length}`,
  );

const top = 'entries(first: 20) { version nodes { memberId rank member { displayName } } }';
const mine = 'entry(memberId: "m29") { version rank member { displayName avatarUrl } }';
const around =
  'entriesAround(memberId: "m29", above: 2, below: 2) { version nodes { memberId rank member { displayName } } }';

/** The same three questions, in many shapes. */
const shapes: Record<string, string> = {
  'one period': `query($key: String!) { leaderboard(key: $key) { current { version entryCount ${top} ${mine} ${around} } } }`,
  aliases: `query($key: String!) {
    a: leaderboard(key: $key) { current { ${top} } }
    b: leaderboard(key: $key) { again: period(key: "all") { ${mine} } }
    c: leaderboard(key: $key) { current(cadence: ALL_TIME) { x: entryCount ${around} } } }`,
  'named fragments': `query($key: String!) { leaderboard(key: $key) { ...Board } }
    fragment Board on Leaderboard { current { ...Top ...Mine } period(key: "all") { ...Around } }
    fragment Top on Period { ${top} }
    fragment Mine on Period { ${mine} }
    fragment Around on Period { ...Deeper }
    fragment Deeper on Period { ${around} }`,
  'inline fragments': `query($key: String!) { leaderboard(key: $key) { ... { current { ... on Period { ${top} } } }
    ... on Node { ... on Leaderboard { current { ${mine} ... @include(if: true) { ${around} } } } } } }`,
  'the node of a leaderboard': `query($board: ID!) { node(id: $board) { ... on Leaderboard { current { ${top} ${mine} ${around} } } } }`,
  'the node of a period': `query($period: ID!) { node(id: $period) { ... on Period { ${top} ${mine} ${around} } } }`,
  'the node of an entry beside a page': `query($key: String!, $entry: ID!) {
    node(id: $entry) { ... on Entry { version rank member { displayName } } }
    leaderboard(key: $key) { current { ${top} ${around} } } }`,
  'all four kinds of nodes': `query($board: ID!, $period: ID!, $entry: ID!, $member: ID!) {
    nodes(ids: [$member, $board, $entry, $period]) {
      ... on Leaderboard { current { ${top} } }
      ... on Period { ${around} version }
      ... on Entry { version rank member { attributes } }
      ... on Member { displayName } } }`,
  'a member beside a page': `query($key: String!) {
    member(memberId: "m59") { displayName }
    leaderboard(key: $key) { current { ${top} ${mine} ${around} } }
    other: member(memberId: "nobody") { displayName } }`,
};

const variablesOf = (key: string) => ({
  key,
  board: globalId('Leaderboard', key),
  period: globalId('Period', `${key}/all`),
  entry: globalId('Entry', `${key}/all/m29`),
  member: globalId('Member', 'm59'),
});

/** Every value under a name, wherever it is. */
function valuesOf(data: unknown, name: string): unknown[] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([key, value]) => (key === name ? [value] : valuesOf(value, name)));
}

describe('rule P5: top 20 with names, my entry and five around me cost two round trips', () => {
  it.each(Object.entries(shapes))('through %s', async (_, query) => {
    const { api, proxy, key } = await countedBoard();
    await api.data(query, variablesOf(key));
    proxy.reset();
    const data = await api.data(query, variablesOf(key));
    expect(summary(proxy)).toEqual(['read ×1', expect.stringMatching(/^hgetall ×2\d$/)]);
    expect(new Set(valuesOf(data, 'version'))).toEqual(new Set([60]));
    expect(valuesOf(data, 'rank')).toEqual(expect.arrayContaining([1, 20, 30]));
    expect(valuesOf(data, 'displayName').filter((name) => typeof name === 'string').length).toBeGreaterThanOrEqual(25);
  });

  it('without names it costs one, and a board alone costs none', async () => {
    const { api, proxy, key } = await countedBoard();
    proxy.reset();
    await api.data('query($key: String!) { leaderboard(key: $key) { current { entries { nodes { rank } } } } }', {
      key,
    });
    expect(summary(proxy)).toEqual(['read ×1']);
    proxy.reset();
    await api.data('query($key: String!) { leaderboard(key: $key) { title current { key cadence endsAt } } }', { key });
    expect(summary(proxy)).toEqual([]);
  });

  it('two boards cost one reading each, side by side, and one batch of names for both', async () => {
    const { api, proxy, key } = await countedBoard();
    const other = await api.createBoard();
    await api.scores(other, { m1: 1, x: 2 });
    const query = `query($key: String!, $other: String!) {
      a: leaderboard(key: $key) { current { ${top} ${mine} } }
      b: leaderboard(key: $other) { current { ${top} entryCount } } }`;
    await api.data(query, { key, other });
    proxy.reset();
    await api.data(query, { key, other });
    expect(proxy.trips.flat().filter((name) => name.startsWith('fcall'))).toHaveLength(2);
    expect(summary(proxy)).toEqual(['read ×2', 'hgetall ×22']);
  });

  it('two periods of a board are read at one moment', async () => {
    const { api, proxy } = await countedBoard();
    const key = await api.createBoard({ cadences: ['ALL_TIME', 'YEARLY'] });
    await api.score(key, 'ann', 1);
    const query = `query($key: String!) { leaderboard(key: $key) {
      a: current { ${top} } b: current(cadence: YEARLY) { ${top} } } }`;
    await api.data(query, { key });
    proxy.reset();
    await api.data(query, { key });
    expect(summary(proxy)).toEqual(['read ×1', 'hgetall ×1']);
  });

  it('with a cold cache the definition comes first, and names still in one batch', async () => {
    const { key } = await countedBoard();
    const proxy = await startRedisProxy();
    const { api } = await startTestApp({ redisUrl: `${proxy.path}${database}` });
    await api.data('{ leaderboards(first: 0) { totalCount } }');
    // Another board's reading first, so that what a connection does once is done.
    proxy.reset();
    await api.data(shapes['a member beside a page'] ?? '', variablesOf(key));
    const cold = summary(proxy).filter((trip) => trip !== 'info ×1');
    expect(cold.at(-1)).toBe('hgetall ×27');
    expect(cold.filter((trip) => trip.startsWith('hgetall'))).toHaveLength(cold.length - 1);
  });
});

describe('rule P5: what one query reads agrees', () => {
  it('while another process writes as fast as it can', async () => {
    const { api, key } = await countedBoard();
    const writer = await startTestApp({ redisUrl: `${inject('redisUrl')}${database}` });
    let writing = true;
    let written = 0;
    const write = async () => {
      for (; writing; written += 1)
        await writer.api.score(key, written % 2 === 0 ? 'm29' : `m${written % 60}`, 1_000 + written);
    };
    const loop = Promise.all([write(), write()]);
    const versions = new Set<unknown>();
    const query = `query($key: String!, $entry: ID!) {
      leaderboard(key: $key) { current { version entryCount
        top: entries(first: 100) { version totalCount nodes { memberId rank score index version } }
        entry(memberId: "m29") { memberId rank score index version }
        entriesAround(memberId: "m29", above: 50, below: 49) { version nodes { memberId rank score index version } } } }
      node(id: $entry) { ... on Entry { memberId rank score index version } } }`;
    for (let i = 0; i < 60; i += 1) {
      const data = await api.data<{
        leaderboard: {
          current: { entry: { index: number }; top: { nodes: unknown[] }; entriesAround: { nodes: unknown[] } };
        };
        node: unknown;
      }>(query, variablesOf(key));
      const { entry, top: page, entriesAround } = data.leaderboard.current;
      const seen = new Set(valuesOf(data, 'version'));
      expect(seen.size).toBe(1);
      expect(page.nodes[entry.index]).toEqual(entry);
      expect(data.node).toEqual(entry);
      expect(entriesAround.nodes).toContainEqual(entry);
      for (const version of seen) versions.add(version);
    }
    writing = false;
    await loop;
    expect(versions.size).toBeGreaterThan(10);
  });
});
