import { describe, expect, it } from 'vitest';
import { clockedApp } from '../support/clocked-app.ts';
import { mutate, readingCode, readPeriod } from '../support/period-reader.ts';

interface Explained {
  readonly rank: number;
  readonly index: number;
  readonly explain: {
    readonly version: number;
    readonly scoreToPass: number | null;
    readonly scoreForRank: number | null;
    readonly above: { readonly decidedBy: string; readonly entry: { readonly memberId: string } } | null;
    readonly below: { readonly decidedBy: string; readonly entry: { readonly memberId: string } } | null;
  };
}

const orders = ['HIGH_TO_LOW', 'LOW_TO_HIGH'] as const;
const tieBreaks = ['MEMBER_ID', 'EARLIEST', 'LATEST', 'SORT_KEY'] as const;
const combinations = tieBreaks.flatMap((tieBreak) => orders.map((order) => ({ tieBreak, order })));

const app = clockedApp();

/** A board whose latest score counts, so that a member can be given any score at any time. */
async function boardOf(scores: readonly [string, number][], rules: Record<string, unknown>): Promise<string> {
  const key = await app.api.createBoard({ scorePolicy: 'LATEST', scoreScale: 1, ...rules });
  const keyed = rules.tieBreak === 'SORT_KEY';
  for (const [i, [memberId, score]] of scores.entries()) {
    await app.api.score(key, memberId, score, keyed ? { sortKey: `${(i * 5) % 7}` } : {});
  }
  return key;
}

async function explained(key: string, memberId: string, rank = 1): Promise<Explained> {
  const { entry } = await readPeriod<{ entry: Explained }>(
    app.api,
    key,
    `entry(memberId: "${memberId}") { rank index explain(rank: ${rank}) { version scoreToPass scoreForRank
      above { decidedBy entry { memberId } } below { decidedBy entry { memberId } } } }`,
  );
  return entry;
}

async function placeOf(key: string, memberId: string): Promise<{ rank: number; index: number }> {
  const { entry } = await readPeriod<{ entry: { rank: number; index: number } }>(
    app.api,
    key,
    `entry(memberId: "${memberId}") { rank index }`,
  );
  return entry;
}

/** The score that is worse by the least there is. */
const lesser = (score: number, order: string) => Math.round(score * 10 + (order === 'HIGH_TO_LOW' ? -1 : 1)) / 10;

const members: readonly [string, number][] = [
  ['f', 3],
  ['b', 5],
  ['e', 3],
  ['a', 5],
  ['g', 3],
  ['d', 4],
  ['c', 5],
];

describe('explain: the score that passes the entry above', () => {
  it.each(combinations)('is enough, and the least: $tieBreak, $order', async ({ tieBreak, order }) => {
    const key = await boardOf(members, { tieBreak, sortOrder: order });
    let raised = 0;
    for (const [memberId, score] of members) {
      const { explain, index } = await explained(key, memberId);
      if (index === 0) {
        expect([explain.above, explain.scoreToPass]).toEqual([null, null]);
        continue;
      }
      const { scoreToPass } = explain;
      const rival = explain.above?.entry.memberId ?? '';
      if (scoreToPass === null) throw new Error(`${memberId} is told that no score passes ${rival}`);
      const isBefore = async () => (await placeOf(key, memberId)).index < (await placeOf(key, rival)).index;
      await app.api.score(key, memberId, lesser(scoreToPass, order));
      expect(await isBefore(), `${memberId} passes ${rival} with less than ${scoreToPass}`).toBe(false);
      await app.api.score(key, memberId, scoreToPass);
      expect(await isBefore(), `${memberId} passes ${rival} with ${scoreToPass}`).toBe(true);
      await app.api.score(key, memberId, score);
      raised += 1;
    }
    expect(raised).toBeGreaterThanOrEqual(5);
  });

  it('is none where the board accepts no better one', async () => {
    const key = await boardOf(
      [
        ['a', 10],
        ['b', 10],
        ['c', 9.9],
      ],
      { maxScore: 10 },
    );
    // Of equals the higher id is first: b cannot be passed by a, and c can pass a, for it need only draw level.
    expect((await explained(key, 'a')).explain).toMatchObject({
      above: { entry: { memberId: 'b' } },
      scoreToPass: null,
    });
    expect((await explained(key, 'c')).explain).toMatchObject({ above: { entry: { memberId: 'a' } }, scoreToPass: 10 });
  });
});

