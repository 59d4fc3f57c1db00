import type { Boards } from './boards.ts';
import type { Leaderboard } from './leaderboard.ts';
import type { EntryStore } from './ports.ts';

/** What the builder tells as it goes. */
export interface BuildLog {
  info(fields: object, message: string): void;
}

/**
 * Builds the index of distinct scores that dense ranks need, on boards that turned it on while they had entries.
 * From the moment it is turned on every write keeps it for the scores it touches; the builder adds the rest in bounded
 * steps, from where it left off. Dense ranks are shown when every period is complete, so that none is ever wrong (R4).
 */
export class DenseIndex {
  readonly #boards: Boards;
  readonly #entries: EntryStore;
  readonly #log: BuildLog;
  readonly #building = new Map<string, Promise<void>>();
  #stopped = false;

  constructor(boards: Boards, entries: EntryStore, log: BuildLog) {
    this.#boards = boards;
    this.#entries = entries;
    this.#log = log;
  }

  /** Ends after the step under way; another start goes on from there. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.allSettled(this.#building.values());
  }

  /** Builds what any board still lacks: for the start of a process, and now and then in case another one died. */
  async resume(): Promise<void> {
    const troubles: unknown[] = [];
    for await (const key of this.#boards.keys()) {
      // One board's trouble is not another's.
      try {
        const board = await this.#boards.find(key);
        if (board && isLacking(board)) await this.build(key);
      } catch (error) {
        troubles.push(error);
      }
    }
    if (troubles.length > 0) throw troubles[0];
  }

  /** Builds one board's index, if it lacks one. Harmless while another process does the same. */
  build(key: string): Promise<void> {
    const building =
      this.#building.get(key) ??
      this.#buildBoard(key).finally(() => {
        this.#building.delete(key);
      });
    this.#building.set(key, building);
    return building;
  }

  async #buildBoard(key: string): Promise<void> {
    for (let steps = 1; !this.#stopped; steps += 1) {
      const more = await this.#boards.with(key, (board) => this.#step(board));
      if (!more) return;
      if (steps % 100 === 0) this.#log.info({ leaderboard: key, steps }, 'building the dense index');
    }
  }

  /** One step of the first period that is not complete; when all are, dense ranks are switched on. */
  async #step(board: Leaderboard): Promise<boolean> {
    if (!isLacking(board)) return false;
    const [periods, built] = await this.#built(board);
    const next = periods.find((period) => built.get(period) !== 'DONE');
    if (next !== undefined) {
      while (!this.#stopped && (await this.#entries.indexStep(board, next)));
      return true;
    }
    await this.#boards.finishDenseIndex(board);
    this.#log.info({ leaderboard: board.key }, 'the dense index is complete');
    return false;
  }

  /** How much of a board's index is built: 0 to 1; null where it keeps none. Three readings of its own at most. */
  progress({ key }: Leaderboard): Promise<number | null> {
    return this.#boards.with(key, (board) => this.#progressOf(board));
  }

  async #progressOf(board: Leaderboard): Promise<number | null> {
    if (!isLacking(board)) return board.denseReady ? 1 : null;
    const [periods, built, closed] = await this.#built(board);
    // Of a closed one its record tells enough: Redis may have let go of it.
    const open = periods.filter((period) => !closed.has(period));
    const heads = await this.#entries.read(
      board,
      open.map((period) => ({ period, read: { kind: 'head' } as const })),
    );
    const begun = open.filter((period) => (built.get(period) ?? 'DONE') !== 'DONE');
    const reached = await this.#entries.read(
      board,
      begun.map((period) => ({ period, read: { kind: 'position', score: built.get(period) ?? '0' } as const })),
    );
    const count = (period: string) => closed.get(period)?.entryCount ?? heads[open.indexOf(period)]?.entryCount ?? 0;
    const sum = (counts: readonly number[]) => counts.reduce((total, one) => total + one, 0);
    const complete = periods.filter((period) => built.get(period) === 'DONE').map(count);
    const partly = reached.map(({ better, ties }) => better + ties);
    // Showing the ranks is the last step: 1 is said only once they are shown.
    return (sum(complete) + sum(partly)) / (sum(periods.map(count)) + 1);
  }

  #built(board: Leaderboard) {
    return this.#entries.read(board, [
      { period: 'all', read: { kind: 'periods' } },
      { period: 'all', read: { kind: 'indexing' } },
      { period: 'all', read: { kind: 'closed' } },
    ]);
  }
}

const isLacking = (board: Leaderboard) => board.denseRanks && !board.denseReady;
