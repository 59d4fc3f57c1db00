import type { Client } from './client.ts';
import type { Terminal } from './terminal.ts';

/** What every command works with. */
export interface Session {
  readonly client: Client;
  readonly terminal: Terminal;
  /** Aborts on Ctrl-C: finish the step at hand, clean up, stop. */
  readonly signal: AbortSignal;
  readonly url: string;
}

/** Opens a session with the global options as they were given. */
export type OpenSession = () => Session;
