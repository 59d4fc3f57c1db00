import { createClient } from 'graphql-ws';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { applyUpdate } from '../../docs/apply-patches.ts';

const entryFields = 'memberId version score rank competitionRank index tieCount topPercent';
const updateFields = 'position version entryCount resync stale';

/** What a watcher asks for, by the name of its kind. */
const documents = {
  top: `subscription($board: String!, $since: String) {
    live: entriesChanged(leaderboard: $board, first: 5, since: $since) { ${updateFields} entries { ${entryFields} } changes { memberId } }
  }`,
  patches: `subscription($board: String!, $since: String) {
    live: entriesChanged(leaderboard: $board, first: 5, mode: PATCH, since: $since) {
      ${updateFields} entries { ${entryFields} } changes { memberId entry { ${entryFields} } }
    }
  }`,
  around: `subscription($board: String!, $member: String!, $since: String) {
    live: entriesAroundChanged(leaderboard: $board, memberId: $member, above: 2, below: 2, mode: PATCH, since: $since) {
      ${updateFields} entries { ${entryFields} } changes { memberId entry { ${entryFields} } }
    }
  }`,
  rank: `subscription($board: String!, $member: String!, $since: String) {
    live: rankChanged(leaderboard: $board, memberId: $member, since: $since, throttleMs: 30) {
      ${updateFields} entry { ${entryFields} } passedByCount passedCount
    }
  }`,
  feed: `subscription($board: String!, $since: String) {
    live: scoreApplied(leaderboard: $board, since: $since) { position version memberId score gap }
  }`,
} as const;

export type WatcherKind = keyof typeof documents;

export interface WatchedEntry {
  readonly memberId: string;
  readonly index: number;
  readonly version: number;
  readonly competitionRank: number;
  readonly topPercent: number;
}

interface Message {
  readonly position: string;
  readonly version: number;
  readonly entryCount: number;
  readonly resync: boolean;
  readonly stale: boolean;
  readonly gap?: boolean;
  readonly entries?: WatchedEntry[] | null;
  readonly entry?: WatchedEntry | null;
  readonly changes?: { memberId: string; entry: WatchedEntry | null }[];
}

/** A client that comes back to whichever node is there, with the position it had, and notes what must never be. */
export class Watcher {
  readonly kind: WatcherKind;
  readonly member: string;
  readonly problems: string[] = [];
  /** What it shows: entries for a window or a rank, nothing for a feed. */
  entries: readonly WatchedEntry[] = [];
  position: string | null = null;
  messages = 0;
  gaps = 0;
  stale = 0;
  resyncs = 0;
  readonly #board: string;
  readonly #nodes: () => readonly string[];
  readonly #seen: Map<string, string>;
  readonly #transport: 'ws' | 'sse';
  #stop: () => void = () => {};
  #socket: WebSocket | null = null;
  #ended = false;

  /** `seen`: what anybody was shown at a position, by kind; the same for all. */
  constructor(
    kind: WatcherKind,
    transport: 'ws' | 'sse',
    {
      board,
      member,
      nodes,
      seen,
    }: { board: string; member: string; nodes: () => readonly string[]; seen: Map<string, string> },
  ) {
    this.kind = kind;
    this.member = member;
    this.#board = board;
    this.#nodes = nodes;
    this.#seen = seen;
    this.#transport = transport;
    onTestFinished(() => this.end());
    this.#connect();
  }

  end(): void {
    this.#ended = true;
    this.#stop();
  }

  /** Reads nothing for a while, as a client does whose machine is asleep. */
  stall(on: boolean): void {
    if (on) this.#socket?.pause();
    else this.#socket?.resume();
  }

  #connect(): void {
    if (this.#ended) return;
    const nodes = this.#nodes();
    const url = nodes[Math.floor(Math.random() * nodes.length)];
    const again = () => void setTimeout(() => this.#connect(), 50);
    if (url === undefined) again();
    else if (this.#transport === 'ws') this.#overWebsocket(url, again);
    else this.#overEvents(url).then(again, again);
  }

  get #request() {
    const variables = { board: this.#board, member: this.member, since: this.position };
    const { member, ...others } = variables;
    const needed = ['around', 'rank'].includes(this.kind) ? { ...others, member } : others;
    return { query: documents[this.kind], variables: needed };
  }

  #overWebsocket(url: string, again: () => void): void {
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      on: {
        opened: (socket) => {
          this.#socket = socket as WebSocket;
        },
      },
    });
    this.#stop = () => void client.dispose();
    client.subscribe<{ live: Message }>(this.#request, {
      next: ({ data, errors }) => this.#take(data?.live, errors),
      error: again,
      complete: again,
    });
  }

  async #overEvents(url: string): Promise<void> {
    const abort = new AbortController();
    this.#stop = () => abort.abort();
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(this.#request),
      signal: abort.signal,
    });
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = /^event: next\ndata: (.*)$/m.exec(event)?.[1];
        if (!data) continue;
        const { data: result, errors } = JSON.parse(data);
        this.#take(result?.live, errors);
      }
    }
  }

  #take(message: Message | undefined | null, errors: unknown): void {
    if (!message) {
      // A node that cannot reach Redis just now says so, and is asked again.
      if (!JSON.stringify(errors ?? 'nothing').includes('STORE_UNAVAILABLE'))
        this.problems.push(JSON.stringify(errors));
      return;
    }
    this.messages += 1;
    const [before, now] = [this.#parse(this.position), this.#parse(message.position)];
    const same = before.epoch === now.epoch;
    if (this.kind === 'feed') {
      this.gaps += Number(message.gap);
      const follows = before.epoch === '' || (same && now.version === before.version + 1);
      if (!follows && !message.gap) this.problems.push(`${message.position} after ${this.position} without a gap`);
    } else {
      this.stale += Number(message.stale);
      this.resyncs += Number(message.resync);
      if (same && now.version < before.version) this.problems.push(`${message.position} after ${this.position}`);
      if (before.epoch !== '' && !same && !message.resync) this.problems.push('another epoch without resync');
      this.#show(message);
    }
    this.position = message.position;
  }

  #show(message: Message): void {
    const { entry, entries = null, changes = [] } = message;
    this.entries =
      entry !== undefined ? (entry ? [entry] : []) : applyUpdate(this.entries, { ...message, entries, changes });
    const key = `${this.kind === 'patches' ? 'top' : this.kind} ${this.member} ${message.position} of ${message.entryCount}`;
    const text = JSON.stringify(this.entries);
    const known = this.#seen.get(key);
    if (known === undefined) this.#seen.set(key, text);
    else if (known !== text) this.problems.push(`${key} is ${text} here and ${known} elsewhere`);
  }

  #parse(position: string | null) {
    const [, epoch = '', version = '0'] = position?.split('/') ?? [];
    return { epoch, version: Number(version) };
  }
}
