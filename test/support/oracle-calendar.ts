import type { Cadence } from '../../src/core/period.ts';

const dayMs = 86_400_000;

/** The key and the end of the cut of time that holds an instant, by plain arithmetic on UTC dates. */
export function cutOf(cadence: Cadence, instant: number, zoneOffsetMs: number): { key: string; end: number | null } {
  if (cadence === 'SEASON') throw new Error('seasons have no calendar');
  if (cadence === 'ALL_TIME') return { key: 'all', end: null };
  const local = new Date(instant + zoneOffsetMs);
  const [year, month, date] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
  const iso = local.toISOString();
  switch (cadence) {
    case 'DAILY':
      return { key: iso.slice(0, 10), end: Date.UTC(year, month, date + 1) - zoneOffsetMs };
    case 'MONTHLY':
      return { key: iso.slice(0, 7), end: Date.UTC(year, month + 1, 1) - zoneOffsetMs };
    case 'YEARLY':
      return { key: iso.slice(0, 4), end: Date.UTC(year + 1, 0, 1) - zoneOffsetMs };
    case 'WEEKLY': {
      const monday = Date.UTC(year, month, date - ((local.getUTCDay() + 6) % 7));
      // A week belongs to the year of its Thursday.
      const weekYear = new Date(monday + 3 * dayMs).getUTCFullYear();
      const week = 1 + Math.floor((monday + 3 * dayMs - Date.UTC(weekYear, 0, 1)) / (7 * dayMs));
      return { key: `${weekYear}-W${String(week).padStart(2, '0')}`, end: monday + 7 * dayMs - zoneOffsetMs };
    }
  }
}

/** When the period of a key ends: found by walking through the days around it. */
export function endOf(key: string, zoneOffsetMs: number, cadences: readonly Cadence[]): number | null {
  if (key === 'all') return null;
  const from = Date.UTC(Number(key.slice(0, 4)), 0, 1) - 8 * dayMs;
  for (let instant = from; instant < from + 380 * dayMs; instant += dayMs) {
    for (const cadence of cadences) {
      const cut = cutOf(cadence, instant, zoneOffsetMs);
      if (cut.key === key) return cut.end;
    }
  }
  throw new Error(`${key} is not found`);
}
