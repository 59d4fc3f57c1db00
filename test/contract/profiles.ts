import { describe, expect, it } from 'vitest';
import { emptyProfile, type Profile } from '../../src/core/member.ts';
import type { StoreContext } from './describe-store.ts';

export function describeProfiles(context: StoreContext): void {
  const newId = () => `u:${crypto.randomUUID()}`;

  describe('profiles', () => {
    it('come back as they were saved, in the order they are asked for', async () => {
      const profiles: Profile[] = [
        { displayName: 'Zoë 李 😀', avatarUrl: 'https://a.example/z.png', attributes: { level: 3, tags: ['a', '"'] } },
        { ...emptyProfile, displayName: 'Only a name' },
        { ...emptyProfile, avatarUrl: 'data:image/png;base64,AA' },
        { ...emptyProfile, attributes: {} },
        emptyProfile,
      ];
      const ids = profiles.map(newId);
      await context.store.profiles.save(new Map(ids.map((id, i) => [id, profiles[i] ?? emptyProfile])));
      expect(await context.other.profiles.load(ids)).toEqual(profiles);
      const order = [ids[2], newId(), ids[0], ids[2]].map(String);
      expect(await context.store.profiles.load(order)).toEqual([profiles[2], null, profiles[0], profiles[2]]);
      expect(await context.store.profiles.load([])).toEqual([]);
    });

    it('are replaced whole', async () => {
      const id = newId();
      const full = { displayName: 'A', avatarUrl: 'https://a.example', attributes: { a: 1 } };
      await context.store.profiles.save(new Map([[id, full]]));
      await context.store.profiles.save(new Map([[id, { ...emptyProfile, displayName: 'B' }]]));
      expect(await context.store.profiles.load([id])).toEqual([{ ...emptyProfile, displayName: 'B' }]);
    });

    it('are gone once removed', async () => {
      const [gone, left] = [newId(), newId()];
      const profile = { ...emptyProfile, displayName: 'A' };
      await context.store.profiles.save(new Map([gone, left].map((id) => [id, profile])));
      await context.store.profiles.remove(gone);
      expect(await context.store.profiles.load([gone, left])).toEqual([null, profile]);
      await context.store.profiles.remove(gone);
    });

    it('may be saved none at a time', async () => {
      await context.store.profiles.save(new Map());
    });
  });
}
