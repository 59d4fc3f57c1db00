import { LaurelError } from './errors.ts';
import { checkKey, immutableRules, type Leaderboard, type LeaderboardInput, makeRules } from './leaderboard.ts';
import { type DefinitionStore, StaleBoard } from './ports.ts';

/** Attempts at a write or read that meets a definition changed meanwhile. */
const attempts = 4;

/** Boards: what they are, and doing something with one as it is now. */
export class Boards {
  readonly #definitions: DefinitionStore;

  constructor(definitions: DefinitionStore) {
    this.#definitions = definitions;
  }

  /** Null for a board that does not exist, and for what cannot be a key. From memory as a rule. */
  async find(key: string): Promise<Leaderboard | null> {
    return /^[a-z0-9][a-z0-9_-]{0,63}$/.test(key) ? this.#definitions.find(key) : null;
  }

  /** Throws LEADERBOARD_NOT_FOUND. */
  async get(key: string): Promise<Leaderboard> {
    const board = await this.#definitions.find(checkKey(key));
    if (board) return board;
    throw new LaurelError('LEADERBOARD_NOT_FOUND', `There is no leaderboard ${key}; create it first.`);
  }

  /** Runs `use` with the board, again with a fresh one where the store says that the definition is no longer so. */
  async with<T>(key: string, use: (board: Leaderboard) => Promise<T>): Promise<T> {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      try {
        return await use(await this.get(key));
      } catch (error) {
        if (!(error instanceof StaleBoard)) throw error;
        this.#definitions.forget(key);
      }
    }
    throw new LaurelError('LEADERBOARD_CHANGED', `Leaderboard ${key} keeps changing; read it again and retry.`);
  }

  create(key: string, input: LeaderboardInput): Promise<Leaderboard> {
    return this.#definitions.create(checkKey(key), makeRules(key, input));
  }

  update(key: string, input: LeaderboardInput): Promise<Leaderboard> {
    return this.change(key, () => input);
  }

  /** Changes a board by what its rules are at that moment. */
  change(key: string, make: (board: Leaderboard) => LeaderboardInput): Promise<Leaderboard> {
    return this.with(key, async (board) => {
      const rules = makeRules(key, make(board), board);
      const changed = immutableRules.find((rule) => String(rules[rule]) !== String(board[rule]));
      if (changed) {
        throw new LaurelError('BAD_INPUT', `${changed} cannot change while a leaderboard lives; create another one.`);
      }
      return this.#definitions.update(board, rules);
    });
  }

  /** Lets a board show dense ranks, now that its index of distinct scores is complete. */
  async finishDenseIndex(board: Leaderboard): Promise<void> {
    await this.#definitions.update(board, { ...board, denseReady: true });
  }

  remove(key: string): Promise<Leaderboard> {
    return this.with(key, async (board) => {
      await this.#definitions.remove(board);
      return board;
    });
  }

  /** Boards in the order of their keys, at most `count`; `more` says whether others follow in that direction. */
  async list(page: { after: string | null; before: string | null; count: number; fromEnd: boolean }) {
    const keys = await this.#definitions.keys({ ...page, count: page.count + 1 });
    const more = keys.length > page.count;
    const shown = page.fromEnd ? keys.slice(more ? 1 : 0) : keys.slice(0, page.count);
    const boards = await Promise.all(shown.map((key) => this.#definitions.find(key)));
    return { boards: boards.filter((board) => board !== null), more };
  }

  count(): Promise<number> {
    return this.#definitions.count();
  }

  /**
   * The key of every board, one after another; perhaps also of one that is gone by now. Who finds each board itself is
   * not kept from the others by one that cannot be read.
   */
  async *keys(): AsyncGenerator<string> {
    const count = 100;
    for (let after: string | null = null; ; ) {
      const page = await this.#definitions.keys({ after, before: null, count, fromEnd: false });
      yield* page;
      after = page.at(-1) ?? null;
      if (page.length < count) return;
    }
  }

  /** Every board, one after another. */
  async *all(): AsyncGenerator<Leaderboard> {
    for await (const key of this.keys()) {
      const board = await this.find(key);
      if (board) yield board;
    }
  }
}
