import { describe, expect, it } from 'vitest';
import { clockedApp } from '../support/clocked-app.ts';
import { mutate, mutationCode, readPage, readPeriod, walkPages } from '../support/period-reader.ts';

interface Node {
  readonly memberId: string;
  readonly rank: number;
  readonly reachedAt: string | null;
}

const orders = ['HIGH_TO_LOW', 'LOW_TO_HIGH'] as const;

const app = clockedApp();

const reader = (key: string) => (page: Record<string, unknown>) =>
  readPage<Node>(app.api, key, page, 'memberId rank reachedAt');

/** The members in board order, which pages of one and of two, forward and backward, must agree on. */
async function orderOf(key: string): Promise<string[]> {
  const read = reader(key);
  const { edges } = await read({ first: 100 });
  expect(await walkPages(read, 1)).toEqual(edges);
  expect(await walkPages(read, 2, true)).toEqual(edges);
  return edges.map(({ node }) => node.memberId);
}

const submit = (leaderboard: string, memberId: string, more: object) =>
  mutate<{ applied: boolean; skipped: { code: string }[] }>(
    app.api,
    'submitScore',
    { leaderboard, memberId, score: 5, ...more },
    'applied skipped { code }',
  );

describe.each(orders)('rules R2 and R3: who reached a score when, %s', (sortOrder) => {
  const times = { late: '12:00', early: '08:00', first: '08:00', middle: '10:00', unsaid: undefined };
  const expected = ['early', 'first', 'middle', 'late', 'unsaid'];
  const occurred = (time?: string) => (time === undefined ? {} : { occurredAt: `2020-05-05T${time}:00.000Z` });

  it.each(['EARLIEST', 'LATEST'] as const)('%s goes by the event’s time, then by arrival', async (tieBreak) => {
    const key = await app.api.createBoard({ sortOrder, tieBreak });
    for (const [memberId, time] of Object.entries(times)) await submit(key, memberId, occurred(time));
    expect(await orderOf(key)).toEqual(tieBreak === 'EARLIEST' ? expected : expected.toReversed());
    const { edges } = await reader(key)({});
    expect(edges.map(({ node }) => node.rank)).toEqual([1, 1, 1, 1, 1]);
    const middle = edges.find(({ node }) => node.memberId === 'middle');
    expect(middle?.node.reachedAt).toBe('2020-05-05T10:00:00.000Z');
  });

  it('a score that is not better does not move it, and EARLIEST takes an equal one reached earlier', async () => {
    const key = await app.api.createBoard({ sortOrder, tieBreak: 'EARLIEST' });
    await submit(key, 'a', occurred('09:00'));
    await submit(key, 'b', occurred('10:00'));
    const worse = sortOrder === 'HIGH_TO_LOW' ? 1 : 9;
    expect(await submit(key, 'b', { score: worse, ...occurred('08:00') })).toMatchObject({ applied: false });
    expect(await submit(key, 'a', occurred('11:00'))).toMatchObject({ applied: false });
    expect(await orderOf(key)).toEqual(['a', 'b']);
    expect(await submit(key, 'b', occurred('08:59'))).toMatchObject({ applied: true });
    expect(await orderOf(key)).toEqual(['b', 'a']);
  });

  it('is not kept by a board that does not decide by it', async () => {
    const key = await app.api.createBoard({ sortOrder });
    await submit(key, 'a', occurred('09:00'));
    expect((await reader(key)({})).edges[0]?.node.reachedAt).toBeNull();
  });
});

describe.each(orders)('rule R2: sort keys, %s', (sortOrder) => {
  it('of names: case and accents folded, Chinese by its sound, numbers by value', async () => {
    const key = await app.api.createBoard({ sortOrder, tieBreak: 'SORT_KEY', naturalNumbers: true });
    // In the order that people expect, sent in another; the ids go the other way round.
    const names = [
      'Ägir',
      'Ångström',
      'anna',
      'ÉMILE 2',
      'emile 10',
      'ﬁn',
      '李娜',
      'Œuvre',
      '王芳',
      '张伟',
      'Zoë',
      'zoe2',
    ];
    for (let i = 0; i < names.length; i += 1) {
      const at = (i * 5) % names.length;
      await submit(key, `m${99 - at}`, { sortName: names[at] });
    }
    expect(await orderOf(key)).toEqual(names.map((_, i) => `m${99 - i}`));
  });

  it('a caller’s key wins over the name, for surnames of more than one sound', async () => {
    const key = await app.api.createBoard({ sortOrder, tieBreak: 'SORT_KEY', sortLocale: 'zh-CN' });
    await submit(key, 'dan', { sortName: '单于', sortKey: 'chan yu' });
    await submit(key, 'chen', { sortName: '陈静' });
    await submit(key, 'bai', { sortName: '白居易' });
    expect(await orderOf(key)).toEqual(['bai', 'dan', 'chen']);
  });

  it('emoji, empty keys and none, and keys one of which begins the other, both ways', async () => {
    for (const sortKeyOrder of ['ASCENDING', 'DESCENDING']) {
      const key = await app.api.createBoard({ sortOrder, tieBreak: 'SORT_KEY', sortKeyOrder });
      const keys = [undefined, 'a', 'a.', 'ab', 'é', '李', '😀', '😀😀', '🥇'];
      for (const [i, sortKey] of keys.entries()) await submit(key, `😀${i}`, { sortKey });
      const ascending = keys.map((_, i) => `😀${i}`);
      expect(await orderOf(key)).toEqual(sortKeyOrder === 'ASCENDING' ? ascending : ascending.toReversed());
      // The empty key is the same as none: nothing changes.
      expect(await submit(key, '😀0', { sortKey: '' })).toMatchObject({ applied: false });
    }
  });

  it('setSortKey moves an entry among its equals, and the score stays', async () => {
    const key = await app.api.createBoard({ sortOrder, tieBreak: 'SORT_KEY' });
    for (const memberId of ['a', 'b', 'c']) await submit(key, memberId, { sortKey: memberId });
    const set = (input: object) =>
      mutate(
        app.api,
        'setSortKey',
        { leaderboard: key, ...input },
        'applied changes { previousIndex version entry { score index rank } } skipped { code period }',
      );
    expect(await set({ memberId: 'a', sortName: 'Zoë' })).toEqual({
      applied: true,
      changes: [{ previousIndex: 0, version: 4, entry: { score: 5, index: 2, rank: 1 } }],
      skipped: [],
    });
    expect(await orderOf(key)).toEqual(['b', 'c', 'a']);
    expect(await set({ memberId: 'a', sortKey: 'zoe' })).toMatchObject({ applied: false, changes: [{ version: 4 }] });
    expect(await set({ memberId: 'x', sortKey: 'k' })).toEqual({
      applied: false,
      changes: [],
      skipped: [{ code: 'NOT_RANKED', period: 'all' }],
    });
    expect(await mutationCode(app.api, 'setSortKey', { leaderboard: key, memberId: 'a' })).toBe('BAD_INPUT');
  });
});

