import { type Logger, pino } from 'pino';
import { lazyArchive, openArchive } from './archive/archive.ts';
import type { Config } from './config.ts';
import { Boards } from './core/boards.ts';
import { Closing } from './core/closing.ts';
import { DenseIndex } from './core/dense-index.ts';
import { History } from './core/history.ts';
import { Past } from './core/past.ts';
import type { Clock } from './core/ports.ts';
import { Scoring } from './core/scoring.ts';
import { Seasons } from './core/seasons.ts';
import { every } from './every.ts';
import { Metrics } from './http/metrics.ts';
import { HttpProfiles } from './http/profile-source.ts';
import { serveHttp } from './http/server.ts';
import { Hub } from './live/hub.ts';
import { openRedis } from './redis/redis.ts';

export interface AppConfig extends Config {
  readonly redisUrl: string;
  readonly adminApiKey: string;
}

/** What a test may put in place of the real thing. */
interface Replacements {
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** False: nothing is closed or built unless asked for, so that what a test counts is its own. */
  readonly background?: boolean;
}

export interface App {
  /** Base address of the HTTP server. */
  readonly url: string;
  /** What is watched now: all 0 when nobody looks. */
  readonly counts: Hub['counts'];
  /** Whether the store holds no board yet. */
  isEmpty(): Promise<boolean>;
  /** Drains: nothing that was accepted is lost. */
  close(): Promise<void>;
}

/** How often a process looks for dense indexes that another one left unfinished. */
const denseResumeMs = 60_000;

/** How soon after its edge a period is closed, at the most, where nothing else is to do. */
const closingRoundMs = 1_000;

/** One line for each failure of a background task: it goes on. */
const tell = (logger: Logger, message: string) => (error: unknown) => logger.warn({ err: error }, message);

/** Puts Laurel together and serves it. Throws within seconds where Redis cannot be reached or is too old. */
export async function startApp(config: AppConfig, replacements: Replacements = {}): Promise<App> {
  const logger = replacements.logger ?? pino({ level: config.logLevel });
  const clock = replacements.clock ?? Date.now;
  let storeErrors = 0;
  const redis = await openRedis(config.redisUrl, logger, () => {
    storeErrors += 1;
  });
  const boards = new Boards(redis.definitions);
  const archive = lazyArchive(() => openArchive({ url: config.databaseUrl, dataDir: config.dataDir }));
  // A database that was named is brought up to date at the start; what lives does not wait for it.
  if (config.databaseUrl !== null) archive.open().catch(tell(logger, 'the archive cannot be opened yet'));
  const entries = new History(redis.entries, archive);
  const hub = new Hub({ boards, entries, bus: redis.bus, log: redis.log }, clock);
  const profiles = config.profileUrl === null ? redis.profiles : httpProfiles(config.profileUrl, config, logger);
  const metrics: Metrics = new Metrics({
    hub,
    websockets: () => http.websockets.count(),
    subscriptions: () => http.subscriptions(),
    storeUp: redis.up,
    storeErrors: () => storeErrors,
  });
  const denseIndex = new DenseIndex(boards, entries, logger);
  const closing = new Closing({ boards, periods: redis.periods, entries, archive, clock, log: logger });
  const services = {
    boards,
    scoring: new Scoring(boards, entries, clock),
    entries,
    profiles,
    profileStore: config.profileUrl === null ? redis.profiles : null,
    hub,
    denseIndex,
    seasons: new Seasons(boards, clock),
    closing,
    past: new Past(boards, redis.periods, entries, archive, clock),
    clock,
  };
  const http = await serveHttp({ ...config, services, metrics, logger, ready: redis.ready }).catch(async (error) => {
    await redis.close();
    throw error;
  });
  const { background = true } = replacements;
  const indexing =
    background && every(denseResumeMs, () => denseIndex.resume(), tell(logger, 'the dense index is not built on'));
  const rounds = background && every(closingRoundMs, () => closing.round(), tell(logger, 'periods are not closed'));
  return {
    url: http.url,
    counts: () => ({ ...hub.counts(), subscribers: http.subscriptions() }),
    isEmpty: async () => (await boards.count()) === 0,
    close: async () => {
      closing.stop();
      await http.close();
      await Promise.all([rounds ? rounds.stop() : null, indexing ? indexing.stop() : null, denseIndex.stop()]);
      await archive.close();
      await redis.close();
    },
  };
}

const httpProfiles = (url: string, { profileTimeoutMs }: Config, logger: Logger) =>
  new HttpProfiles(url, profileTimeoutMs, (reason) => {
    logger.warn({ reason }, 'profiles are missing: the endpoint at PROFILE_URL failed');
  });
