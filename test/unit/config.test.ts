import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';
import { settings } from '../../src/settings.ts';

function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('an empty environment', () => {
  const defaults = {
    host: '127.0.0.1',
    port: 4000,
    redisUrl: null,
    dataDir: './data',
    adminApiKey: null,
    logLevel: 'info',
    databaseUrl: null,
    profileUrl: null,
    profileTimeoutMs: 1000,
  };

  test('gives the defaults', () => {
    expect(readConfig({})).toEqual(defaults);
  });

  test('is the same as one of empty values, which is what docker compose passes for unset ones', () => {
    const empty = Object.fromEntries(Object.values(settings).map(({ name }) => [name, '']));
    expect(readConfig(empty)).toEqual(defaults);
  });
});

test('every setting is read from its variable', () => {
  const env = {
    HOST: '0.0.0.0',
    PORT: '0',
    REDIS_URL: 'rediss://user:secret@redis.example:6380/2',
    DATA_DIR: '/var/lib/laurel',
    ADMIN_API_KEY: '0123456789abcdef',
    LOG_LEVEL: 'silent',
    DATABASE_URL: 'postgres://laurel:secret@db.example/laurel',
    PROFILE_URL: 'https://people.example/profiles?v=1',
    PROFILE_TIMEOUT_MS: '250',
    NODE_ENV: 'production',
  };
  expect(Object.keys(env)).toEqual(Object.values(settings).map(({ name }) => name));
  expect(readConfig(env)).toEqual({
    host: '0.0.0.0',
    port: 0,
    redisUrl: 'rediss://user:secret@redis.example:6380/2',
    dataDir: '/var/lib/laurel',
    adminApiKey: '0123456789abcdef',
    logLevel: 'silent',
    databaseUrl: 'postgres://laurel:secret@db.example/laurel',
    profileUrl: 'https://people.example/profiles?v=1',
    profileTimeoutMs: 250,
  });
});

describe('mistakes', () => {
  test('are all reported at once, each with what to do', () => {
    const env = {
      HOST: 'not a host',
      PORT: '70000',
      REDIS_URL: 'http://redis',
      DATA_DIR: 'a\0b',
      ADMIN_API_KEY: 'short',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://db',
      PROFILE_URL: 'ftp://people',
      PROFILE_TIMEOUT_MS: '0',
      NODE_ENV: 'prod',
    };
    const problems = problemsOf(env);
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(Object.keys(env));
    for (const problem of problems) expect(problem).toMatch(/ Set it to .+\.$/);
    expect(problems[1]).toBe('PORT cannot be "70000". Set it to a whole number from 0 to 65535.');
  });

  test('stand one to a line in the message', () => {
    expect(() => readConfig({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(
      /^The configuration .*:\n {2}PORT .*\n {2}LOG_LEVEL .*$/,
    );
  });

  test.each([
    ['REDIS_URL', 'redis://:hunter2hunter2@host/x'],
    ['ADMIN_API_KEY', 'hunter2hunter2 with spaces'],
    ['PROFILE_URL', 'ftp://user:hunter2hunter2@people'],
  ])('in %s do not repeat the secret in it', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems.join()).not.toContain('hunter2');
  });
});

test.each(['', '-1', '1.5', '0x10', '1e3', ' 1', '65536', '99999999999999999999'])('PORT is not %j', (text) => {
  expect(problemsOf({ PORT: text })).toHaveLength(text === '' ? 0 : 1);
});

describe('REDIS_URL', () => {
  test.each([
    ['redis://localhost', 'redis://localhost'],
    ['redis://:p%40ss@10.0.0.1:6379/3', 'redis://:p%40ss@10.0.0.1:6379/3'],
    ['redis://[::1]:6379/', 'redis://[::1]:6379/'],
    // The client knows sockets by their bare path only.
    ['unix:///run/redis/my%20redis.sock?db=2', '/run/redis/my redis.sock?db=2'],
  ])('takes %s', (text, expected) => {
    expect(readConfig({ REDIS_URL: text }).redisUrl).toBe(expected);
  });

  test.each([
    'localhost:6379',
    '/run/redis.sock',
    'redis://',
    'redis://host/zero',
    'unix://run/redis.sock',
    'unix:///',
    'redis://host?keyPrefix=app:',
    'unix:///run/redis.sock?keyPrefix=app:',
    'nonsense',
    'unix:///run/100%',
    'redis://:100%@host',
    'unix:///run/%ff',
  ])('does not take %s', (text) => {
    expect(problemsOf({ REDIS_URL: text })).toHaveLength(1);
  });
});

describe('ADMIN_API_KEY', () => {
  test.each(['0123456789abcde', 'x'.repeat(257), 'fifteen chars and spaces', 'ключключключключ', '0123456789abcde\n'])(
    'does not take %j',
    (text) => {
      expect(problemsOf({ ADMIN_API_KEY: text })).toHaveLength(1);
    },
  );

  test('is required in production, and only there', () => {
    expect(problemsOf({ NODE_ENV: 'production' })).toEqual([
      expect.stringMatching(/^ADMIN_API_KEY is required when NODE_ENV is production\. Set it to /),
    ]);
    expect(problemsOf({ NODE_ENV: 'production', ADMIN_API_KEY: '' })).toHaveLength(1);
    expect(problemsOf({ NODE_ENV: 'development' })).toEqual([]);
  });

  test('that is wrong in production is one problem, not two', () => {
    expect(problemsOf({ NODE_ENV: 'production', ADMIN_API_KEY: 'short' })).toHaveLength(1);
  });
});

test('PROFILE_URL does not take a user or password, which fetch refuses later', () => {
  expect(problemsOf({ PROFILE_URL: 'https://user@people.example/' })).toHaveLength(1);
  expect(problemsOf({ PROFILE_URL: 'https://:secret@people.example/' })).toHaveLength(1);
});
