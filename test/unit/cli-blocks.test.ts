import { describe, expect, it } from 'vitest';
import { blockRows, cutBlocks, oneAhead } from '../../src/cli/import/blocks.ts';
import { chainLink, chainStart } from '../../src/cli/import/chain.ts';
import type { ScoreRow } from '../../src/cli/import/score-rows.ts';
import { limits } from '../../src/core/limits.ts';

const row = { line: 1, text: '', value: () => '', report: () => '' };

async function* rows(count: number): AsyncGenerator<ScoreRow> {
  for (let i = 0; i < count; i += 1) {
    yield { row, score: { memberId: `m${i}`, score: 1 }, from: String(i), to: String(i + 1) };
  }
}

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('places in a file', () => {
  // Changed values would make every import of the past unknown: then the format's version must change too.
  it('are what they have always been', () => {
    expect(chainStart(undefined, '["Ann","7"]')).toBe('UkUq1MoJzNDlKrMtadz7ky');
    expect(chainStart('goals', '["Ann","7"]')).toBe('1oWDw53XI2muxWAKrc5i0c');
    expect(chainLink('a place', 'x')).toBe('Dj4N3-sgGZ3nfF4QadXyiD');
  });

  it('depend on all that stands before them', () => {
    const start = chainStart(undefined, 'a');
    const places = [
      start,
      chainStart(undefined, 'b'),
      chainStart('a', 'x'),
      chainLink(start, 'x'),
      chainLink(start, 'y'),
      chainLink(chainLink(start, 'x'), 'x'),
      chainLink(chainLink(start, 'y'), 'x'),
    ];
    expect(new Set(places).size).toBe(places.length);
    expect(chainStart('a', 'x')).toBe(chainStart('a', 'y'));
  });
});

describe('blocks', () => {
  it.each([
    [0, []],
    [1, [1]],
    [blockRows, [blockRows]],
    [2 * blockRows + 1, [blockRows, blockRows, 1]],
  ])('of %i rows hold %j', async (count, sizes) => {
    const blocks = await gather(cutBlocks(rows(count)));
    expect(blocks.map((block) => block.rows.length)).toEqual(sizes);
    let end = 0;
    for (const block of blocks) {
      expect(block).toMatchObject({ from: String(end), to: String(end + block.rows.length) });
      end += block.rows.length;
    }
  });

  it('are of a size that never changes, and that the service takes', () => {
    expect(blockRows).toBe(250);
    expect(blockRows).toBeLessThanOrEqual(limits.blockSize);
  });
});

describe('oneAhead', () => {
  it('makes one item while the one before is used, and no more', async () => {
    const made: number[] = [];
    async function* items() {
      for (let i = 1; i <= 4; i += 1) {
        made.push(i);
        yield i;
      }
    }
    const seen: [number, number[]][] = [];
    for await (const item of oneAhead(items())) {
      await Promise.resolve();
      seen.push([item, [...made]]);
    }
    expect(seen).toEqual([
      [1, [1, 2]],
      [2, [1, 2, 3]],
      [3, [1, 2, 3, 4]],
      [4, [1, 2, 3, 4]],
    ]);
  });

  it('hands on a failure after everything before it', async () => {
    async function* items() {
      yield 1;
      throw new Error('broken');
    }
    const seen: number[] = [];
    const use = async () => {
      for await (const item of oneAhead(items())) seen.push(item);
    };
    await expect(use()).rejects.toThrow('broken');
    expect(seen).toEqual([1]);
  });

  it('ends what it reads from when its reader stops', async () => {
    let ended = false;
    async function* items() {
      try {
        for (let i = 1; ; i += 1) yield i;
      } finally {
        ended = true;
      }
    }
    for await (const item of oneAhead(items())) if (item === 2) break;
    expect(ended).toBe(true);
  });
});
