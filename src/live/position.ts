import type { ViewState } from './view.ts';

interface Position {
  readonly period: string;
  readonly epoch: string;
  readonly version: number;
}

/** Where a state or an event stands: opaque to clients. */
export const positionOf = (period: string, { epoch, version }: { epoch: string; version: number }): string =>
  `${period}/${epoch}/${version}`;

/** A position from outside; null for what is none, which stands for nowhere. */
export function parsePosition(text: string): Position | null {
  const [, period = '', epoch = '', version = ''] = /^([^/]{1,96})\/([\w-]{1,64})\/(\d{1,16})$/.exec(text) ?? [];
  return period === '' ? null : { period, epoch, version: Number(version) };
}

/**
 * Whether somebody who had a state at a position need not be sent this one. A view's version is the last one at which
 * it changed, so whoever was at that version or a later one has seen it, on whichever node.
 */
export function hasSeen(position: string, { period, head }: Pick<ViewState, 'period' | 'head'>): boolean {
  const seen = parsePosition(position);
  return seen?.period === period.key && seen.epoch === head.epoch && seen.version >= head.version;
}
