import { Command } from 'commander';
import type { OpenSession } from '../session.ts';
import { tableLines } from '../table.ts';
import { note, print } from '../terminal.ts';

interface BoardRow {
  readonly key: string;
  readonly title: string;
  readonly scorePolicy: string;
  readonly sortOrder: string;
  readonly cadences: readonly string[];
  readonly current: { readonly key: string; readonly entryCount: number } | null;
}

interface BoardsAnswer {
  readonly leaderboards: {
    readonly nodes: readonly BoardRow[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

const boardsDocument = `query Boards($after: String) {
  leaderboards(first: 50, after: $after) {
    nodes { key title scorePolicy sortOrder cadences current { key entryCount } }
    pageInfo { hasNextPage endCursor }
  }
}`;

const columns = [
  { title: 'BOARD', align: 'left' },
  { title: 'TITLE', align: 'left' },
  { title: 'POLICY', align: 'left' },
  { title: 'ORDER', align: 'left' },
  { title: 'CADENCES', align: 'left' },
  { title: 'CURRENT', align: 'left' },
  { title: 'ENTRIES', align: 'right' },
] as const;

export function boardsCommand(open: OpenSession): Command {
  return new Command('boards')
    .summary('list the boards')
    .description('List the boards with their rules, and how many entries their current period has.')
    .action(async () => {
      const { client, terminal } = open();
      const boards: BoardRow[] = [];
      for (let after: string | null = null, more = true; more; ) {
        const { leaderboards }: BoardsAnswer = await client.request<BoardsAnswer>(boardsDocument, { after });
        boards.push(...leaderboards.nodes);
        after = leaderboards.pageInfo.endCursor;
        more = leaderboards.pageInfo.hasNextPage;
      }
      if (boards.length === 0) {
        note(terminal, 'There are no boards yet. `laurel create` makes one; `laurel demo` makes one that moves.');
        return;
      }
      for (const line of tableLines(columns, boards.map(cells))) await print(terminal, line);
    });
}

const cells = (board: BoardRow): string[] => [
  board.key,
  board.title,
  board.scorePolicy,
  board.sortOrder,
  board.cadences.join(' '),
  board.current?.key ?? '–',
  String(board.current?.entryCount ?? '–'),
];
