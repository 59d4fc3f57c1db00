import type { Standing } from '../core/standing.ts';
import { sameStanding, type ViewState } from './view.ts';

/** What happened to one member of a window between two states. */
export interface WindowChange {
  readonly kind: 'ENTERED' | 'LEFT' | 'MOVED' | 'UPDATED';
  readonly memberId: string;
  /** As it is now; null for one that left. */
  readonly standing: Standing | null;
  /** Null for one that entered. */
  readonly previousIndex: number | null;
}

/** Whether one state can be told by what changed since another. */
export const follows = (value: ViewState, previous: ViewState | null): previous is ViewState =>
  previous !== null && previous.line === value.line && previous.board === value.board;

/** What leads from one state to the next: first who left, then the others in their order. */
export function windowChanges(value: ViewState, previous: ViewState): WindowChange[] {
  const before = new Map(previous.standings.map((standing) => [standing.memberId, standing]));
  const changes: WindowChange[] = [];
  for (const standing of value.standings) {
    const { memberId, index } = standing;
    const old = before.get(memberId);
    before.delete(memberId);
    if (!old) changes.push({ kind: 'ENTERED', memberId, standing, previousIndex: null });
    else if (old.index !== index) changes.push({ kind: 'MOVED', memberId, standing, previousIndex: old.index });
    else if (!sameStanding(standing, old)) changes.push({ kind: 'UPDATED', memberId, standing, previousIndex: index });
  }
  const left = [...before.values()].map(
    ({ memberId, index }): WindowChange => ({ kind: 'LEFT', memberId, standing: null, previousIndex: index }),
  );
  return [...left, ...changes];
}
