import type { ScoreRow } from './score-rows.ts';

/** Rows that are sent as one step and applied once. Never empty. */
export interface Block {
  readonly from: string;
  readonly to: string;
  readonly rows: readonly ScoreRow[];
}

/**
 * Usable rows in a full block. For good: another number would cut files at other places, and nothing that was imported
 * before would be recognised.
 */
export const blockRows = 250;

export function makeBlock(rows: readonly ScoreRow[]): Block | null {
  const [first] = rows;
  const last = rows.at(-1);
  return first && last ? { from: first.from, to: last.to, rows } : null;
}

/** Cuts after every so many usable rows, whatever has been imported before: the same file gives the same blocks. */
export async function* cutBlocks(rows: AsyncIterable<ScoreRow>): AsyncGenerator<Block> {
  let pending: ScoreRow[] = [];
  for await (const row of rows) {
    pending.push(row);
    if (pending.length < blockRows) continue;
    const block = makeBlock(pending);
    pending = [];
    if (block) yield block;
  }
  const rest = makeBlock(pending);
  if (rest) yield rest;
}

/** Hands on what it takes while the next is being made: the file is read while the service works. */
export async function* oneAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = items.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = items.next();
      // A failure is met when its turn comes, after everything before it was sent.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await next.catch(() => undefined);
    await items.return(undefined);
  }
}
