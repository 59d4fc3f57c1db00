import { beforeAll, describe, expect, it } from 'vitest';
import { clockedApp } from '../support/clocked-app.ts';
import { naiveRanks } from '../support/naive-ranks.ts';
import { args, type Page, pageOf, readingCode, readPeriod, walkPages } from '../support/period-reader.ts';

interface Node {
  readonly memberId: string;
  readonly score: number;
  readonly rank: number;
  readonly index: number;
}

const fields = 'memberId score rank index';
/** m0 to m39, four to a score: 90, 80 and so on to 0. */
const scores = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`m${i}`, 90 - 10 * Math.floor(i / 4)]));
const order = naiveRanks(scores).map(({ memberId }) => memberId);

const app = clockedApp();
let key: string;

beforeAll(async () => {
  key = await app.api.createBoard();
  await app.api.scores(key, scores);
});

async function list(field: string, given: Record<string, unknown>): Promise<Page<Node>> {
  const answer = await readPeriod<{ list: Page<Node> }>(app.api, key, `list: ${field}${args(given)} ${pageOf(fields)}`);
  return answer.list;
}

const read = <T>(selection: string) => readPeriod<T>(app.api, key, selection);
const code = (selection: string) => readingCode(app.api, key, selection);
const ids = ({ edges }: Page<Node>) => edges.map(({ node }) => node.memberId);
const slice = (from: number, to: number) => order.slice(from, to);

describe('entriesAround', () => {
  const at = (index: number) => order[index];

  it('has so many above and below a member, fewer at both ends, and full windows where asked', async () => {
    const around = (index: number, fill: boolean) =>
      list('entriesAround', { memberId: at(index), above: 2, below: 3, fill });
    for (const [index, bare, full] of [
      [20, slice(18, 24), slice(18, 24)],
      [0, slice(0, 4), slice(0, 6)],
      [1, slice(0, 5), slice(0, 6)],
      [39, slice(37, 40), slice(34, 40)],
      [37, slice(35, 40), slice(34, 40)],
    ] as const) {
      expect(ids(await around(index, false)), `${index}`).toEqual(bare);
      expect(ids(await around(index, true)), `${index} filled`).toEqual(full);
    }
    expect(ids(await list('entriesAround', { memberId: at(20), above: 60, below: 30, fill: true }))).toEqual(order);
  });

  it('stands around the best place of a score that nobody has', async () => {
    const around = (score: number, fill = false) => list('entriesAround', { score, above: 2, below: 3, fill });
    expect(ids(await around(55))).toEqual(slice(14, 19));
    expect(ids(await around(50))).toEqual(slice(14, 19));
    expect([ids(await around(1000)), ids(await around(1000, true))]).toEqual([slice(0, 3), slice(0, 5)]);
    expect([ids(await around(-1)), ids(await around(-1, true))]).toEqual([slice(38, 40), slice(35, 40)]);
  });

  it('is a page of the whole list, to go on from both ways', async () => {
    const page = await list('entriesAround', { memberId: at(20), above: 2, below: 2 });
    const { startCursor, endCursor, ...more } = page.pageInfo;
    expect([more, page.totalCount]).toEqual([{ hasNextPage: true, hasPreviousPage: true }, 40]);
    expect(page.edges.map(({ place, node }) => [place, node.index])).toEqual(
      [18, 19, 20, 21, 22].map((i) => [i + 1, i]),
    );
    const whole = await list('entries', { first: 100 });
    expect(page.edges).toEqual(whole.edges.slice(18, 23));
    const after = await list('entries', { first: 100, after: endCursor });
    const before = await list('entries', { last: 100, before: startCursor });
    expect([...before.edges, ...page.edges, ...after.edges]).toEqual(whole.edges);
    const first = await list('entriesAround', { memberId: at(0), above: 1, below: 1 });
    expect(first.pageInfo).toMatchObject({ hasPreviousPage: false, hasNextPage: true });
  });

  it('is null for who is not ranked, and takes exactly one of member and score, within the limits', async () => {
    expect(await read('entriesAround(memberId: "nobody") { totalCount }')).toEqual({ entriesAround: null });
    const around = (given: object) => code(`entriesAround${args({ ...given })} { totalCount }`);
    expect(await around({})).toBe('BAD_INPUT');
    expect(await around({ memberId: 'm1', score: 1 })).toBe('BAD_INPUT');
    expect(await around({ memberId: 'm1', above: 50, below: 50 })).toBe('PAGE_TOO_LARGE');
    expect(await around({ memberId: 'm1', above: -1 })).toBe('BAD_PAGE');
    expect(await around({ score: 0.5 })).toBe('SCORE_TOO_PRECISE');
    expect(ids(await list('entriesAround', { memberId: at(7), above: 0, below: 0 }))).toEqual(slice(7, 8));
  });
});

