/** An entry as your subscription selects it: at least `memberId` and `index`; `version` and `topPercent` are kept right. */
export interface WatchedEntry {
  readonly memberId: string;
  readonly index: number;
  readonly version?: number;
  readonly competitionRank?: number;
  readonly topPercent?: number;
}

/** What `entriesChanged` and `entriesAroundChanged` send with `mode: PATCH`. */
export interface EntriesUpdate<E extends WatchedEntry> {
  readonly version: number;
  readonly entryCount: number;
  /** Null in a patch. */
  readonly entries: readonly E[] | null;
  readonly changes: readonly { readonly memberId: string; readonly entry: E | null }[];
}

/** The window after an update, given the window before it (`[]` at first). */
export function applyUpdate<E extends WatchedEntry>(window: readonly E[], update: EntriesUpdate<E>): readonly E[] {
  if (update.entries !== null) return update.entries;
  const entries = new Map(window.map((entry) => [entry.memberId, carriedOver(entry, update)]));
  for (const { memberId, entry } of update.changes) {
    if (entry === null) entries.delete(memberId);
    else entries.set(memberId, entry);
  }
  return [...entries.values()].sort((a, b) => a.index - b.index);
}

/** An entry that a patch does not mention is as it was, but at another version and of another number of entries. */
function carriedOver<E extends WatchedEntry>(entry: E, { version, entryCount }: EntriesUpdate<E>): E {
  return {
    ...entry,
    ...(entry.version !== undefined && { version }),
    ...(entry.topPercent !== undefined &&
      entry.competitionRank !== undefined && { topPercent: (100 * entry.competitionRank) / entryCount }),
  };
}