describe('explain: the score for a rank', () => {
  const methods = ['COMPETITION', 'DENSE', 'ORDINAL'] as const;
  const cases = methods.flatMap((rankMethod) => combinations.map((one) => ({ rankMethod, ...one })));

  it.each(cases)('gives it, or a better one, and is the least: $rankMethod, $tieBreak, $order', async (one) => {
    const { rankMethod, tieBreak, order } = one;
    const key = await boardOf(members, { rankMethod, tieBreak, sortOrder: order });
    for (const [memberId, score] of [members[0], members[3], members[5]].flatMap((member) =>
      member ? [member] : [],
    )) {
      const others = members.filter(([other]) => other !== memberId);
      const places = rankMethod === 'DENSE' ? new Set(others.map(([, other]) => other)).size : others.length;
      for (let rank = 1; rank <= places; rank += 1) {
        const { scoreForRank } = (await explained(key, memberId, rank)).explain;
        if (scoreForRank === null) throw new Error(`${memberId} is told of no score for rank ${rank}`);
        const tries = [
          async () => {
            await app.api.score(key, memberId, scoreForRank);
            const { rank: found } = await placeOf(key, memberId);
            expect(found, `${memberId} with ${scoreForRank}`).toBeLessThanOrEqual(rank);
          },
          async () => {
            await app.api.score(key, memberId, lesser(scoreForRank, order));
            const { rank: found } = await placeOf(key, memberId);
            expect(found, `${memberId} with less than ${scoreForRank}`).toBeGreaterThan(rank);
          },
        ];
        // It may be told its own score: to leave that and come back makes it later.
        for (const attempt of tieBreak === 'LATEST' ? tries.toReversed() : tries) await attempt();
        await app.api.score(key, memberId, score);
      }
      // Any score has a rank that so few others leave free.
      expect((await explained(key, memberId, places + 1)).explain.scoreForRank).toBeNull();
    }
  });

  it('is asked for by a rank from 1, or not at all', async () => {
    const key = await boardOf(members, {});
    expect(await readingCode(app.api, key, 'entry(memberId: "a") { explain(rank: 0) { version } }')).toBe('BAD_INPUT');
    expect(await readPeriod(app.api, key, 'entry(memberId: "a") { explain { version scoreForRank } }')).toEqual({
      entry: { explain: { version: 7, scoreForRank: null } },
    });
  });
});

describe('explain: what decided', () => {
  it.each(tieBreaks)('score or %s', async (tieBreak) => {
    const key = await boardOf(members, { tieBreak });
    const { entries } = await readPeriod<{ entries: { nodes: (Explained & { memberId: string; score: number })[] } }>(
      app.api,
      key,
      'entries { nodes { memberId score explain { above { decidedBy entry { memberId score } } below { decidedBy entry { memberId score } } } } }',
    );
    const { nodes } = entries;
    const beside = (i: number, other: number) => {
      const [one, two] = [nodes[i], nodes[other]];
      if (!one || !two) return null;
      const { memberId, score } = two;
      return { decidedBy: one.score === score ? tieBreak : 'SCORE', entry: { memberId, score } };
    };
    for (const [i, { explain }] of nodes.entries()) {
      expect(explain).toEqual({ above: beside(i, i - 1), below: beside(i, i + 1) });
    }
  });

  it('the member id, where the sort keys are the same or none was given', async () => {
    const key = await app.api.createBoard({ tieBreak: 'SORT_KEY' });
    for (const [memberId, sortKey] of [
      ['a', undefined],
      ['b', undefined],
      ['c', 'k'],
      ['d', 'k'],
    ]) {
      await app.api.score(key, memberId ?? '', 5, { sortKey });
    }
    const { entries } = await readPeriod<{ entries: { nodes: object[] } }>(
      app.api,
      key,
      'entries { nodes { memberId explain { below { decidedBy } } } }',
    );
    const below = (decidedBy: string) => ({ explain: { below: { decidedBy } } });
    expect(entries.nodes).toMatchObject([
      below('MEMBER_ID'),
      below('SORT_KEY'),
      below('MEMBER_ID'),
      { explain: { below: null } },
    ]);
  });

  it('is read when it is asked for: after a write, from the entry that the write left', async () => {
    const key = await boardOf(members, {});
    const { changes } = await mutate<{ changes: { entry: object }[] }>(
      app.api,
      'submitScore',
      { leaderboard: key, memberId: 'd', score: 9 },
      'changes { entry { rank explain { version above { decidedBy } below { decidedBy entry { memberId } } } } }',
    );
    expect(changes).toEqual([
      {
        entry: {
          rank: 1,
          explain: { version: 8, above: null, below: { decidedBy: 'SCORE', entry: { memberId: 'c' } } },
        },
      },
    ]);
  });
});
