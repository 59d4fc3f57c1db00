import { once } from 'node:events';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

interface Result {
  readonly rows: Record<string, unknown>[];
  readonly affectedRows: number;
}

type Reply = { readonly result: Result } | { readonly error: { readonly message: string; readonly code?: string } };

export interface EmbeddedProcess {
  /** One after another: a query waits for those before it. */
  query(text: string, parameters: readonly unknown[]): Promise<Result>;
  stop(): Promise<void>;
}

/**
 * The database computes in a thread of its own, since a statement over a whole period would stop everything else for
 * seconds. Plain JavaScript in a text, because this thread must run from sources and from a build alike.
 * 64-bit integers stay text, as the driver for PostgreSQL has them. The default of 128 MB of buffers is the whole
 * machine's on a server, and all ours here.
 */
const workerScript = `
const { parentPort, workerData } = require('node:worker_threads');
import(workerData.library).then(async ({ PGlite }) => {
  const db = await PGlite.create({
    dataDir: workerData.files,
    parsers: { 20: (text) => text },
    startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
  });
  const answer = async (message) => {
    if (message === 'stop') {
      await db.close();
      return parentPort.close();
    }
    try {
      const { rows, affectedRows = 0 } = await db.query(message.text, message.parameters);
      parentPort.postMessage({ result: { rows, affectedRows } });
    } catch ({ message, code }) {
      parentPort.postMessage({ error: { message, code } });
    }
  };
  let last = Promise.resolve();
  parentPort.on('message', (message) => {
    last = last.then(() => answer(message));
  });
  parentPort.postMessage('ready');
});
`;

/** Resolves when the database answers. */
export async function startEmbedded(files: string): Promise<EmbeddedProcess> {
  const library = pathToFileURL(createRequire(import.meta.url).resolve('@electric-sql/pglite')).href;
  const worker = new Worker(workerScript, { eval: true, workerData: { library, files } });
  const waiting: { resolve: (result: Result) => void; reject: (error: Error) => void }[] = [];
  let failure: Error | null = null;
  const exited = new Promise<void>((done) => worker.once('exit', () => done()));
  const fail = (error: Error) => {
    failure ??= new Error(`the embedded database stopped: ${error.message}`);
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  await Promise.race([once(worker, 'message'), exited.then(() => Promise.reject(new Error('it ended at once')))]);
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('its thread has ended')));
  worker.on('message', (reply: Reply) => {
    const next = waiting.shift();
    if ('result' in reply) next?.resolve(reply.result);
    else next?.reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }));
  });
  return {
    query: (text, parameters) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure);
        waiting.push({ resolve, reject });
        worker.postMessage({ text, parameters });
      }),
    async stop() {
      worker.postMessage('stop');
      await exited;
    },
  };
}
