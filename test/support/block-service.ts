import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface SentScore {
  readonly memberId: string;
  readonly score: number;
  readonly scorePolicy?: string;
  readonly occurredAt?: string;
}

interface SubmitInput {
  readonly leaderboard: string;
  readonly scores: readonly SentScore[];
  readonly block: { readonly from: string; readonly to: string };
}

/** What happens to one call to `submitScores`: `lost` is applied, and its answer never arrives. */
export type Fate = 'answered' | 'lost' | 'unavailable' | 'badGateway';

/**
 * The part of Laurel's API that an import uses, over real HTTP and with the service's contract for blocks: what is
 * applied once at a place is never applied again. Faults can be ordered, which the real service has no switch for.
 */
export class BlockService {
  readonly board = {
    key: 'goals',
    title: 'Goals',
    scorePolicy: 'SUM',
    cadences: ['ALL_TIME'],
    timeZone: 'UTC',
    graceSeconds: 0,
  };
  /** The hold, each time it was set. */
  readonly holds: boolean[] = [];
  readonly blocks: SubmitInput[] = [];
  readonly applied: SentScore[] = [];
  /** The fate of the next calls; once it is used up, all are answered. */
  fates: Fate[] = [];
  /** Runs before each block is looked at. */
  onBlock: () => void = () => undefined;
  backfill = false;
  readonly #records = new Map<string, { to: string; rows: number }>();
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  url = '';

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/graphql`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Sum by member of what was applied. */
  totals(): Map<string, number> {
    const totals = new Map<string, number>();
    for (const { memberId, score } of this.applied) totals.set(memberId, (totals.get(memberId) ?? 0) + score);
    return totals;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { query, variables } = JSON.parse(await text(request));
    const answer = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    if (query.startsWith('query Board')) {
      const leaderboard = variables.key === this.board.key ? { ...this.board, backfill: this.backfill } : null;
      return void answer(200, { data: { leaderboard } });
    }
    if (query.startsWith('mutation Hold')) {
      this.backfill = variables.backfill;
      this.holds.push(variables.backfill);
      return void answer(200, { data: { updateLeaderboard: { leaderboard: { backfill: this.backfill } } } });
    }
    this.onBlock();
    const fate = this.fates.shift() ?? 'answered';
    if (fate === 'unavailable') {
      return void answer(200, { errors: [{ message: 'Redis is away.', extensions: { code: 'STORE_UNAVAILABLE' } }] });
    }
    if (fate === 'badGateway') return void response.writeHead(502).end('<html>bad gateway</html>');
    const body = this.#submit(variables.input);
    if (fate === 'lost') return void request.socket.destroy();
    answer(200, body);
  }

  #submit(input: SubmitInput): unknown {
    const { scores, block } = input;
    this.blocks.push(input);
    const record = this.#records.get(block.from);
    if (record && record.to !== block.to) {
      const extensions = { code: 'BLOCK_CONFLICT', appliedTo: record.to, appliedRows: record.rows };
      return { errors: [{ message: 'Other rows were applied here.', extensions }] };
    }
    const duplicate = record !== undefined;
    const outcomes = scores.map(outcomeOf(duplicate));
    if (!duplicate) {
      this.applied.push(...scores.filter(({ memberId }) => memberId !== 'refused' && memberId !== 'late'));
      this.#records.set(block.from, { to: block.to, rows: scores.length });
    }
    return { data: { submitScores: { duplicate, outcomes } } };
  }
}

/** Members called `refused` and `late` are treated so; 0 changes nothing. */
const outcomeOf =
  (duplicate: boolean) =>
  ({ memberId, score }: SentScore) => {
    if (memberId === 'refused') return { payload: null, error: { code: 'SCORE_OUT_OF_RANGE', message: 'Too much.' } };
    if (duplicate) return { payload: { applied: false, duplicate, skipped: [] }, error: null };
    const skipped = memberId === 'late' ? [{ period: '2019', code: 'PERIOD_CLOSED' }] : [];
    return { payload: { applied: score !== 0 && skipped.length === 0, duplicate, skipped }, error: null };
  };
