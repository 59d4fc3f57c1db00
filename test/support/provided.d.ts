import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Socket path of the test run's own Redis, as the Redis client takes it. */
    redisUrl: string;
  }
}
