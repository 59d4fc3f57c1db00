import { LaurelError } from '../core/errors.ts';
import {
  type Leaderboard,
  type LeaderboardRules,
  rankMethods,
  scorePolicies,
  sortKeyOrders,
  sortKeyTypes,
  sortOrders,
  tieBreaks,
} from '../core/leaderboard.ts';
import { cadences } from '../core/period.ts';
import { type DefinitionStore, StaleBoard } from '../core/ports.ts';
import type { DataConnection } from './connection.ts';
import { fenceOf, readFence } from './fence.ts';
import { asList } from './fenced.ts';
import { channels, keys, periodKeys } from './keys.ts';

/** Definitions remembered in this process at the most. */
const rememberedBoards = 10_000;

/** Board definitions as Redis hashes, remembered in this process for as long as changes to them are heard of. */
export class RedisDefinitions implements DefinitionStore {
  readonly #connection: DataConnection;
  readonly #remembered = new Map<string, Leaderboard>();
  /** Counts what made remembered definitions doubtful, so that one loaded before that is not remembered after. */
  #doubts = 0;
  #listening = false;

  constructor(connection: DataConnection) {
    this.#connection = connection;
  }

  /** Says whether changes made elsewhere are being heard: without that nothing is remembered. */
  listening(on: boolean): void {
    this.#listening = on;
    this.#doubts += 1;
    this.#remembered.clear();
  }

  forget(key: string): void {
    this.#doubts += 1;
    this.#remembered.delete(key);
  }

  async find(key: string): Promise<Leaderboard | null> {
    const remembered = this.#remembered.get(key);
    if (remembered) return remembered;
    const doubts = this.#doubts;
    const board = await this.#load(key);
    if (board && this.#listening && doubts === this.#doubts) {
      if (this.#remembered.size >= rememberedBoards) this.#remembered.clear();
      this.#remembered.set(key, board);
    }
    return board;
  }

  async #load(key: string): Promise<Leaderboard | null> {
    const runId = await this.#connection.runId(keys.definition(key));
    const load = () => this.#connection.command((redis) => redis.hgetall(keys.definition(key)));
    const fields = await load();
    if (Object.keys(fields).length === 0) return null;
    if (!fields.fence) throw new Error(`${keys.definition(key)} holds no fence: written by another Laurel?`);
    const known = readFence(fields.fence);
    if (known.runId === runId) return decodeBoard(key, fields);
    const renewed = fenceOf({ epoch: randomId(), version: known.version }, runId);
    await this.#connection.script('renew', [keys.definition(key)], [fields.fence, renewed], asList);
    return decodeBoard(key, await load());
  }

  keys(page: { after: string | null; before: string | null; count: number; fromEnd: boolean }): Promise<string[]> {
    const low = page.after === null ? '-' : `(${page.after}`;
    const high = page.before === null ? '+' : `(${page.before}`;
    return this.#connection.command(async (redis) => {
      if (!page.fromEnd) return redis.zrangebylex(keys.boards, low, high, 'LIMIT', 0, page.count);
      return (await redis.zrevrangebylex(keys.boards, high, low, 'LIMIT', 0, page.count)).reverse();
    });
  }

  count(): Promise<number> {
    return this.#connection.command((redis) => redis.zcard(keys.boards));
  }

  async create(key: string, rules: LeaderboardRules): Promise<Leaderboard> {
    const runId = await this.#connection.runId(keys.definition(key));
    const board: Leaderboard = { ...rules, key, version: 1, incarnation: randomId(), epoch: randomId() };
    // Listed first: a list shows only what has a definition, so a crash in between leaves nothing wrong.
    await this.#connection.command((redis) => redis.zadd(keys.boards, 0, key));
    // First what every script asks for: a small hash is searched from its beginning.
    const fields = { fence: fenceOf(board, runId), incarnation: board.incarnation, ...encodeBoard(board) };
    const [status] = await this.#connection.script(
      'create',
      [keys.definition(key)],
      Object.entries(fields).flat(),
      asList,
    );
    if (status === 'EXISTS') {
      throw new LaurelError(
        'LEADERBOARD_EXISTS',
        `Leaderboard ${key} exists already; update it, or choose another key.`,
      );
    }
    // Again: whoever deleted the one before may have taken it off the list in between.
    await this.#connection.command((redis) => redis.zadd(keys.boards, 0, key));
    return board;
  }

  async update(board: Leaderboard, rules: LeaderboardRules): Promise<Leaderboard> {
    const runId = await this.#connection.runId(keys.definition(board.key));
    const next: Leaderboard = { ...board, ...rules, version: board.version + 1 };
    // A dense index begins empty and goes with the rule, in the step that changes it.
    const drops = board.denseRanks !== rules.denseRanks;
    const periods = drops ? await this.#periods(board.key) : [];
    const [status] = await this.#connection.script(
      'update',
      [
        keys.definition(board.key),
        keys.periods(board.key),
        ...(drops
          ? [
              ...periods.flatMap((period) => [keys.meta(board.key, period), keys.distinct(board.key, period)]),
              keys.dense(board.key),
            ]
          : []),
      ],
      [
        fenceOf(board, runId),
        fenceOf(next, runId),
        channels.definitions,
        board.key,
        drops ? periods.length : '',
        ...Object.entries(encodeBoard(next)).flat(),
      ],
      asList,
    );
    this.forget(board.key);
    if (status !== 'OK') throw new StaleBoard();
    return next;
  }

  #periods(key: string): Promise<string[]> {
    return this.#connection.command((redis) => redis.hkeys(keys.periods(key)));
  }

  /** Copies of periods too: they are kept until their time is over. */
  #kept(key: string): Promise<string[]> {
    return this.#connection.command((redis) => redis.zrange(keys.kept(key), '0', '-1'));
  }

  async remove(board: Leaderboard): Promise<void> {
    const runId = await this.#connection.runId(keys.definition(board.key));
    const periods = await this.#periods(board.key);
    const all = new Set([...periods, ...(await this.#kept(board.key))]);
    const [status] = await this.#connection.script(
      'delete',
      [
        keys.definition(board.key),
        keys.periods(board.key),
        keys.log(board.key),
        keys.blocks(board.key),
        keys.dense(board.key),
        keys.open(board.key),
        keys.closed(board.key),
        keys.kept(board.key),
        ...[...all].flatMap((period) => periodKeys(board.key, period)),
      ],
      [fenceOf(board, runId), channels.definitions, board.key, periods.length],
      asList,
    );
    this.forget(board.key);
    if (status !== 'OK') throw new StaleBoard();
    const unlist = this.#connection.command(async (redis) => {
      await redis.zrem(keys.boards, board.key);
      // Made anew meanwhile, it was listed before the line above: list it again.
      if (await redis.exists(keys.definition(board.key))) await redis.zadd(keys.boards, 0, board.key);
    });
    // The board is gone all the same, and a list skips names without a board.
    await unlist.catch(() => {});
  }
}

