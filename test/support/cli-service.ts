import { startApp } from '../../src/app.ts';
import { adminKey, startTestApp, testConfig } from './app.ts';
import { type CommandRun, runLaurel } from './command-line.ts';

export interface Laurel {
  (...args: string[]): Promise<CommandRun>;
  readonly url: string;
}

/** The command line with a service of its own, until the test is finished. */
export async function serviceAndLaurel(): Promise<Laurel> {
  const app = await startTestApp();
  const url = `${app.url}/graphql`;
  return Object.assign((...args: string[]) => runLaurel(args, { url, key: adminKey }), { url });
}

/** A service that the test itself stops. */
export const startService = (port = 0) => startApp(testConfig({ port }));

/** Score by member, as an export in CSV has them. */
export function scoresOf({ out }: CommandRun): Record<string, number> {
  const rows = out.trim().split('\n').slice(1);
  return Object.fromEntries(rows.map((row) => [row.split(',')[3] ?? '', Number(row.split(',')[5])]));
}
