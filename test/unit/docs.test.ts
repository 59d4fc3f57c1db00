import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { schema } from '../../src/graphql/schema.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const filesIn = (folder: string, ending: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

const pages = [...filesIn('.', '.md'), ...filesIn('docs', '.md')];

const fences = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code = '']) => code);

/** GraphQL as readers meet it: in a block of its own, in the body of a curl command, in a client's program. */
const snippets = pages.flatMap((page) => {
  const text = read(page);
  const bodies = fences(text, 'sh').flatMap((code) => [...code.matchAll(/-d '(\{.*?\})'/gs)]);
  const programs = fences(text, 'js').flatMap((code) => [...code.matchAll(/query = `(.*?)`/gs)]);
  return [
    ...fences(text, 'graphql'),
    ...bodies.map(([, body = '']) => JSON.parse(body).query as string),
    ...programs.map(([, query = '']) => query),
  ].map((query) => ({ page, query, name: query.trim().split('\n')[0] }));
});

describe('GraphQL in the docs', () => {
  test('is found in the README and in the tour, in every form', () => {
    expect(snippets.filter(({ page }) => page === 'README.md')).toHaveLength(7);
    expect(snippets.filter(({ page }) => page === 'docs/api.md').length).toBeGreaterThanOrEqual(10);
  });

  test.each(snippets)('$page: $name', ({ query }) => {
    expect(validate(schema, parse(query))).toEqual([]);
  });
});

/** A heading's anchor, as forges make it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsIn = (page: string) =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const links = pages.flatMap((page) =>
  [...new Set([...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link))]
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => ({ page, link })),
);

test.each(links)('$page: the link $link leads somewhere', ({ page, link }) => {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  expect(existsSync(join(root, target)), target).toBe(true);
  if (anchor !== undefined) expect(anchorsIn(target)).toContain(anchor);
});

describe('docs/rules.md', () => {
  const rules = [...read('docs/rules.md').matchAll(/^\*\*([A-Z]\d+)\. /gm)].map(([, rule = '']) => rule);
  const titles = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && path !== join('unit', 'docs.test.ts'))
    .flatMap((path) => [
      ...read(join('test', path)).matchAll(/\b(?:test|it|describe)(?:\.\w+)*(?:\([^()]*\))?\(\s*(['"`])(.*?)\1/gs),
    ])
    .map(([, , title = '']) => title);

  test('numbers each rule once', () => {
    expect(rules.length).toBeGreaterThanOrEqual(24);
    expect(new Set(rules).size).toBe(rules.length);
  });

  test.each(rules)('rule %s is named by a test', (rule) => {
    expect(titles.filter((title) => new RegExp(`\\b${rule}\\b`).test(title))).not.toEqual([]);
  });
});

test('docs/operations.md has the limits of the code', () => {
  const number = (value: number) => value.toLocaleString('en');
  const rows = [
    `| request body | ${limits.bodyBytes / 1024 ** 2} MiB |`,
    `| websocket message | ${limits.websocketMessageBytes / 1024} KiB |`,
    `| websockets per process | ${number(limits.connections)} |`,
    `| subscriptions per websocket | ${limits.subscriptionsPerConnection} |`,
    `| ${[limits.queryDepth, limits.queryBreadth, limits.queryComplexity].map(number).join(' · ')} (`,
    `| entries, boards or periods in a page | ${limits.pageSize} |`,
    `| entries of \`entriesChanged\` | ${limits.windowSize} |`,
    `| scores in \`submitScores\`, members in \`upsertMembers\` | ${number(limits.batchSize)} |`,
    `| scores in a block | ${limits.blockSize} |`,
    `| board key | ${limits.keyBytes} characters`,
    `| member id | ${limits.memberIdBytes} bytes |`,
    `| idempotency key | ${limits.idempotencyKeyBytes} bytes, remembered for ${limits.idempotencyTtlMs / 3_600_000} hours |`,
    `| title · display name | ${limits.titleBytes} bytes each |`,
    `| avatar URL | ${number(limits.avatarUrlBytes)} bytes |`,
    `| profile attributes | ${number(limits.attributesBytes)} bytes as JSON |`,
    `| event time ahead of the clock | ${limits.clockSkewMs / 1000} seconds |`,
    `| steps in a board's log, of up to 16 submissions each | about ${number(limits.logLength)} |`,
  ];
  const page = read('docs/operations.md');
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  expect(limits.displayNameBytes).toBe(limits.titleBytes);
});
