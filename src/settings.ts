import { adminKeyPattern } from './admin-key.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Setting<T> {
  readonly name: string;
  /** As it would be written in the environment; null where the setting has no default. */
  readonly default: string | null;
  readonly description: string;
  /** What to do instead, for a text that `parse` does not take. */
  readonly expected: string;
  /** A secret's value is never repeated in a problem. */
  readonly secret?: true;
  /** Undefined when the text is not acceptable. */
  parse(text: string): T | undefined;
}

/** Every setting there is, in the order in which the README lists them. */
export const settings = {
  host: {
    name: 'HOST',
    default: '127.0.0.1',
    description: 'Address to listen on. `0.0.0.0` or `::` for every interface.',
    expected: 'an IP address or a host name',
    parse: matching(/^[\w.:%-]+$/),
  },
  port: {
    name: 'PORT',
    default: '4000',
    description: 'Port to listen on. `0` for any free one.',
    expected: 'a whole number from 0 to 65535',
    parse: integerBetween(0, 65_535),
  },
  redisUrl: {
    name: 'REDIS_URL',
    default: null,
    description:
      'Redis or Valkey 7.0 or newer: `redis://`, `rediss://` (TLS) or `unix:///path/to/socket`; of a Cluster any node. Unset: Laurel runs a private server, with its data under `DATA_DIR`.',
    expected:
      'redis://[user:password@]host[:port][/database], the same with rediss://, or unix:///path, without keyPrefix',
    secret: true,
    parse: parseRedisUrl,
  },
  dataDir: {
    name: 'DATA_DIR',
    default: './data',
    description:
      'Directory for what Laurel keeps itself: the private server’s data, the embedded archive and the generated API key.',
    expected: 'a path',
    parse: matching(/^[^\0]+$/),
  },
  adminApiKey: {
    name: 'ADMIN_API_KEY',
    default: null,
    description:
      'Key for writing and administration, sent as `Authorization: Bearer …`. Required when `NODE_ENV` is `production`; elsewhere one is made, printed once and kept in `DATA_DIR`.',
    expected: 'a key of 16 to 256 printable ASCII characters without spaces; `openssl rand -hex 24` makes one',
    secret: true,
    parse: matching(adminKeyPattern),
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    description: `How much is logged: ${logLevels.map((level) => `\`${level}\``).join(', ')}.`,
    expected: `one of ${logLevels.join(', ')}`,
    parse: (text) => logLevels.find((level) => level === text),
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    default: null,
    description:
      'PostgreSQL for the archive of closed periods: `postgres://…`. Unset: an embedded database under `DATA_DIR`, for one process.',
    expected: 'postgres://[user:password@]host[:port]/database',
    secret: true,
    parse: parseDatabaseUrl,
  },
  profileUrl: {
    name: 'PROFILE_URL',
    default: null,
    description:
      'Your own endpoint for members’ profiles, asked with a POST of ids. Unset: profiles are kept in Redis.',
    expected: 'an http:// or https:// URL without a user or password',
    secret: true,
    parse: parseProfileUrl,
  },
  profileTimeoutMs: {
    name: 'PROFILE_TIMEOUT_MS',
    default: '1000',
    description: 'Milliseconds to wait for `PROFILE_URL` before entries are shown without names.',
    expected: 'a whole number from 1 to 60000',
    parse: integerBetween(1, 60_000),
  },
  nodeEnv: {
    name: 'NODE_ENV',
    default: 'development',
    description: '`production` makes `ADMIN_API_KEY` required.',
    expected: 'one of development, test, production',
    parse: matching(/^(development|test|production)$/),
  },
} satisfies Record<string, Setting<unknown>>;

function matching(pattern: RegExp): (text: string) => string | undefined {
  return (text) => (pattern.test(text) ? text : undefined);
}

function integerBetween(minimum: number, maximum: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= maximum ? value : undefined;
  };
}

/** Null unless all parts of it can be decoded too, which a URL with a stray % passes for only until it is used. */
function urlOf(text: string): URL | null {
  try {
    decodeURIComponent(text);
    return new URL(text);
  } catch {
    return null;
  }
}

function parseRedisUrl(text: string): string | undefined {
  const url = urlOf(text);
  // A key prefix would part the keys that scripts build from those that Laurel sends.
  if (url === null || url.searchParams.has('keyPrefix')) return undefined;
  if (url.protocol === 'unix:') {
    return url.host === '' && url.pathname.length > 1 ? decodeURIComponent(url.pathname) + url.search : undefined;
  }
  const isRedis = url.protocol === 'redis:' || url.protocol === 'rediss:';
  return isRedis && url.hostname !== '' && /^(\/\d*)?$/.test(url.pathname) ? text : undefined;
}

function parseDatabaseUrl(text: string): string | undefined {
  const url = urlOf(text);
  return url?.protocol === 'postgres:' || url?.protocol === 'postgresql:' ? text : undefined;
}

function parseProfileUrl(text: string): string | undefined {
  const url = urlOf(text);
  // fetch() refuses credentials in a URL.
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  return url.protocol === 'http:' || url.protocol === 'https:' ? text : undefined;
}