/** 96 random bits: ids of incarnations and epochs travel in every cursor. */
const randomId = () => Buffer.from(crypto.getRandomValues(new Uint8Array(12))).toString('base64url');

/** A board's rules: what its fence and its incarnation do not say. */
function encodeBoard(board: Leaderboard): Record<string, string> {
  const { key: _, version: __, incarnation: ___, epoch: ____, cadences: list, seasons, ...rest } = board;
  const given = Object.entries(rest).map(([field, value]) => [field, value === null ? '' : String(value)]);
  return { ...Object.fromEntries(given), cadences: list.join(' '), seasons: JSON.stringify(seasons) };
}

function decodeBoard(key: string, fields: Record<string, string>): Leaderboard {
  const one = <const T extends string>(field: string, values: readonly T[]): T => {
    const found = values.find((value) => value === fields[field]);
    if (!found) throw new Error(`${keys.definition(key)} holds an unknown ${field}: written by a newer Laurel?`);
    return found;
  };
  const { epoch, version } = readFence(fields.fence ?? '');
  return {
    key,
    version,
    incarnation: fields.incarnation ?? '',
    epoch,
    title: fields.title ?? key,
    sortOrder: one('sortOrder', sortOrders),
    scorePolicy: one('scorePolicy', scorePolicies),
    tieBreak: one('tieBreak', tieBreaks),
    sortKeyType: one('sortKeyType', sortKeyTypes),
    sortKeyOrder: one('sortKeyOrder', sortKeyOrders),
    sortLocale: fields.sortLocale ?? 'en',
    naturalNumbers: fields.naturalNumbers === 'true',
    rankMethod: one('rankMethod', rankMethods),
    denseRanks: fields.denseRanks === 'true',
    denseReady: fields.denseReady === 'true',
    maxEntries: fields.maxEntries ? Number(fields.maxEntries) : null,
    scoreScale: Number(fields.scoreScale),
    minScore: fields.minScore || null,
    maxScore: fields.maxScore || null,
    // In the order given: the first one is what callers get who name none.
    cadences: (fields.cadences ?? '').split(' ').flatMap((name) => cadences.filter((cadence) => cadence === name)),
    timeZone: fields.timeZone ?? 'UTC',
    dayStartMinutes: Number(fields.dayStartMinutes),
    seasons: fields.seasons ? JSON.parse(fields.seasons) : [],
    retentionSeconds: Number(fields.retentionSeconds),
    archive: fields.archive === 'true',
    archiveRetentionSeconds: fields.archiveRetentionSeconds ? Number(fields.archiveRetentionSeconds) : null,
    graceSeconds: Number(fields.graceSeconds),
    backfill: fields.backfill === 'true',
  };
}
