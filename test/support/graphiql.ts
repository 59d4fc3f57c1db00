import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { openBrowser } from './browser.ts';
import { until } from './until.ts';

const screenshots = join(import.meta.dirname, '../browser/screenshots');

/** So large that no result is scrolled or wrapped: an editor keeps in the page only what it shows. */
const viewport = { width: 2800, height: 2000 };
const usualViewport = { width: 1400, height: 900 };

interface TabState {
  readonly tabs: readonly { readonly title: string; readonly headers: string | null }[];
  readonly activeTabIndex: number;
}

const withoutSpace = (text: string) => text.replaceAll(/\s/g, '');

/** What a browser shows of GraphiQL, and all that it did on the way. Nothing leaves for another origin than the service's. */
export class Graphiql {
  readonly page: Page;
  /** Addresses of another origin that the page asked for; they were refused. */
  readonly strayed: string[] = [];
  /** Errors and warnings in the console, and exceptions. */
  readonly complaints: string[] = [];
  /** Addresses of the websockets that were opened. */
  readonly websockets: string[] = [];

  private constructor(page: Page, origin: string) {
    this.page = page;
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('websocket', (websocket) => this.websockets.push(websocket.url()));
    // A page's request, a frame's and a worker's; one for `data:` goes nowhere.
    page.context().on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol !== 'data:' && url.origin !== origin) this.strayed.push(url.href);
    });
  }

  /** Opens it, with another query than the examples where one is given. */
  static async open(url: string, query?: string): Promise<Graphiql> {
    const browser = await openBrowser();
    const page = await browser.newPage({
      viewport,
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    onTestFinished(() => page.close());
    const graphiql = new Graphiql(page, url);
    await page.route(
      (to) => to.protocol !== 'data:' && to.origin !== url,
      (route) => route.abort(),
    );
    await page.goto(`${url}/graphql${query === undefined ? '' : `?query=${encodeURIComponent(query)}`}`);
    await graphiql.#loaded();
    return graphiql;
  }

  /** As a reader does who looks first: GraphiQL keeps what was changed only after a moment. */
  async reload(): Promise<void> {
    const shown = [await this.selected(), withoutSpace(await this.headers())];
    await until(async () => isDeepStrictEqual(await this.#kept(), shown), 15_000);
    await this.page.reload();
    await this.#loaded();
  }

  async #loaded(): Promise<void> {
    await this.#lines(this.#editor('operation.graphql')).first().waitFor();
  }

  /** The tab in front and its headers, as they are to be after a reload; null where the address names another. */
  async #kept(): Promise<[string, string] | null> {
    const state = await this.page.evaluate(() => localStorage.getItem('graphiql:tabState') ?? '');
    // Not written yet, just after a change.
    if (!state) return null;
    const { tabs, activeTabIndex }: TabState = JSON.parse(state);
    const { title = '', headers = '' } = tabs[activeTabIndex] ?? {};
    const asked = new URL(this.page.url()).searchParams.get('query') ?? title;
    return asked.includes(title) ? [title, withoutSpace(headers ?? '')] : null;
  }

  async tabs(): Promise<string[]> {
    return this.page.getByRole('tab').allInnerTexts();
  }

  /** The tab in front. */
  async selected(): Promise<string> {
    return (await this.page.getByRole('tab', { selected: true }).getByRole('button').first().textContent()) ?? '';
  }

  async openTab(name: string): Promise<void> {
    const tab = this.page.getByRole('tab').filter({ has: this.page.getByRole('button', { name, exact: true }) });
    // The tabs slide to their places when the page opens: a click that comes too early is lost.
    await until(async () => {
      await tab.getByRole('button', { name, exact: true }).click();
      return (await tab.getAttribute('aria-selected')) === 'true';
    });
  }

  /** Presses the button that runs the operation, or that ends a subscription. */
  /** What is on the screen, for the message of a failed test. */
  async state(): Promise<string> {
    const text = await this.#text(this.page.locator('.result-window'));
    return `${(await this.isRunning()) ? 'running' : 'at rest'}, ${await this.selected()}, ${text.length} characters: ${text.slice(0, 200)} … ${text.slice(-100)}`;
  }

  /** Whether an operation runs: then the play button is there to stop it. */
  async isRunning(): Promise<boolean> {
    const label = await this.page.locator('.graphiql-execute-button').getAttribute('aria-label');
    return label?.startsWith('Stop') ?? false;
  }

  /** Presses play, or stop. While the page still loads, a press can be lost: then again, as people do. */
  async press(): Promise<void> {
    const button = this.page.locator('.graphiql-execute-button');
    if (await this.isRunning()) {
      await button.click();
      return;
    }
    const before = await this.#text(this.page.locator('.result-window'));
    const answered = async () => {
      const text = await this.#text(this.page.locator('.result-window'));
      // For a moment after a change of tabs GraphiQL still looks for the operation of the one before.
      if (text.includes('Cannot infer operation')) return false;
      return text !== before || (await this.isRunning());
    };
    for (let press = 1; press <= 5; press += 1) {
      await button.click();
      if (await until(answered, 3_000).catch(() => false)) return;
    }
  }

  /** Replaces the headers that go with the tab's operation. */
  async setHeaders(headers: Readonly<Record<string, string>>): Promise<void> {
    await this.#editor('request-headers.json').click();
    await this.page.keyboard.press('ControlOrMeta+A');
    // Pasted: to what is typed the editor adds closing brackets of its own.
    await this.page.evaluate((text) => navigator.clipboard.writeText(text), JSON.stringify(headers, null, 2));
    await this.page.keyboard.press('ControlOrMeta+V');
  }

  headers(): Promise<string> {
    return this.#text(this.#editor('request-headers.json'));
  }

  /** The result as it can be read on the screen; undefined where none is, or only half of one. */
  async result(): Promise<unknown> {
    const text = await this.#text(this.page.locator('.result-window'));
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  /** For people to look at, in a window of usual size. */
  async screenshot(name: string): Promise<void> {
    await this.page.setViewportSize(usualViewport);
    await this.page.screenshot({ path: join(screenshots, `${name}.png`), animations: 'disabled' });
    await this.page.setViewportSize(viewport);
  }

  #editor(name: string): Locator {
    return this.page.locator(`.monaco-editor[data-uri$="${name}"]`);
  }

  #lines = (within: Locator): Locator => within.locator('.view-line');

  /** An editor keeps its lines in any order. */
  async #text(within: Locator): Promise<string> {
    const lines = await this.#lines(within).evaluateAll((elements) =>
      elements.map((element) => ({ top: element.getBoundingClientRect().top, text: element.textContent ?? '' })),
    );
    const inOrder = lines.sort((a, b) => a.top - b.top);
    return inOrder.map(({ text }) => text.replaceAll('\u00a0', ' ')).join('\n');
  }
}
