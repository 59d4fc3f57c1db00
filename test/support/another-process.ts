import { fenceOf, readFence } from '../../src/redis/fence.ts';
import { keys } from '../../src/redis/keys.ts';

interface Hashes {
  hget(key: string, field: string): Promise<string | null>;
  hset(key: string, field: string, value: string): Promise<number>;
}

/** Leaves a board as another Redis process would have held it, whose last writes may be lost (rule T5). */
export async function holdAsAnotherProcess(redis: Hashes, board: string): Promise<void> {
  const definition = keys.definition(board);
  const fence = (await redis.hget(definition, 'fence')) ?? '';
  await redis.hset(definition, 'fence', fenceOf(readFence(fence), 'another'));
}
