import { tmpdir } from 'node:os';
import { parse } from 'graphql';
import { inject, onTestFinished } from 'vitest';
import { lazyArchive, openArchive } from '../../src/archive/archive.ts';
import { Boards } from '../../src/core/boards.ts';
import { Closing } from '../../src/core/closing.ts';
import { DenseIndex } from '../../src/core/dense-index.ts';
import { History } from '../../src/core/history.ts';
import { Past } from '../../src/core/past.ts';
import type { Clock } from '../../src/core/ports.ts';
import { Scoring } from '../../src/core/scoring.ts';
import { Seasons } from '../../src/core/seasons.ts';
import type { Caller } from '../../src/graphql/access.ts';
import { LiveOperations } from '../../src/graphql/live.ts';
import { maskError } from '../../src/graphql/mask.ts';
import { Hub } from '../../src/live/hub.ts';
import type { Sink } from '../../src/live/sink.ts';
import type { WatchTimes } from '../../src/live/ticker.ts';
import { openRedis } from '../../src/redis/redis.ts';

const log = { warn() {}, info() {} };

/** Live operations on the run's Redis, without a transport. */
export async function openLive({
  times = { tickMs: 10, pollMs: 1_000, staleMs: 2_000 },
  clock = Date.now,
}: {
  times?: WatchTimes;
  clock?: Clock;
} = {}) {
  const redis = await openRedis(inject('redisUrl'), log, () => {});
  onTestFinished(() => redis.close());
  const boards = new Boards(redis.definitions);
  const { periods, profiles, bus, log: events } = redis;
  // Opened by whoever asks it something.
  const archive = lazyArchive(() => openArchive({ url: null, dataDir: tmpdir() }));
  const entries = new History(redis.entries, archive);
  const hub = new Hub({ boards, entries, bus, log: events }, clock, times);
  const services = {
    ...{ boards, entries, profiles, profileStore: profiles, hub, clock },
    scoring: new Scoring(boards, entries, clock),
    denseIndex: new DenseIndex(boards, entries, log),
    seasons: new Seasons(boards, clock),
    closing: new Closing({ boards, periods, entries, archive, clock, log }),
    past: new Past(boards, periods, entries, archive, clock),
  };
  const live = new LiveOperations(services, (error, requestId) => maskError(error, requestId, () => {}));
  const documents = new Map<string, ReturnType<typeof parse>>();
  const subscribe = (
    query: string,
    variables: Readonly<Record<string, unknown>>,
    sink: Sink,
    caller: Caller = 'anonymous',
  ) => {
    const document = documents.get(query) ?? parse(query);
    documents.set(query, document);
    return live.subscribe({ document, operationName: null, variables, caller, requestId: 'test' }, sink);
  };
  return { redis, services, boards, hub, live, subscribe, scoring: services.scoring, profiles };
}

/** Takes everything, or nothing while it is full. */
export class CollectingSink implements Sink {
  readonly frames: Buffer[] = [];
  full = false;
  completed = false;

  get results(): { data: Record<string, unknown>; errors?: unknown }[] {
    return this.frames.map((frame) => JSON.parse(frame.toString()));
  }

  hasRoom(): boolean {
    return !this.full;
  }

  send(result: Buffer): void {
    this.frames.push(result);
  }

  complete(): void {
    this.completed = true;
  }
}
