import { Redis } from 'ioredis';
import { inject, onTestFinished } from 'vitest';

/** A connection of the test's own, around Laurel; by default to the run's Redis. */
export async function connectRedis(address: string = inject('redisUrl')): Promise<Redis> {
  const redis = new Redis(address, { lazyConnect: true, retryStrategy: () => null });
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  return redis;
}
