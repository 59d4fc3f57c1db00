import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export const scriptNames = [
  'create',
  'update',
  'delete',
  'renew',
  'submit',
  'remove',
  'read',
  'index',
  'freeze',
  'settle',
  'release',
  'snapshot',
] as const;
export type ScriptName = (typeof scriptNames)[number];

/** They make room, or what makes it waits for them: Redis runs them when its memory is full, too. */
const allowedWhenFull: readonly ScriptName[] = ['delete', 'release', 'remove', 'freeze', 'settle', 'renew'];

function flagsOf(name: ScriptName): string {
  if (name === 'read') return "flags = { 'no-writes' }, ";
  return allowedWhenFull.includes(name) ? "flags = { 'allow-oom' }, " : '';
}

/** What the scripts share, each part after those it needs. */
export const partNames = [
  'board',
  'keys',
  'order',
  'period',
  'tie',
  'distinct',
  'change',
  'announce',
  'submission',
  'policy',
  'write',
  'seek',
  'run',
  'window',
  'figures',
] as const;

/** Every library of Laurel's in Redis begins so. */
export const libraryPrefix = 'laurel_';

/** All scripts as one library of Redis functions, so that Redis compiles them once and not a part of them at each call. */
export interface Library {
  readonly name: string;
  /** For FUNCTION LOAD. */
  readonly text: string;
  /** The name a script is called by. */
  readonly functions: Readonly<Record<ScriptName, string>>;
}

/**
 * The library of the scripts in a folder. Its name and those of its functions hold a digest of the text, so that
 * processes of different versions do not meet in one Redis. The tests read faulty scripts to see themselves fail.
 */
export function readLibrary(folder = new URL('./scripts/', import.meta.url)): Library {
  const read = (path: string) => readFileSync(new URL(path, folder), 'utf8');
  const parts = partNames.map((name) => read(`include/${name}.lua`));
  const scripts = scriptNames.map((name) => [name, read(`${name}.lua`)] as const);
  const digest = createHash('sha256')
    .update(JSON.stringify([parts, scripts]))
    .digest('hex')
    .slice(0, 12);
  const named = scriptNames.map((script) => [script, `${libraryPrefix}${script}_${digest}`] as const);
  const functions = Object.fromEntries(named) as Record<ScriptName, string>;
  const registered = scripts.map(([name, text]) => {
    const register = `redis.register_function{ function_name = '${functions[name]}', ${flagsOf(name)}callback = main }`;
    return `do\n${text}${register}\nend\n`;
  });
  const name = `${libraryPrefix}${digest}`;
  return { name, text: [`#!lua name=${name}\n`, ...parts, ...registered].join(''), functions };
}
