import { inject, onTestFinished } from 'vitest';
import { type App, type AppConfig, startApp } from '../../src/app.ts';
import { Api } from './graphql-client.ts';

export const adminKey = 'integration-0123456789';

export const testConfig = (changes: Partial<AppConfig> = {}): AppConfig => ({
  host: '127.0.0.1',
  port: 0,
  redisUrl: inject('redisUrl'),
  dataDir: 'unused',
  adminApiKey: adminKey,
  logLevel: 'silent',
  profileUrl: null,
  profileTimeoutMs: 1_000,
  ...changes,
});

export interface TestApp extends App {
  readonly api: Api;
}

/** An app in this process on the run's Redis, until the test is finished. */
export async function startTestApp(
  changes: Partial<AppConfig> = {},
  replacements: Parameters<typeof startApp>[1] = {},
): Promise<TestApp> {
  const app = await startApp(testConfig(changes), replacements);
  onTestFinished(() => app.close());
  return { ...app, api: new Api(app.url, adminKey) };
}
