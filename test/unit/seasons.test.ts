import { describe, expect, it } from 'vitest';
import { Boards } from '../../src/core/boards.ts';
import type { Leaderboard, LeaderboardRules, Season } from '../../src/core/leaderboard.ts';
import { makeRules } from '../../src/core/leaderboard.ts';
import { limits } from '../../src/core/limits.ts';
import { type DefinitionStore, StaleBoard } from '../../src/core/ports.ts';
import { Seasons } from '../../src/core/seasons.ts';
import { refusalOf } from '../support/refusal.ts';

const hour = 3_600_000;
const now = Date.UTC(2026, 0, 10);
const season = (key: string, from: number, to: number): Season => ({
  key,
  startsAt: now + from * hour,
  endsAt: now + to * hour,
});

/** One board's definition; `stale` times the store says that somebody else was first. */
class OneBoard implements DefinitionStore {
  board: Leaderboard;
  stale = 0;
  updates = 0;

  constructor(seasons: readonly Season[]) {
    this.board = {
      ...makeRules('one', { cadences: ['SEASON'], seasons }),
      key: 'one',
      version: 1,
      incarnation: 'life',
      epoch: 'e',
    };
  }

  find = async (key: string) => (key === 'one' ? this.board : null);
  forget = () => {};
  keys = async () => ['one'];
  count = async () => 1;
  create = async () => this.board;
  remove = async () => {};

  async update(board: Leaderboard, rules: LeaderboardRules): Promise<Leaderboard> {
    this.updates += 1;
    if (this.stale > 0) {
      this.stale -= 1;
      // What the other one did is not lost.
      const seasons = [...this.board.seasons, season(`other-${this.updates}`, 900 + this.updates, 901 + this.updates)];
      this.board = { ...this.board, seasons, version: this.board.version + 1 };
      throw new StaleBoard();
    }
    this.board = { ...board, ...rules, version: board.version + 1 };
    return this.board;
  }
}

function make(...seasons: Season[]) {
  const store = new OneBoard(seasons);
  const clock = { now };
  return { store, clock, seasons: new Seasons(new Boards(store), () => clock.now) };
}

const keysOf = ({ seasons }: { seasons: readonly Season[] }) => seasons.map(({ key }) => key);

describe('seasons', () => {
  it('are kept in the order of their time', async () => {
    const { seasons } = make();
    await seasons.create('one', season('second', 10, 20));
    await seasons.create('one', season('third', 20, 30));
    expect(keysOf(await seasons.create('one', season('first', 1, 10)))).toEqual(['first', 'second', 'third']);
  });

  it('may begin in the past, but not end there', async () => {
    const { seasons } = make();
    expect(keysOf(await seasons.create('one', season('running', -5, 5)))).toEqual(['running']);
    expect(await refusalOf(() => seasons.create('one', season('over', -9, -5)))).toBe('BAD_SEASON');
    expect(await refusalOf(() => seasons.create('one', season('just-over', -6, 0)))).toBe('BAD_SEASON');
  });

  it('meet somebody else’s change by being tried again on what it left', async () => {
    const { seasons, store } = make();
    store.stale = 2;
    expect(keysOf(await seasons.create('one', season('mine', 1, 2)))).toEqual(['mine', 'other-1', 'other-2']);
    store.stale = 9;
    expect(await refusalOf(() => seasons.create('one', season('never', 3, 4)))).toBe('LEADERBOARD_CHANGED');
  });

  it('move as a whole or by one edge, before they begin and not into the past', async () => {
    const { seasons, clock } = make(season('a', 1, 2), season('b', 3, 4));
    const edges = async (given: { startsAt?: number; endsAt?: number }) =>
      (await seasons.move('one', 'b', given)).seasons.find(({ key }) => key === 'b');
    expect(await edges({ endsAt: now + 9 * hour })).toEqual(season('b', 3, 9));
    expect(await edges({ startsAt: now + 2 * hour })).toEqual(season('b', 2, 9));
    expect(await edges({})).toEqual(season('b', 2, 9));
    expect(await refusalOf(() => edges({ startsAt: now + 2 * hour - 1 }))).toBe('BAD_SEASON');
    expect(await refusalOf(() => edges({ startsAt: now - 2 * hour, endsAt: now - hour }))).toBe('BAD_SEASON');
    clock.now = now + 2 * hour;
    expect(await refusalOf(() => edges({ endsAt: now + 10 * hour }))).toBe('BAD_SEASON');
  });

  it('end now while they run: not before, not twice', async () => {
    const { seasons, clock } = make(season('a', 1, 9), season('b', 9, 10));
    const end = () => seasons.end('one', 'a');
    expect(await refusalOf(end)).toBe('BAD_SEASON');
    // One of no length would hold no instant at all.
    clock.now = now + hour;
    expect(await refusalOf(end)).toBe('BAD_SEASON');
    clock.now = now + hour + 1;
    expect((await end()).seasons[0]).toEqual({ key: 'a', startsAt: now + hour, endsAt: now + hour + 1 });
    expect(await refusalOf(end)).toBe('BAD_SEASON');
  });

  it('that a board has not are named as such', async () => {
    const { seasons } = make(season('a', 1, 9));
    for (const action of [() => seasons.end('one', 'x'), () => seasons.move('one', 'x', {})]) {
      expect(await refusalOf(action)).toBe('PERIOD_NOT_FOUND');
    }
    expect(await refusalOf(() => seasons.create('two', season('a', 1, 2)))).toBe('LEADERBOARD_NOT_FOUND');
    expect(await refusalOf(() => seasons.create('one', season('a', 10, 11)))).toBe('BAD_SEASON');
  });

  it('have a limit', async () => {
    const many = Array.from({ length: limits.seasons }, (_, i) => season(`s${i}`, i + 1, i + 2));
    const { seasons } = make(...many);
    expect(await refusalOf(() => seasons.create('one', season('more', 1000, 1001)))).toBe('BAD_SEASON');
    // Those there are can still be changed.
    const moved = await seasons.move('one', `s${limits.seasons - 1}`, { endsAt: now + 2000 * hour });
    expect(moved.seasons).toHaveLength(limits.seasons);
  });
});
