import { afterAll, beforeAll, describe } from 'vitest';
import { openArchive } from '../../src/archive/archive.ts';
import type { Archive } from '../../src/core/archive.ts';
import { describeArchiveReading } from './archive-reading.ts';
import { describeRetention } from './archive-retention.ts';
import { describeRevisions } from './archive-revisions.ts';
import { describeArchiving } from './archive-writing.ts';

/** What `openArchive` takes. */
export type ArchivePlace = Parameters<typeof openArchive>[0];

export interface ArchiveContext {
  readonly archive: Archive;
  readonly place: ArchivePlace;
  /** Closes it, has something done meanwhile, and opens it again. */
  reopen(meanwhile?: () => Promise<void>): Promise<void>;
}

/** What every database behind the archive has to do: the contract of `Archive` in src/core/archive.ts. */
export function describeArchive(
  name: string,
  start: () => Promise<{ place: ArchivePlace; stop(): Promise<void> }>,
  describeMore: (context: ArchiveContext) => void = () => {},
): void {
  describe(name, () => {
    let place: ArchivePlace;
    let stop = async () => {};
    let archive: Archive;

    beforeAll(async () => {
      ({ place, stop } = await start());
      archive = await openArchive(place);
    });

    afterAll(async () => {
      await archive?.close();
      await stop();
    });

    const context: ArchiveContext = {
      get archive() {
        return archive;
      },
      get place() {
        return place;
      },
      async reopen(meanwhile = async () => {}) {
        await archive.close();
        await meanwhile();
        archive = await openArchive(place);
      },
    };
    describeArchiving(context);
    describeArchiveReading(context);
    describeRevisions(context);
    describeRetention(context);
    describeMore(context);
  });
}
