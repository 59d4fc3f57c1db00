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

const ownFolder = new URL('./scripts/', import.meta.url);

/**
 * The text of a script, with each `--- @include name` line replaced by the shared part of that name. The tests read
 * faulty scripts from another folder to see themselves fail.
 */
export function scriptText(name: ScriptName, folder: URL = ownFolder): string {
  const read = (path: string) => readFileSync(new URL(path, folder), 'utf8');
  return read(`${name}.lua`).replaceAll(/^--- @include (\w+)$/gm, (_, part: string) => read(`include/${part}.lua`));
}
