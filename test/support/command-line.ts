import { PassThrough } from 'node:stream';
import { runCommandLine, type Surroundings } from '../../src/cli/program.ts';

export interface CommandRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, as the `laurel` program would, and gathers what it says. */
export async function runLaurel(
  args: readonly string[],
  surroundings: Partial<Omit<Surroundings, 'terminal'>> & { interactive?: boolean } = {},
): Promise<CommandRun> {
  const results = gather();
  const notes = gather();
  const code = await runCommandLine(args, {
    terminal: { results: results.stream, notes: notes.stream, interactive: surroundings.interactive ?? false },
    signal: new AbortController().signal,
    url: 'http://127.0.0.1:1/graphql',
    key: null,
    keyOrigin: 'data/admin-api-key',
    patienceMs: 10_000,
    ...surroundings,
  });
  return { code, out: results.text(), err: notes.text() };
}

function gather() {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  return { stream, text: () => text };
}
