import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { checkCount, pageSize } from '../../src/graphql/paging.ts';
import { refusalOf } from '../support/refusal.ts';

describe('P6: page sizes', () => {
  it('are 20 by default, and what was asked for up to the limit', () => {
    expect(pageSize({})).toEqual({ first: 20, last: null });
    expect(pageSize({ first: null, last: null })).toEqual({ first: 20, last: null });
    expect(pageSize({ first: 0 })).toEqual({ first: 0, last: null });
    expect(pageSize({ last: 0 })).toEqual({ first: null, last: 0 });
    expect(pageSize({ first: limits.pageSize })).toEqual({ first: limits.pageSize, last: null });
    expect(pageSize({ last: limits.pageSize })).toEqual({ first: null, last: limits.pageSize });
  });

  it.each(['first', 'last'] as const)('over the limit are an error, not a silent cut: %s', async (side) => {
    expect(await refusalOf(() => pageSize({ [side]: limits.pageSize + 1 }))).toBe('PAGE_TOO_LARGE');
    expect(await refusalOf(() => pageSize({ [side]: -1 }))).toBe('BAD_PAGE');
  });

  it('exclude each other', async () => {
    expect(await refusalOf(() => pageSize({ first: 1, last: 1 }))).toBe('BAD_PAGE');
    expect(await refusalOf(() => pageSize({ first: 0, last: 0 }))).toBe('BAD_PAGE');
  });

  it('hold for other counts', async () => {
    expect(checkCount(limits.pageSize, 'above')).toBe(limits.pageSize);
    expect(await refusalOf(() => checkCount(limits.pageSize + 1, 'above'))).toBe('PAGE_TOO_LARGE');
    expect(await refusalOf(() => checkCount(-1, 'above'))).toBe('BAD_PAGE');
  });
});
