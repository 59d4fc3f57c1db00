import { readdirSync, readFileSync } from 'node:fs';

interface ProcessInfo {
  readonly pid: number;
  readonly state: string;
  readonly group: number;
}

/**
 * Ids of the processes of a process group. The dead whom nobody has waited for are left out: whether an orphan is
 * waited for is the affair of the machine's first process.
 */
export function processesOfGroup(group: number): number[] {
  if (process.platform !== 'linux') return isAlive(-group) ? [group] : [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])
    .filter((info) => info.group === group && info.state !== 'Z')
    .map(({ pid }) => pid);
}

function readProcess(pid: number): ProcessInfo | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before these fields may hold spaces and parentheses.
    const [state = '', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, state, group: Number(group) };
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
