import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import { Boards } from './core/boards.ts';
import { DenseIndex } from './core/dense-index.ts';
import type { Clock } from './core/ports.ts';
import { Scoring } from './core/scoring.ts';
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

/** Puts Laurel together and serves it. Throws within seconds where Redis cannot be reached or is too old. */
export async function startApp(config: AppConfig, replacements: Replacements = {}): Promise<App> {
  const logger = replacements.logger ?? pino({ level: config.logLevel });
  const clock = replacements.clock ?? Date.now;
  const redis = await openRedis(config.redisUrl, logger, () => metrics.storeError());
  const boards = new Boards(redis.definitions);
  const hub = new Hub({ boards, entries: redis.entries, bus: redis.bus, log: redis.log }, clock);
  const profiles = config.profileUrl === null ? redis.profiles : httpProfiles(config.profileUrl, config, logger);
  const metrics: Metrics = new Metrics({
    hub,
    websockets: () => http.websockets.count(),
    subscriptions: () => http.subscriptions(),
    storeUp: redis.up,
  });
  const denseIndex = new DenseIndex(boards, redis.entries, logger);
  const services = {
    boards,
    scoring: new Scoring(boards, redis.entries, clock),
    entries: redis.entries,
    profiles,
    profileStore: config.profileUrl === null ? redis.profiles : null,
    hub,
    denseIndex,
    clock,
  };
  const http = await serveHttp({ ...config, services, metrics, logger, ready: redis.ready }).catch(async (error) => {
    await redis.close();
    throw error;
  });
  const resume = () =>
    void denseIndex.resume().catch((error: unknown) => logger.warn({ err: error }, 'the dense index is not built on'));
  const resuming = setInterval(resume, denseResumeMs);
  resume();
  return {
    url: http.url,
    counts: () => ({ ...hub.counts(), subscribers: http.subscriptions() }),
    isEmpty: async () => (await boards.count()) === 0,
    close: async () => {
      clearInterval(resuming);
      await http.close();
      await denseIndex.stop();
      await redis.close();
    },
  };
}

const httpProfiles = (url: string, { profileTimeoutMs }: Config, logger: Logger) =>
  new HttpProfiles(url, profileTimeoutMs, (reason) => {
    logger.warn({ reason }, 'profiles are missing: the endpoint at PROFILE_URL failed');
  });
