import { Cluster } from 'ioredis';
import { emptyProfile, type Profile } from '../core/member.ts';
import type { ProfileStore } from '../core/ports.ts';
import type { DataConnection } from './connection.ts';
import { keys } from './keys.ts';

/** Members' profiles as Redis hashes. */
export class RedisProfiles implements ProfileStore {
  readonly #connection: DataConnection;

  constructor(connection: DataConnection) {
    this.#connection = connection;
  }

  /** One round trip, whatever the number. */
  load(memberIds: readonly string[]): Promise<(Profile | null)[]> {
    return this.#connection.command(async (redis) => {
      // The nodes of a Cluster have their own each: side by side, and one that is away costs only the names it holds.
      if (redis instanceof Cluster) {
        const replies = await Promise.allSettled(memberIds.map((memberId) => redis.hgetall(keys.profile(memberId))));
        return replies.map((reply) => (reply.status === 'fulfilled' ? decodeProfile(reply.value) : null));
      }
      const pipeline = redis.pipeline();
      for (const memberId of memberIds) pipeline.hgetall(keys.profile(memberId));
      const replies = (await pipeline.exec()) ?? [];
      return memberIds.map((_, i) => {
        const [error, fields] = replies[i] ?? [null, {}];
        if (error) throw error;
        return decodeProfile(fields as Record<string, string>);
      });
    });
  }

  /** Replaces whole profiles: all or none of them, but in a Cluster each by itself. */
  async save(profiles: ReadonlyMap<string, Profile>): Promise<void> {
    const replace = (some: Iterable<readonly [string, Profile]>) =>
      this.#connection.command(async (redis) => {
        const transaction = redis.multi();
        for (const [memberId, profile] of some) {
          transaction.del(keys.profile(memberId));
          transaction.hset(keys.profile(memberId), encodeProfile(profile));
        }
        await transaction.exec();
      });
    if (this.#connection.redis instanceof Cluster) await Promise.all([...profiles].map((one) => replace([one])));
    else await replace(profiles);
  }

  async remove(memberId: string): Promise<void> {
    await this.#connection.command((redis) => redis.del(keys.profile(memberId)));
  }
}

const encodeProfile = ({ displayName, avatarUrl, attributes }: Profile): Record<string, string> => ({
  displayName: displayName ?? '',
  ...(avatarUrl !== null && { avatarUrl }),
  ...(attributes !== null && { attributes: JSON.stringify(attributes) }),
});

function decodeProfile(fields: Record<string, string>): Profile | null {
  if (Object.keys(fields).length === 0) return null;
  return {
    ...emptyProfile,
    displayName: fields.displayName || null,
    avatarUrl: fields.avatarUrl ?? null,
    attributes: fields.attributes ? JSON.parse(fields.attributes) : null,
  };
}
