import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import type { Engine } from '../support/engine.ts';
import { openStore, type Store } from '../support/store.ts';
import { describeCapped } from './capped.ts';
import { describeDefinitions } from './definitions.ts';
import { describeEvents } from './events.ts';
import { describePages } from './pages.ts';
import { describePeriods } from './periods.ts';
import { describeProfiles } from './profiles.ts';
import { describeReads } from './reads.ts';
import { describeScores } from './scores.ts';
import { describeTies } from './ties.ts';

/** An engine under test, and connections to it. */
export interface StoreContext {
  readonly store: Store;
  /** Another process, as it were. */
  readonly other: Store;
}

/** What every engine behind Laurel has to do: the contract of the ports in src/core/ports.ts. */
export function describeStore(name: string, start: () => Promise<Engine>): void {
  describe(name, () => {
    let engine: Engine;
    let store: Store;
    let other: Store;

    beforeAll(async () => {
      engine = await start();
      [store, other] = await Promise.all([openStore(engine.address), openStore(engine.address)]);
    });

    afterEach(() => {
      expect([...store.errors, ...other.errors]).toEqual([]);
    });

    afterAll(async () => {
      store.close();
      other.close();
      await engine.stop();
    });

    const context: StoreContext = {
      get store() {
        return store;
      },
      get other() {
        return other;
      },
    };
    describeDefinitions(context);
    describeScores(context);
    describeTies(context);
    describeCapped(context);
    describePeriods(context);
    describePages(context);
    describeReads(context);
    describeEvents(context);
    describeProfiles(context);
  });
}
