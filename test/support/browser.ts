import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll } from 'vitest';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Without its services: they would go to the network by themselves, and nothing may go there but what a page asks. */
const settings = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The network is cut off: no name has an address.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** Chromium or Chrome: CHROMIUM_PATH, else the first on the PATH. Throws where there is none. */
function findBrowser({ CHROMIUM_PATH, PATH = '' }: NodeJS.ProcessEnv): string {
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  const candidates = CHROMIUM_PATH
    ? [CHROMIUM_PATH]
    : names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = candidates.find(isExecutable);
  if (found) return found;
  const looked = CHROMIUM_PATH ? `CHROMIUM_PATH is ${CHROMIUM_PATH}` : `looked on the PATH for ${names.join(', ')}`;
  throw new Error(`The browser tests need Chromium (apt-get install chromium), but there is none: ${looked}.`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

let opened: Promise<Browser> | null = null;

afterAll(async () => {
  await (await opened)?.close();
  opened = null;
});

/** The headless browser of a file of tests; each has contexts of its own. */
export function openBrowser(): Promise<Browser> {
  opened ??= chromium.launch({ executablePath: findBrowser(process.env), headless: true, args: settings });
  return opened;
}