describe('rule R2: what is no sort key', () => {
  const refused: [string, object, object][] = [
    ['65 bytes', {}, { sortKey: 'x'.repeat(65) }],
    ['17 emoji', {}, { sortKey: '😀'.repeat(17) }],
    ['a control character', {}, { sortKey: 'a\u0000b' }],
    ['half of a surrogate pair', {}, { sortKey: 'a\ud83d' }],
    ['a name with half of a surrogate pair', {}, { sortName: '\ude00' }],
    ['a name of 401 bytes', {}, { sortName: 'x'.repeat(401) }],
    ['a word for a number', { sortKeyType: 'INTEGER' }, { sortKey: 'one' }],
    ['nothing for a number', { sortKeyType: 'INTEGER' }, { sortKey: '' }],
    ['a number with decimals', { sortKeyType: 'INTEGER' }, { sortKey: '1.5' }],
    ['2^63', { sortKeyType: 'INTEGER' }, { sortKey: '9223372036854775808' }],
    ['a name on a board of numbers', { sortKeyType: 'INTEGER' }, { sortName: 'Anna' }],
    ['any on a board that has none', { tieBreak: 'EARLIEST' }, { sortKey: 'a' }],
    ['a name on a board that has none', { tieBreak: 'MEMBER_ID' }, { sortName: 'Anna' }],
  ];

  it.each(refused)('%s', async (_, rules, keys) => {
    const key = await app.api.createBoard({ tieBreak: 'SORT_KEY', ...rules });
    expect(await mutationCode(app.api, 'submitScore', { leaderboard: key, memberId: 'a', score: 5, ...keys })).toBe(
      'BAD_SORT_KEY',
    );
    expect(await readPeriod(app.api, key, 'version entryCount')).toEqual({ version: 0, entryCount: 0 });
  });

  it('64 bytes are, and the longest name, which is cut', async () => {
    const key = await app.api.createBoard({ tieBreak: 'SORT_KEY' });
    await submit(key, 'b', { sortKey: '😀'.repeat(16) });
    await submit(key, 'a', { sortName: `${'é'.repeat(199)}zz` });
    expect(await orderOf(key)).toEqual(['a', 'b']);
  });

  it('whole numbers of 64 bits are on a board of numbers', async () => {
    const key = await app.api.createBoard({ tieBreak: 'SORT_KEY', sortKeyType: 'INTEGER', sortKeyOrder: 'DESCENDING' });
    const numbers = ['-9223372036854775808', '-10', '-9', '+9', '010', '9223372036854775807'];
    for (const sortKey of numbers) await submit(key, sortKey, { sortKey });
    expect(await orderOf(key)).toEqual(numbers.toReversed());
  });
});

describe('member ids', () => {
  it('are 1 to 128 bytes of any text without control characters, and keep their places', async () => {
    const key = await app.api.createBoard();
    const ids = ['a', 'a b', 'é', 'e\u0301', '李', '😀', '~', '"\\', '\u{10ffff}', 'x'.repeat(128), '😀'.repeat(32)];
    for (const memberId of ids) await submit(key, memberId, {});
    expect(await orderOf(key)).toEqual(ids.toSorted((a, b) => Buffer.compare(Buffer.from(b), Buffer.from(a))));
    for (const memberId of ['', '\ud83d', '\ude00a', 'a\n', '\u0085', 'x'.repeat(129), '😀'.repeat(33)]) {
      const input = { leaderboard: key, memberId, score: 5 };
      expect(await mutationCode(app.api, 'submitScore', input), JSON.stringify(memberId)).toBe('BAD_MEMBER_ID');
    }
  });
});
