import { deciding, scoreToPass } from '../../core/explain.ts';
import type { Leaderboard } from '../../core/leaderboard.ts';
import type { Period } from '../../core/period.ts';
import type { Head, PageRead } from '../../core/reading.ts';
import { formatScore, type ScoreText } from '../../core/score.ts';
import type { Standing } from '../../core/standing.ts';
import { builder } from '../builder.ts';
import type { RequestScope } from '../scope.ts';
import { atLeastOne, pageAt } from './entries.ts';
import { Entry, entryOfStanding } from './entry.ts';
import { OrderRule } from './enums.ts';

/** An entry read anew with those beside it, all at one moment. */
interface Explanation {
  readonly board: Leaderboard;
  readonly period: Period;
  readonly head: Head;
  readonly entry: Standing;
  readonly above: Standing | null;
  readonly below: Standing | null;
  readonly forRank: ScoreText | null;
}

interface Neighbour {
  readonly explanation: Explanation;
  readonly standing: Standing;
}

const EntryNeighbour = builder.objectRef<Neighbour>('EntryNeighbour').implement({
  description: 'The entry before or after, and what decided between the two.',
  fields: (t) => ({
    entry: t.field({
      type: Entry,
      description: 'The entry beside.',
      resolve: ({ explanation: { board, period, head }, standing }) => entryOfStanding(board, period, head, standing),
    }),
    decidedBy: t.field({
      type: OrderRule,
      description: 'The rule that put one before the other.',
      resolve: ({ explanation: { board, entry }, standing }) => deciding(board, entry, standing),
    }),
  }),
});

const shown = ({ board }: Explanation, score: ScoreText | null) =>
  score === null ? null : formatScore(score, board.scoreScale);

const EntryExplanation = builder.objectRef<Explanation>('EntryExplanation').implement({
  description: 'Why an entry stands where it stands, and what it would take to rise. Read at one moment of its own.',
  fields: (t) => ({
    version: t.field({
      type: 'SafeInt',
      description: 'When: the period’s version.',
      resolve: ({ head }) => head.version,
    }),
    above: t.field({
      type: EntryNeighbour,
      nullable: true,
      description: 'The entry just before; null at the top.',
      resolve: (explanation) => explanation.above && { explanation, standing: explanation.above },
    }),
    below: t.field({
      type: EntryNeighbour,
      nullable: true,
      description: 'The entry just after; null at the end.',
      resolve: (explanation) => explanation.below && { explanation, standing: explanation.below },
    }),
    scoreToPass: t.float({
      nullable: true,
      description: 'The least score that would put it before the entry above; null at the top, or where none can.',
      resolve: (explanation) => {
        const { board, entry, above } = explanation;
        return shown(explanation, above && scoreToPass(board, entry, above));
      },
    }),
    scoreForRank: t.float({
      nullable: true,
      description:
        'The least score with which it would have the rank asked for, or a better one; null where none was asked for or nobody has it.',
      resolve: (explanation) => shown(explanation, explanation.forRank),
    }),
  }),
});

builder.objectField(Entry, 'explain', (t) =>
  t.field({
    type: EntryExplanation,
    nullable: true,
    description:
      'Why it stands here, and what it would take to rise: a reading of its own. Null where the entry has gone meanwhile.',
    complexity: 10,
    args: { rank: t.arg.int({ description: "A rank by the board's method, for `scoreForRank`." }) },
    resolve: ({ board, period, memberId, rankMethod }, { rank }, { scope }) =>
      explain({ ...board, rankMethod }, period, memberId, rank ?? null, scope),
  }),
);

async function explain(
  board: Leaderboard,
  period: Period,
  memberId: string,
  rank: number | null,
  scope: RequestScope,
): Promise<Explanation | null> {
  const around = { kind: 'around', centre: { memberId }, above: 1, below: 1, fill: false } as const;
  const [page, rivals] = await Promise.all([
    scope.read(board.key, period.key, around),
    rank === null ? [] : readRivals(board, period, atLeastOne(rank), scope),
  ]);
  const entry = page?.standings.find((standing) => standing.memberId === memberId);
  if (!page || !entry) return null;
  const beside = (index: number) => page.standings.find((standing) => standing.index === index) ?? null;
  const found = { board, period, head: page.head, entry };
  const forRank = scoreForRank(board, entry, rivals);
  return { ...found, above: beside(entry.index - 1), below: beside(entry.index + 1), forRank };
}

/** Who holds a rank now, and who would hold it if one before them were not there. */
async function readRivals(board: Leaderboard, period: Period, rank: number, scope: RequestScope): Promise<Standing[]> {
  const at = (one: number): PageRead =>
    board.rankMethod === 'DENSE' ? { ...pageAt(0), window: { kind: 'rank', rank: one } } : pageAt(one - 1);
  const pages = await Promise.all([rank, rank + 1].map((one) => scope.read(board.key, period.key, at(one))));
  return pages.flatMap((page) => page.standings);
}

/** The least score for a rank: the place that all others leave for it (their own entry does not count against it). */
function scoreForRank(board: Leaderboard, entry: Standing, rivals: readonly Standing[]): ScoreText | null {
  const [first, second] = rivals;
  if (!first) return null;
  const dense = board.rankMethod === 'DENSE';
  const ahead = dense
    ? entry.tieCount === 1 && (entry.denseRank ?? 0) <= (first.denseRank ?? 0)
    : entry.index <= first.index;
  const rival = ahead ? second : first;
  if (!rival) return null;
  return board.rankMethod === 'ORDINAL' ? scoreToPass(board, entry, rival) : rival.score;
}
