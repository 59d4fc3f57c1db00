import { afterAll, beforeAll, inject } from 'vitest';
import { startApp } from '../../src/app.ts';
import { openRedis } from '../../src/redis/redis.ts';
import { adminKey, testConfig } from './app.ts';
import { Api } from './graphql-client.ts';

export interface ClockedApp {
  readonly api: Api;
  readonly url: string;
  /** Moves the clock of the app to an instant: ISO text or epoch milliseconds. */
  at(instant: string | number): void;
}

/** An app for the whole file of tests that asks for it, whose clock stands still until it is moved; it closes nothing by itself. */
export function clockedApp(start: string | number = Date.now()): ClockedApp {
  let opened: (ClockedApp & { close(): Promise<void> }) | undefined;
  const app = () => {
    if (!opened) throw new Error('the app is there only while tests run');
    return opened;
  };
  beforeAll(async () => {
    opened = await openClockedApp(start);
  });
  afterAll(() => opened?.close());
  return {
    get api() {
      return app().api;
    },
    get url() {
      return app().url;
    },
    at: (instant) => app().at(instant),
  };
}

async function openClockedApp(start: string | number) {
  let now = new Date(start).getTime();
  const app = await startApp(testConfig(), { background: false, clock: () => now });
  return {
    api: new Api(app.url, adminKey),
    url: app.url,
    at: (instant: string | number) => {
      now = new Date(instant).getTime();
    },
    close: app.close,
  };
}

/** Lets Redis go of a closed period, as the end of its retention does. */
export async function release(key: string, period: string): Promise<void> {
  const redis = await openRedis(inject('redisUrl'), { warn() {}, info() {} }, () => {});
  try {
    const board = await redis.definitions.find(key);
    if (!board) throw new Error(`there is no board ${key}`);
    await redis.periods.release(board, period, Number.MAX_SAFE_INTEGER);
  } finally {
    await redis.close();
  }
}

/** A board with scores of the day that holds an instant, sent at that instant. */
export async function dailyBoardAt(app: ClockedApp, instant: string, rules: object = {}): Promise<string> {
  app.at(instant);
  const key = await app.api.createBoard({ cadences: ['DAILY'], ...rules });
  await app.api.scores(key, { ann: 5, bob: 5, cleo: 3 });
  return key;
}
