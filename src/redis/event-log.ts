import type { EventLog, Logged } from '../core/ports.ts';
import type { DataConnection } from './connection.ts';
import { keys } from './keys.ts';
import { decodeMessage } from './message.ts';

/** The stream that the writing scripts add each message to. */
export class RedisEventLog implements EventLog {
  readonly #connection: DataConnection;

  constructor(connection: DataConnection) {
    this.#connection = connection;
  }

  async after(board: string, id: string, count: number): Promise<Logged[]> {
    const entries = await this.#connection.command((redis) =>
      redis.xrange(keys.log(board), `(${id}`, '+', 'COUNT', count),
    );
    return entries.map(decode);
  }

  async before(board: string, id: string | null, count: number): Promise<Logged[]> {
    const end = id === null ? '+' : `(${id}`;
    const entries = await this.#connection.command((redis) =>
      redis.xrevrange(keys.log(board), end, '-', 'COUNT', count),
    );
    return entries.map(decode);
  }
}

function decode([id, [, text = '']]: [string, string[]]): Logged {
  return { id, events: decodeMessage(text) ?? [] };
}
