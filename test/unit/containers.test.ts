import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { settings } from '../../src/settings.ts';

interface Service {
  readonly command?: string;
  readonly environment?: Record<string, string>;
  readonly ports?: string[];
  readonly volumes?: string[];
  readonly depends_on?: Record<string, { condition: string }>;
  readonly healthcheck?: { test: string[] };
}

interface Compose {
  readonly services: { readonly laurel: Service; readonly redis: Service };
  readonly volumes: Record<string, unknown>;
}

const read = (name: string) => readFileSync(join(import.meta.dirname, '../..', name), 'utf8');
const variables = Object.values(settings).map(({ name }) => name);

describe('docker-compose.yml', () => {
  const { services, volumes } = parse(read('docker-compose.yml')) as Compose;

  test('refuses to start without a key, and says what one is', () => {
    expect(services.laurel.environment?.ADMIN_API_KEY).toMatch(/^\$\{ADMIN_API_KEY:\?must be set to .+\}$/);
  });

  test('gives Laurel a configuration that it takes', () => {
    const environment = services.laurel.environment ?? {};
    expect(variables).toEqual(expect.arrayContaining(Object.keys(environment)));
    // What Compose makes of `${NAME:-}` for an unset variable.
    const values = Object.entries(environment).map(([name, value]) => [name, value.replace(/^\$\{\w+:-\}$/, '')]);
    const env = { ...Object.fromEntries(values), NODE_ENV: 'production', ADMIN_API_KEY: '0123456789abcdef' };
    expect(readConfig(env).redisUrl).toBe('redis://redis:6379');
  });

  test('waits for a Redis that is ready, and checks both', () => {
    expect(services.laurel.depends_on).toEqual({ redis: { condition: 'service_healthy' } });
    expect(services.laurel.healthcheck?.test.join(' ')).toContain('/readyz');
    expect(services.redis.healthcheck?.test).toEqual(['CMD', 'redis-cli', 'ping']);
  });

  test('keeps the data of both in volumes that it declares', () => {
    const mounted = [services.laurel, services.redis].flatMap((service) => service.volumes ?? []);
    expect(mounted.map((mount) => mount.split(':')[1])).toEqual(['/data', '/data']);
    expect(mounted.map((mount) => mount.split(':')[0])).toEqual(Object.keys(volumes));
    expect(services.redis.command).toContain('--appendonly yes');
  });

  test('opens Laurel to this machine only, and Redis to nobody', () => {
    expect(services.laurel.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
    expect(services.redis.ports).toBeUndefined();
  });
});

describe('Dockerfile', () => {
  const stages = read('Dockerfile').split(/^(?=FROM )/m);
  const final = stages.at(-1) ?? '';

  test('ends in a stage that runs as an ordinary user and checks its health', () => {
    expect(stages.length).toBeGreaterThan(1);
    expect(final).toMatch(/^USER node$/m);
    expect(final).toMatch(/^HEALTHCHECK .*\n.*\/healthz/m);
  });

  test('sets what Laurel takes, and asks for a key', () => {
    const assignments = [...(/^ENV (.+)$/m.exec(final)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)];
    const env = Object.fromEntries(assignments.map(([, name = '', value = '']) => [name, value]));
    expect(readConfig({ ...env, ADMIN_API_KEY: '0123456789abcdef' })).toMatchObject({
      host: '0.0.0.0',
      dataDir: '/data',
    });
    expect(() => readConfig(env)).toThrow('ADMIN_API_KEY is required');
  });

  test('copies only what .dockerignore lets through', () => {
    const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path);
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, list = '']) =>
      list.split(' '),
    );
    expect(allowed).toEqual(expect.arrayContaining(copied.filter((path) => path !== '.')));
  });
});
