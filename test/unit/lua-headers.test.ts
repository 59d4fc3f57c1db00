import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { partNames, readLibrary, scriptNames } from '../../src/redis/scripts.ts';

const folder = new URL('../../src/redis/scripts/', import.meta.url);
const luaNames = (path: string) =>
  readdirSync(new URL(path, folder))
    .filter((file) => file.endsWith('.lua'))
    .map((file) => file.replace('.lua', ''));

interface Source {
  readonly header: string;
  /** Without comments. */
  readonly body: string;
  readonly lines: number;
}

function parse(text: string): Source {
  const lines = text.trimEnd().split('\n');
  const headerEnd = lines.findIndex((line) => !line.startsWith('--'));
  return {
    header: lines
      .slice(0, headerEnd)
      .map((line) => line.replace(/^-+\s*/, ''))
      .join('\n'),
    body: lines
      .slice(headerEnd)
      .filter((line) => !/^\s*--/.test(line))
      .join('\n'),
    lines: lines.length,
  };
}

const read = (path: string) => parse(readFileSync(new URL(path, folder), 'utf8'));
const scripts = luaNames('./').map((name) => ({ name, ...read(`${name}.lua`) }));
const parts = partNames.map((name) => ({ name, ...read(`include/${name}.lua`) }));

/** What a header says after a label, up to the next label. */
const section = (header: string, label: string) =>
  new RegExp(`(?:^|[\\s.])${label}: ([^]*?)(?=\\.?\\s(?:KEYS|ARGV|Returns|Defines): |$)`).exec(header)?.[1] ?? null;

const unique = (values: Iterable<string>) => [...new Set(values)].sort();
const captured = (text: string, pattern: RegExp) => unique([...text.matchAll(pattern)].map(([, found = '']) => found));

describe.each(scripts)('script $name', ({ name, header, body, lines }) => {
  it('is known to the program', () => {
    expect(scriptNames).toContain(name);
  });

  it('says in its header what it does, takes and returns', () => {
    expect(header).toMatch(/^[A-Z].*[.)]\n/);
    for (const label of ['KEYS', 'ARGV', 'Returns']) expect(section(header, label)).toBeTruthy();
  });

  it.each(['KEYS', 'ARGV'])('uses the %s of its header, all of them and no others', (label) => {
    const documented = section(header, label) ?? '';
    // `field, value, …` has no numbers.
    expect(captured(body, new RegExp(`${label}\\[(\\d+)\\]`, 'g'))).toEqual(
      captured(documented, /(?:^|[,;]\s)(\d+) /g),
    );
    const takesMore = new RegExp(
      `#${label}|periodOf\\(${label}|ipairs\\(${label}\\)|unpack\\(${label}|${label}\\[[^\\]\\d]|${label}\\[\\d+ [*+]|read, ${label}\\)`,
    );
    expect(takesMore.test(body)).toBe(/then |value, …/.test(documented));
  });

  it('binds them to names at once, before it does anything', () => {
    const uses = body.split('\n').filter((line) => /(KEYS|ARGV)\[\d+\]/.test(line));
    for (const line of uses) expect(line).toMatch(/^ {2}local [\w, ]+ = /);
    const [first = ''] = body.slice(body.indexOf('local function main(KEYS, ARGV)')).split(/redis\.call|enter\(/);
    for (const line of uses) expect(first).toContain(line);
  });

  it('uses fields of its request that the header names', () => {
    for (const field of captured(body, /\brequest\.(\w+)/g)) {
      const words = field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      expect([field, words].some((text) => section(header, 'ARGV')?.includes(text))).toBe(true);
    }
  });

  it('returns the statuses of its header, all of them and no others', () => {
    const status = /(?:^|\{ )'([A-Z]+)'/g;
    const returned = captured(body, /return (?:\{ )?'([A-Z]+)'/g);
    expect(returned).toEqual(captured(section(header, 'Returns') ?? '', status));
    expect(returned).not.toEqual([]);
  });

  it('is short', () => {
    expect(lines).toBeLessThanOrEqual(120);
  });
});

describe.each(parts)('include $name', ({ name, header, body, lines }) => {
  it('says in its header what it does, needs and defines', () => {
    expect(header).toMatch(/^[A-Z].*[.)]\n/);
    expect(section(header, 'Needs')).toBeTruthy();
    const defines = section(header, 'Defines') ?? '';
    const locals = captured(body, /^local (?:function )?(\w+)/gm);
    const named = locals.filter((one) => new RegExp(`\\b${one}\\b`).test(defines));
    expect(named).not.toEqual([]);
    // A function that it does not name it uses itself.
    for (const one of captured(body, /^local function (\w+)/gm).filter((each) => !named.includes(each))) {
      expect(body.split(new RegExp(`\\b${one}\\(`)).length).toBeGreaterThan(2);
    }
    // What it names exists.
    const [list = ''] = defines.split(/[.]|,\s+which/);
    for (const one of captured(list.replaceAll(/\([^)]*\)/g, ''), /(\w+)/g)) expect(locals).toContain(one);
  });

  it('takes what it needs from the parts before it: KEYS only where it is told, ARGV nowhere', () => {
    expect(body).not.toMatch(/\bARGV\b|\bKEYS\b(?!\[first\b|, first\b)/);
    const needs = (section(header, 'Needs') ?? '').replaceAll(/\([^)]*\)|\./g, '').split(',');
    const before: readonly string[] = partNames.slice(0, partNames.indexOf(name));
    for (const need of needs.map((text) => text.trim()).filter((text) => text !== '')) expect(before).toContain(need);
  });

  it('is in the library, and is short', () => {
    expect(readLibrary().text).toContain(body.trim().split('\n')[0]);
    expect(lines).toBeLessThanOrEqual(120);
  });
});

describe('all Lua', () => {
  it('is in the library', () => {
    expect(unique(scriptNames)).toEqual(unique(luaNames('./')));
    expect(unique(partNames)).toEqual(unique(luaNames('include/')));
  });

  it.each([...scripts, ...parts])('$name heeds the traps', ({ body }) => {
    // The same numbers after every start of the server.
    expect(body).not.toContain('math.random');
    // 14 digits. %d has all those of a whole number.
    expect(body).not.toMatch(/\btostring\(/);
    expect(body).not.toMatch(/%[\d.]*g\b/);
    // Blocks while a large set is freed.
    expect(body).not.toContain("'DEL'");
    // Swallows errors in the middle of a step.
    expect(body).not.toContain('redis.pcall');
    // Lua compares texts by strcoll: scores and members that Redis gave are texts.
    const texts = '(?:member|there|score|old|held|prefix|ordered|id|at|a|b)';
    expect(body).not.toMatch(new RegExp(`[<>]=? *${texts}\\b(?![.(\\[])`));
    expect(body).not.toMatch(new RegExp(`(?<![#.\\w])${texts} *[<>]`));
  });
});
