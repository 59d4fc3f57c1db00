import { type LogLevel, type Setting, settings } from './settings.ts';

export interface Config {
  readonly host: string;
  /** 0 stands for any free port. */
  readonly port: number;
  /** As the Redis client takes it: a redis:// or rediss:// URL, or the bare path of a socket. Null: run a private server. */
  readonly redisUrl: string | null;
  readonly dataDir: string;
  /** Null only outside production, where a key is made and kept under `dataDir`. */
  readonly adminApiKey: string | null;
  readonly logLevel: LogLevel;
  /** Null: the archive is an embedded database under `dataDir`. */
  readonly databaseUrl: string | null;
  /** Null: profiles are kept in Redis. */
  readonly profileUrl: string | null;
  readonly profileTimeoutMs: number;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['The configuration has mistakes:', ...problems.map((problem) => `  ${problem}`)].join('\n'));
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the whole environment before it complains: throws a ConfigError that lists every problem. Empty means unset. */
export function readConfig(env: Environment): Config {
  const problems = Object.values(settings).flatMap((setting) => problemWith(setting, env) ?? []);
  if (optional(settings.nodeEnv, env) === 'production' && textOf(settings.adminApiKey, env) === null) {
    problems.push(`ADMIN_API_KEY is required when NODE_ENV is production. Set it to ${settings.adminApiKey.expected}.`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    host: required(settings.host, env),
    port: required(settings.port, env),
    redisUrl: optional(settings.redisUrl, env),
    dataDir: required(settings.dataDir, env),
    adminApiKey: optional(settings.adminApiKey, env),
    logLevel: required(settings.logLevel, env),
    databaseUrl: optional(settings.databaseUrl, env),
    profileUrl: optional(settings.profileUrl, env),
    profileTimeoutMs: required(settings.profileTimeoutMs, env),
  };
}

function textOf(setting: Setting<unknown>, env: Environment): string | null {
  return env[setting.name] || setting.default;
}

function problemWith(setting: Setting<unknown>, env: Environment): string | null {
  const text = textOf(setting, env);
  if (text === null || setting.parse(text) !== undefined) return null;
  const given = setting.secret ? 'has a value that cannot be used' : `cannot be ${JSON.stringify(text)}`;
  return `${setting.name} ${given}. Set it to ${setting.expected}.`;
}

function optional<T>(setting: Setting<T>, env: Environment): T | null {
  const text = textOf(setting, env);
  return text === null ? null : (setting.parse(text) ?? null);
}

function required<T>(setting: Setting<T>, env: Environment): T {
  const value = optional(setting, env);
  if (value === null) throw new ConfigError([`${setting.name} is required. Set it to ${setting.expected}.`]);
  return value;
}
