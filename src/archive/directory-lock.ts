import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

/**
 * Runs as `sh -c … sh <lock file>`; fd 3 is the lock file. Says `locked`, and holds the lock until its input ends: at
 * the latest with the death of the process that started it.
 */
const holdScript = `
if command -v flock >/dev/null 2>&1; then flock -n 3
else perl -e 'open(my $f, ">&=", 3) or exit 2; exit(flock($f, 6) ? 0 : 1)'
fi || exit 1
echo $PPID >"$1"
echo locked
read -r _
`;

/**
 * Locks a file against every other holder, of this process too, and returns what releases it. The kernel holds the lock,
 * so nothing is left behind by a process that was killed. Rejects with the holder's process id where there is one.
 */
export async function lockFile(path: string): Promise<() => Promise<void>> {
  const file = openSync(path, 'a', 0o600);
  // Detached: a terminal's Ctrl-C must not release it before its owner is done.
  const holder = spawn('sh', ['-c', holdScript, 'sh', path], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore', file],
  });
  closeSync(file);
  const exited = once(holder, 'exit');
  const said = await Promise.race([once(holder.stdout as NodeJS.ReadableStream, 'data'), exited]);
  if (!String(said[0]).startsWith('locked')) {
    throw new Error(`it is in use by process ${readFileSync(path, 'utf8').trim() || 'unknown'}`);
  }
  return async () => {
    holder.stdin?.end();
    await exited;
  };
}
