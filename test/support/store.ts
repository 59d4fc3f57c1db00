import { boardPeriodAt } from '../../src/core/calendar.ts';
import type { BoardEvent } from '../../src/core/events.ts';
import { type Leaderboard, type LeaderboardInput, makeRules } from '../../src/core/leaderboard.ts';
import { sortPrefix } from '../../src/core/order.ts';
import type { Cadence } from '../../src/core/period.ts';
import type { PageRead } from '../../src/core/reading.ts';
import type { Block, Outcome, Submission, Submitted } from '../../src/core/submission.ts';
import { DataConnection } from '../../src/redis/connection.ts';
import { RedisDefinitions } from '../../src/redis/definitions.ts';
import { RedisEntries } from '../../src/redis/entries.ts';
import { RedisEventBus } from '../../src/redis/event-bus.ts';
import { decodeMessage } from '../../src/redis/message.ts';
import type { Client } from '../../src/redis/open.ts';
import { RedisProfiles } from '../../src/redis/profiles.ts';

/** All the parts of a store, and the connection under them to see what they left. */
export interface Store {
  readonly definitions: RedisDefinitions;
  readonly entries: RedisEntries;
  readonly profiles: RedisProfiles;
  readonly bus: RedisEventBus;
  readonly redis: Client;
  readonly connection: DataConnection;
  /** Of both connections, in their order. */
  readonly errors: Error[];
  close(): void;
}

/** LAUREL_SCRIPTS, a folder, has the scripts read from there: the mutation check plants its faults in a copy. */
const scriptFolder = process.env.LAUREL_SCRIPTS ? new URL(`file://${process.env.LAUREL_SCRIPTS}/`) : undefined;

export async function openStore(address: string): Promise<Store> {
  const errors: Error[] = [];
  const events = { error: (error: Error) => void errors.push(error) };
  const connection = await DataConnection.open(address, events, scriptFolder);
  const definitions = new RedisDefinitions(connection);
  const bus = new RedisEventBus(address, connection.redis, definitions, events);
  await bus.connect();
  return {
    definitions,
    entries: new RedisEntries(connection),
    profiles: new RedisProfiles(connection),
    bus,
    redis: connection.redis,
    connection,
    errors,
    close() {
      bus.close();
      connection.redis.disconnect();
    },
  };
}

/** A key that no other test uses. */
export const newBoardKey = (): string => `test-${crypto.randomUUID()}`;

export interface SubmissionOptions {
  readonly scorePolicy?: Submission['scorePolicy'];
  readonly occurredAt?: number;
  readonly idempotencyKey?: string;
  readonly fingerprint?: string;
  readonly sortKey?: string;
  readonly metadata?: object;
}

/** A page of all there is, to change. */
export const wholePage: PageRead = {
  kind: 'page',
  window: { kind: 'all' },
  after: null,
  before: null,
  offset: 0,
  first: 1_000_000,
  last: null,
};

/** Noon on a Monday: where nothing is said, everything happens now. */
export const noon: number = Date.UTC(2026, 10, 30, 12);

/** One board in a store, with short words for what tests do to it. Scores are stored integers. */
export class TestBoard {
  readonly store: Store;
  readonly key: string;
  now: number = noon;
  /** As last found. */
  board: Leaderboard;

  constructor(store: Store, board: Leaderboard) {
    this.store = store;
    this.key = board.key;
    this.board = board;
  }

  static async make(store: Store, input: LeaderboardInput = {}, key: string = newBoardKey()): Promise<TestBoard> {
    return new TestBoard(store, await store.definitions.create(key, makeRules(key, input)));
  }

  async find(): Promise<Leaderboard> {
    this.store.definitions.forget(this.key);
    const board = await this.store.definitions.find(this.key);
    if (!board) throw new Error(`${this.key} is gone`);
    this.board = board;
    return board;
  }

  async update(input: LeaderboardInput): Promise<void> {
    this.board = await this.store.definitions.update(this.board, makeRules(this.key, input, this.board));
  }

  /** Score null: only another sort key. */
  submission(memberId: string, score: number | string | null, options: SubmissionOptions = {}): Submission {
    const { scorePolicy = null, occurredAt = this.now, idempotencyKey = null, sortKey, metadata } = options;
    const { cadences } = this.board;
    return {
      id: crypto.randomUUID(),
      memberId,
      score: score === null ? null : String(score),
      sortPrefix: sortPrefix(this.board, { sortKey }),
      metadata: metadata === undefined ? null : JSON.stringify(metadata),
      scorePolicy,
      occurredAt,
      periods: cadences.flatMap((cadence: Cadence) => boardPeriodAt(this.board, cadence, occurredAt) ?? []),
      idempotencyKey,
      fingerprint: options.fingerprint ?? JSON.stringify([memberId, score, scorePolicy, options.occurredAt ?? null]),
    };
  }

  step(submissions: readonly Submission[], block?: Block): Promise<Outcome[]> {
    const step = block && {
      ...block,
      rows: submissions.length,
      positions: submissions.map((_, i) => i + 1),
      refused: [],
    };
    return this.store.entries.submit(this.board, submissions, this.now, step);
  }

  async attempt(memberId: string, score: number | string | null, options?: SubmissionOptions): Promise<Outcome> {
    const [outcome] = await this.step([this.submission(memberId, score, options)]);
    if (!outcome) throw new Error('no outcome');
    return outcome;
  }

  async submit(memberId: string, score: number | string | null, options?: SubmissionOptions): Promise<Submitted> {
    const outcome = await this.attempt(memberId, score, options);
    if ('refused' in outcome) throw new Error(`refused: ${outcome.refused}`);
    return outcome;
  }

  /** Several members in one step. */
  async fill(scores: Readonly<Record<string, number | string>>): Promise<void> {
    await this.step(Object.entries(scores).map(([memberId, score]) => this.submission(memberId, score)));
  }

  async page(read: Partial<PageRead> = {}, period = 'all') {
    const first = read.last === undefined || read.last === null ? 1_000_000 : null;
    const whole: PageRead = { ...wholePage, first };
    const [page] = await this.store.entries.read(this.board, [{ period, read: { ...whole, ...read } }]);
    return page;
  }

  /** The whole order of a period, as `member score`. */
  async order(period = 'all'): Promise<string[]> {
    const { standings } = await this.page({}, period);
    return standings.map(({ memberId, score }) => `${memberId} ${score}`);
  }

  async head(period = 'all') {
    const [head] = await this.store.entries.read(this.board, [{ period, read: { kind: 'head' } }]);
    return head;
  }

  /** Every key of the board in Redis, sorted. */
  async redisKeys(): Promise<string[]> {
    return (await this.store.redis.keys(`lb:{${this.key}}*`)).sort();
  }

  /** All that Redis holds of the board, to compare. */
  async dump(): Promise<Record<string, string | undefined>> {
    const keys = await this.redisKeys();
    const dumps = await Promise.all(keys.map((key) => this.store.redis.dumpBuffer(key)));
    return Object.fromEntries(keys.map((key, i) => [key, dumps[i]?.toString('base64')]));
  }

  /** The messages in the board's log, oldest first. */
  async log(): Promise<readonly BoardEvent[]> {
    const entries = await this.store.redis.xrange(`lb:{${this.key}}#log`, '-', '+');
    return entries.flatMap(([, [, text = '']]) => {
      const events = decodeMessage(text);
      if (!events) throw new Error(`no message: ${text}`);
      return events;
    });
  }
}
