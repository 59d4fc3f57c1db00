import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import type { GraphiQLOptions } from 'graphql-yoga';
import { exampleTabs } from './examples.ts';

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="28" height="28"><rect x="2" y="16" width="9" height="13" rx="1.5" fill="#94a3b8"/><rect x="11.5" y="9" width="9" height="20" rx="1.5" fill="#d69e2e"/><rect x="21" y="20" width="9" height="9" rx="1.5" fill="#b7794b"/><circle cx="16" cy="4.5" r="3" fill="#2f855a"/></svg>`;

/** What differs from Yoga's own GraphiQL. */
const options: GraphiQLOptions = {
  title: 'Laurel',
  logo,
  favicon: `data:image/svg+xml,${encodeURIComponent(logo)}`,
  subscriptionsProtocol: 'WS',
  defaultTabs: exampleTabs,
  // No example has variables; those that write want the key.
  defaultEditorToolsVisibility: 'headers',
};

/** The editor frames letters that look like Latin ones, in names as well: a warning about code, out of place here. */
const style =
  '<style>.monaco-editor .unicode-highlight { border: none !important; background: none !important }</style>';

/**
 * GraphiQL keeps its tabs, but chooses among them by the address's query and the headers and variables typed last, in
 * whatever tab: where no tab has just these, a reload opens another one. So they are set to those of the tab to show.
 */
const script = `<script>{
  const kept = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{ "tabs": [] }');
  const address = new URL(location.href);
  const asked = address.searchParams.get('query');
  const active = kept.tabs[kept.activeTabIndex];
  const tab = asked === null || asked === active?.query ? active : kept.tabs.find(({ query }) => query === asked);
  if (tab) {
    address.searchParams.set('query', tab.query ?? '');
    history.replaceState({}, '', address);
    for (const name of ['variables', 'headers']) {
      if (tab[name]) localStorage.setItem('graphiql:' + name, tab[name]);
      else localStorage.removeItem('graphiql:' + name);
    }
  }
}</script>`;

let page: Uint8Array<ArrayBuffer> | null = null;

/** The page, scripts and all, always the same: 9 MB that take 50 ms to put together. */
export function graphiqlPage(): Uint8Array<ArrayBuffer> {
  page ??= new TextEncoder().encode(
    renderGraphiQL(options)
      .replace('</head>', `${style}</head>`)
      .replace('<div id="root">', `${script}<div id="root">`),
  );
  return page;
}
