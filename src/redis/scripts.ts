import { readdirSync, readFileSync } from 'node:fs';

export const scriptNames = ['create', 'update', 'delete', 'renew', 'submit', 'remove', 'read', 'index'] as const;
export type ScriptName = (typeof scriptNames)[number];

const folder = new URL('./scripts/', import.meta.url);
const readLua = (path: string) => readFileSync(new URL(path, folder), 'utf8');

const shared = new Map(
  readdirSync(new URL('./include/', folder)).map((file) => [file.replace('.lua', ''), readLua(`include/${file}`)]),
);

/** The text of a script, with each `--- @include name` line replaced by the shared part of that name. */
export function scriptText(name: ScriptName): string {
  return readLua(`${name}.lua`).replaceAll(/^--- @include (\w+)$/gm, (_, part: string) => {
    const text = shared.get(part);
    if (text === undefined) throw new Error(`${name}.lua includes ${part}, which does not exist`);
    return text;
  });
}
