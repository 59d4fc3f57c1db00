import { SingleBar } from 'cli-progress';
import { note, type Terminal } from './terminal.ts';

export interface Progress {
  /** Units done of the total, and what to say beside them. */
  update(done: number, text: string): void;
  /** A line of its own, above the bar. */
  say(line: string): void;
  stop(): void;
}

/** Where nobody watches, a line now and then is enough. */
const lineEveryMs = 5000;

/** A bar that is drawn over again where a person watches, else a plain line every few seconds. */
export function startProgress(terminal: Terminal, total: number): Progress {
  return terminal.interactive ? startBar(terminal, total) : startLines(terminal, total);
}

function startBar(terminal: Terminal, total: number): Progress {
  const bar = new SingleBar({
    format: '{bar} {percentage}% | {text}',
    stream: terminal.notes,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
  });
  bar.start(total, 0, { text: '' });
  return {
    update: (done, text) => bar.update(Math.min(done, total), { text }),
    say: (line) => note(terminal, `\r\x1b[K${line}`),
    stop: () => bar.stop(),
  };
}

function startLines(terminal: Terminal, total: number): Progress {
  let last = performance.now();
  return {
    update(done, text) {
      if (performance.now() - last < lineEveryMs) return;
      last = performance.now();
      note(terminal, `${Math.floor((100 * done) / Math.max(total, 1))}% | ${text}`);
    },
    say: (line) => note(terminal, line),
    stop: () => undefined,
  };
}
