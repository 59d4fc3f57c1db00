import { LaurelError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';

/** Entries in a page when the caller does not say. */
const defaultPageSize = 20;

export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly last?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly before?: string | null | undefined;
}

/** Exactly one of first and last, within the limits (rule P6). */
export function pageSize({ first, last }: PageArgs): { first: number | null; last: number | null } {
  if (typeof first === 'number' && typeof last === 'number') {
    throw new LaurelError('BAD_PAGE', 'first and last exclude each other; pass one of them.');
  }
  const size = first ?? last ?? defaultPageSize;
  checkCount(size, typeof last === 'number' ? 'last' : 'first');
  return typeof last === 'number' ? { first: null, last } : { first: size, last: null };
}

/** A number of entries, within a page's limit. */
export function checkCount(count: number, name: string): number {
  if (count < 0) throw new LaurelError('BAD_PAGE', `${name} must not be negative.`);
  if (count > limits.pageSize) {
    throw new LaurelError('PAGE_TOO_LARGE', `${name} is ${count}; a page holds at most ${limits.pageSize}.`);
  }
  return count;
}

/** How a list field's cost grows with its page. */
export const pageComplexity = ({ first, last }: PageArgs) => ({
  field: 1,
  multiplier: Math.max(1, first ?? last ?? defaultPageSize),
});
