import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

export interface PrivateServer {
  readonly socketPath: string;
  /** Resolves, never rejects, with the reason in words once the server has ended, whoever ended it. */
  readonly exited: Promise<string>;
  /** Ends the server after it has written everything out, and resolves when it is gone. May be called twice. */
  stop(): Promise<void>;
}

const lockedExitCode = 75;
const answerTimeoutMs = 30_000;
const stopTimeoutMs = 30_000;
const lockTimeoutMs = 15_000;
const pollMs = 20;
const keptLogLines = 15;
/** `sun_path` holds 104 bytes with its final NUL on macOS and BSD, 108 on Linux. */
const maxSocketPathBytes = 103;

/**
 * Runs as `sh -c … sh <lock file> <socket directory> <server and arguments>`; fd 3 is the lock file, fd 4 the lifeline.
 *
 * The server inherits fd 3, so the kernel holds the lock exactly as long as the server lives, whatever becomes of Laurel.
 * The lifeline's other end is open only in Laurel: when it closes, at the latest with Laurel's death, the watcher ends
 * the server. `$$` cannot name a stranger by then: it is the watcher's process group, so the system does not reuse it.
 */
const launchScript = `
lock=$1 sockets=$2; shift 2
if command -v flock >/dev/null 2>&1; then flock -n 3
else perl -e 'open(my $f, ">&=", 3) or exit 2; exit(flock($f, 6) ? 0 : 1)'
fi
case $? in 0) ;; 1) exit ${lockedExitCode} ;; *) exit 1 ;; esac
echo $PPID >"$lock"
(read -r _ <&4; kill -TERM $$; rm -rf "$sockets") 3>&- >/dev/null 2>&1 &
exec "$@" 4<&-
`;

/**
 * Starts a Redis of our own on a unix socket, with its data under `dataDir`/redis, and resolves once it answers.
 * Rejects, leaving nothing behind, when another Laurel uses `dataDir` or the server does not come up.
 */
export async function startPrivateServer(options: { binary: string; dataDir: string }): Promise<PrivateServer> {
  const dataDir = resolve(options.dataDir);
  const lockPath = join(dataDir, 'laurel.lock');
  mkdirSync(join(dataDir, 'redis'), { recursive: true, mode: 0o700 });
  const deadline = Date.now() + lockTimeoutMs;
  for (;;) {
    const launch = launchServer(options.binary, dataDir, lockPath);
    const failure = await untilAnswering(launch);
    if (failure === null) return launch;
    if (launch.child.exitCode !== lockedExitCode) throw new Error(`The private Redis did not start: ${failure}`);
    const holder = Number.parseInt(readFileSync(lockPath, 'utf8'), 10);
    if (isRunning(holder) || Date.now() > deadline) {
      throw new Error(
        `${dataDir} is in use by another Laurel (process ${holder}). Stop that one, or set DATA_DIR to a directory of its own for this one.`,
      );
    }
    // The Laurel that held the lock was killed; its server is still writing out its data and is about to end.
    await delay(pollMs);
  }
}

interface Launch extends PrivateServer {
  readonly child: ChildProcess;
}

function launchServer(binary: string, dataDir: string, lockPath: string): Launch {
  const sockets = mkdtempSync(join(tmpdir(), 'laurel-'));
  const socketPath = join(sockets, 'redis.sock');
  if (Buffer.byteLength(socketPath) > maxSocketPathBytes) {
    rmSync(sockets, { recursive: true });
    throw new Error(`${socketPath} is too long for a socket: set TMPDIR to a directory with a shorter path.`);
  }
  const lock = openSync(lockPath, 'a', 0o600);
  // Detached: a session of its own, so that a terminal's Ctrl-C reaches Laurel alone, which drains before it stops Redis.
  const child = spawn(
    'sh',
    ['-c', launchScript, 'sh', lockPath, sockets, binary, ...serverArguments(socketPath, dataDir)],
    { detached: true, stdio: ['ignore', 'pipe', 'pipe', lock, 'pipe'] },
  );
  closeSync(lock);
  const lastLines = keepLastLines(child);
  const exited = new Promise<string>((done) => {
    child.once('error', (error) => done(error.message));
    child.once('close', (code, signal) =>
      done([`${binary} ended with ${signal ?? `code ${code}`}`, ...(code === 0 ? [] : lastLines)].join('\n  ')),
    );
  });
  // Before 'close', which waits for the lifeline too.
  child.once('exit', () => child.stdio[4]?.destroy());
  exited.then(() => rmSync(sockets, { recursive: true, force: true }));
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    await exited;
    clearTimeout(timer);
  };
  return { child, socketPath, exited, stop };
}

function serverArguments(socketPath: string, dataDir: string): string[] {
  const settings: Record<string, string> = {
    port: '0',
    unixsocket: socketPath,
    unixsocketperm: '700',
    dir: join(dataDir, 'redis'),
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    'lazyfree-lazy-expire': 'yes',
    'lazyfree-lazy-server-del': 'yes',
    'lazyfree-lazy-user-del': 'yes',
    daemonize: 'no',
    logfile: '',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

function keepLastLines(child: ChildProcess): string[] {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      if (lines.length > keptLogLines) lines.shift();
    });
  }
  return lines;
}

/**
 * Null once the server answers, else why it never will; it has ended by then. A server that is loading its data may take
 * as long as it needs.
 */
async function untilAnswering({ child, socketPath, exited, stop }: Launch): Promise<string | null> {
  let deadline = Date.now() + answerTimeoutMs;
  while (child.exitCode === null && child.signalCode === null) {
    const reply = await ping(socketPath);
    if (reply.startsWith('+PONG')) return null;
    if (reply.startsWith('-LOADING')) deadline = Date.now() + answerTimeoutMs;
    if (Date.now() > deadline) {
      await stop();
      return `no answer within ${answerTimeoutMs / 1000} s`;
    }
    await delay(pollMs);
  }
  return exited;
}

function ping(socketPath: string): Promise<string> {
  return new Promise((done) => {
    const socket = createConnection(socketPath, () => socket.write('PING\r\n'));
    socket.setTimeout(1000, () => socket.destroy());
    socket.once('data', (reply) => {
      done(reply.toString());
      socket.destroy();
    });
    socket.once('error', () => done(''));
    socket.once('close', () => done(''));
  });
}

function isRunning(pid: number): boolean {
  try {
    // A pid of 0 or NaN would ask about ourselves.
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
