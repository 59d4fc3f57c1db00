import type { Leaderboard } from '../core/leaderboard.ts';

/**
 * What every script compares, to know that its caller knows the board as it is: it changes with the board's life, its
 * rules, and the Redis process that holds it (rule T5).
 */
export const fenceOf = ({ epoch, version }: Pick<Leaderboard, 'epoch' | 'version'>, runId: string): string =>
  `${epoch}/${version}/${runId}`;

export function readFence(text: string): { epoch: string; version: number; runId: string } {
  const [epoch = '', version = '', runId = ''] = text.split('/');
  return { epoch, version: Number(version), runId };
}
