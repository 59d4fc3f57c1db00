import { onTestFinished } from 'vitest';
import { Collector } from './collector.ts';

interface Result {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { message: string; extensions?: Record<string, unknown> }[];
}

export interface EventStream extends Collector<Result> {
  readonly status: number;
  /** Hangs up, as a browser does that leaves the page. */
  hangUp(): void;
}

/** GraphQL over SSE, in its distinct connections mode: one POST, one stream. `end` is 'complete', or how it was cut. */
export async function openEventStream(
  url: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<EventStream> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query, variables }),
    signal: abort.signal,
  });
  const collector = new Collector<Result>();
  void read(response, collector).catch((error: unknown) => {
    collector.end ??= error;
  });
  return Object.assign(collector, { status: response.status, hangUp: () => abort.abort() });
}

async function read(response: Response, collector: Collector<Result>): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: ?(.*)$/m.exec(event)?.[1];
      if (/^event: ?complete$/m.test(event)) collector.end = 'complete';
      else if (/^event: ?next$/m.test(event) && data) collector.items.push(JSON.parse(data));
    }
  }
  collector.end ??= 'the connection ended';
}