describe('entriesRanked', () => {
  it('pages through the whole tie group and no further, either way', async () => {
    const ranked = (page: Record<string, unknown>) => list('entriesRanked', { rank: 9, ...page });
    const whole = await ranked({ first: 100 });
    expect([ids(whole), whole.totalCount]).toEqual([slice(8, 12), 4]);
    expect(whole.edges.map(({ place, node }) => [place, node.rank])).toEqual([1, 2, 3, 4].map((place) => [place, 9]));
    expect(whole.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    for (const size of [1, 3]) {
      expect(await walkPages(ranked, size)).toEqual(whole.edges);
      expect(await walkPages(ranked, size, true)).toEqual(whole.edges);
    }
  });

  it('is empty for a rank that nobody has, and refuses rank 0', async () => {
    for (const rank of [10, 41, 2_000_000_000]) {
      expect(await list('entriesRanked', { rank })).toMatchObject({ edges: [], totalCount: 0 });
    }
    for (const rank of [0, -1]) expect(await code(`entriesRanked(rank: ${rank}) { totalCount }`)).toBe('BAD_INPUT');
  });

  it('goes by the board’s method', async () => {
    const counts = async (rankMethod: string, rank: number) => {
      const other = await app.api.createBoard({ rankMethod });
      await app.api.scores(other, scores);
      const { entriesRanked } = await readPeriod<{ entriesRanked: { totalCount: number; nodes: Node[] } }>(
        app.api,
        other,
        `entriesRanked(rank: ${rank}) { totalCount nodes { rank memberId } }`,
      );
      return [entriesRanked.totalCount, ...entriesRanked.nodes.map((node) => [node.rank, node.memberId])];
    };
    expect(await counts('DENSE', 3)).toEqual([4, ...slice(8, 12).map((memberId) => [3, memberId])]);
    expect(await counts('ORDINAL', 10)).toEqual([1, [10, order[9]]]);
    expect([await counts('DENSE', 11), await counts('ORDINAL', 41)]).toEqual([[0], [0]]);
  });
});

describe('rule R5: parts of a board keep the ranks of the whole', () => {
  it('a range of scores, both ends included, with a place of its own', async () => {
    const window = (given: Record<string, unknown>) => list('entries', { first: 100, ...given });
    const middle = await window({ minScore: 50, maxScore: 70 });
    expect([ids(middle), middle.totalCount]).toEqual([slice(8, 20), 12]);
    expect(middle.edges.map(({ place, node }) => [place, node.rank])).toEqual(
      Array.from({ length: 12 }, (_, i) => [i + 1, 9 + 4 * Math.floor(i / 4)]),
    );
    expect(ids(await window({ minScore: 71 }))).toEqual(slice(0, 8));
    expect(ids(await window({ maxScore: 9 }))).toEqual(slice(36, 40));
    for (const none of [
      { minScore: 91 },
      { maxScore: -1 },
      { minScore: 70, maxScore: 50 },
      { minScore: 51, maxScore: 59 },
    ]) {
      expect(await window(none)).toMatchObject({ edges: [], totalCount: 0, pageInfo: { hasNextPage: false } });
    }
  });

  it('whose pages end where it ends, either way and by number', async () => {
    const window = (page: Record<string, unknown>) => list('entries', { minScore: 50, maxScore: 70, ...page });
    const whole = (await window({ first: 100 })).edges;
    expect(await walkPages(window, 5)).toEqual(whole);
    expect(await walkPages(window, 5, true)).toEqual(whole);
    const numbered = await window({ offset: 5, first: 3 });
    expect(numbered.edges).toEqual(whole.slice(5, 8));
    expect(numbered.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    expect((await window({ offset: 9, first: 3 })).pageInfo).toMatchObject({ hasNextPage: false });
    // Cursors of the whole list mean the same place in it, also outside of it.
    const all = (await list('entries', { first: 100 })).edges;
    expect((await window({ first: 100, after: all[2]?.cursor })).edges).toEqual(whole);
    expect(await window({ first: 100, after: all[30]?.cursor })).toMatchObject({ edges: [], totalCount: 12 });
    expect(ids(await window({ last: 2, before: all[30]?.cursor }))).toEqual(slice(18, 20));
  });

  it('members by name: best first, unknown ones left out without moving the others, twice is once', async () => {
    const memberIds = ['m39', 'nobody', 'm4', 'm0', 'm4', 'm5', 'x'];
    const { entriesOf } = await read<{ entriesOf: { place: number; entry: Node }[] }>(
      `entriesOf(memberIds: ${JSON.stringify(memberIds)}) { place entry { ${fields} } }`,
    );
    expect(entriesOf.map(({ place, entry }) => [place, entry.memberId, entry.rank])).toEqual([
      [1, 'm0', 1],
      [2, 'm5', 5],
      [3, 'm4', 5],
      [4, 'm39', 37],
    ]);
    expect(await read('entriesOf(memberIds: []) { place }')).toEqual({ entriesOf: [] });
    const many = Array.from({ length: 501 }, (_, i) => `m${i}`);
    expect(await code(`entriesOf(memberIds: ${JSON.stringify(many)}) { place }`)).toBe('PAGE_TOO_LARGE');
    expect(await code('entriesOf(memberIds: [""]) { place }')).toBe('BAD_MEMBER_ID');
  });
});

describe('places and figures', () => {
  it('entryAt names every position once, and none past the end', async () => {
    const asked = [0, 9, 39, 40, 2_000_000_000].map(
      (index) => `at${index}: entryAt(index: ${index}) { memberId index }`,
    );
    expect(await read(asked.join(' '))).toEqual({
      at0: { memberId: order[0], index: 0 },
      at9: { memberId: order[9], index: 9 },
      at39: { memberId: order[39], index: 39 },
      at40: null,
      at2000000000: null,
    });
    expect(await code('entryAt(index: -1) { index }')).toBe('BAD_INPUT');
  });

  it('rankOf and scoreFor agree with the list', async () => {
    const rank = (score: number) =>
      read<{ rankOf: object }>(`rankOf(score: ${score}) { rank competitionRank denseRank index tieCount topPercent }`);
    const at = (better: number, tieCount: number) => ({
      rankOf: {
        rank: better + 1,
        competitionRank: better + 1,
        denseRank: null,
        index: better,
        tieCount,
        topPercent: (100 * (better + 1)) / 41,
      },
    });
    expect([await rank(91), await rank(90), await rank(45), await rank(-5)]).toEqual([
      at(0, 0),
      at(0, 4),
      at(20, 0),
      at(40, 0),
    ]);
    expect(await read('a: scoreFor(rank: 1) b: scoreFor(rank: 5) c: scoreFor(rank: 40) d: scoreFor(rank: 41)')).toEqual(
      { a: 90, b: 80, c: 0, d: null },
    );
    expect(await code('scoreFor(rank: 0)')).toBe('BAD_INPUT');
  });

  it.each([1, 2, 3, 7, 10, 91, 100])('a histogram of %d ranges counts every entry once', async (buckets) => {
    const { scoreHistogram } = await read<{ scoreHistogram: { minScore: number; maxScore: number; count: number }[] }>(
      `scoreHistogram(buckets: ${buckets}) { minScore maxScore count }`,
    );
    expect(scoreHistogram.length).toBeLessThanOrEqual(buckets);
    expect(scoreHistogram.reduce((sum, { count }) => sum + count, 0)).toBe(40);
    expect(scoreHistogram[0]?.minScore).toBe(0);
    for (const { minScore, maxScore, count } of scoreHistogram) {
      expect(count).toBe(Object.values(scores).filter((score) => score >= minScore && score <= maxScore).length);
    }
    const widths = new Set(scoreHistogram.map(({ minScore, maxScore }) => maxScore - minScore));
    expect(widths.size).toBe(1);
  });

  it('a histogram of nothing is empty, of one score one range, and its size has a limit', async () => {
    const other = await app.api.createBoard({ scoreScale: 2 });
    const histogram = () => readPeriod(app.api, other, 'scoreHistogram { minScore maxScore count }');
    expect(await histogram()).toEqual({ scoreHistogram: [] });
    await app.api.scores(other, { a: -0.25, b: -0.25 });
    expect(await histogram()).toEqual({ scoreHistogram: [{ minScore: -0.25, maxScore: -0.25, count: 2 }] });
    for (const buckets of [0, 101])
      expect(await code(`scoreHistogram(buckets: ${buckets}) { count }`)).toBe('BAD_INPUT');
  });
});
