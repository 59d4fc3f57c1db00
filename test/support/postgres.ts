import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { until } from './until.ts';

/** A PostgreSQL server that one suite has to itself. */
export interface PostgresServer {
  /** Of a database as empty as a new one, made by this call. */
  newDatabase(): string;
  /** Ends every connection to a database, as a restart would. */
  cutConnections(url: string): void;
  /** Ends the server without a word to anybody, and starts it again on what it had written out. */
  crash(): Promise<void>;
  /** What psql prints for a statement, given `input`. */
  psql(url: string, statement: string, input?: string): string;
  stop(): Promise<void>;
}

/** The newest PostgreSQL of Debian's, else that of PATH. */
function findBinaries(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...path()];
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')));
  if (!found)
    throw new Error('The tests need a PostgreSQL server, of any version from 14: apt-get install postgresql.');
  return found;
}

const path = () => (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (userInfo().uid !== 0) return undefined;
  const id = (flag: string, user: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  const user = ['postgres', 'nobody'].find((name) => {
    try {
      return id('-u', name) > 0;
    } catch {
      return false;
    }
  });
  if (!user) throw new Error('There is no user but root to run PostgreSQL as.');
  return { uid: id('-u', user), gid: id('-g', user) };
}

/** A lifeline: its other end is open only in the tests, so the server ends with them however they end. */
const launchScript = '(read -r _ <&3; kill -INT $$) & exec "$@" 3<&-';

/**
 * A private cluster on a unix socket, in a folder of its own. Its texts collate as in US English: whoever forgets that
 * board order is by bytes gets another order.
 */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  const bin = findBinaries();
  const user = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'laurel-pg-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const options = { ...user, cwd: folder, env: { ...process.env, HOME: folder, LC_ALL: 'C' } };
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
  const data = join(folder, 'data');
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'laurel', '-A', 'trust', '-N', ...locale], options);
  const all = { listen_addresses: '', unix_socket_directories: folder, fsync: 'off', ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const urlOf = (database: string) => `postgres://laurel@/${database}?host=${encodeURIComponent(folder)}`;
  const psql = (url: string, statement: string, input = '') =>
    execFileSync(join(bin, 'psql'), ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', url, '-c', statement], {
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
      input,
    });
  const launch = async () => {
    const launched = spawn('sh', ['-c', launchScript, 'sh', join(bin, 'postgres'), '-D', data, ...flags], {
      ...options,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    await until(() => answers(() => psql(urlOf('postgres'), 'select 1')), 30_000);
    return launched;
  };
  let server = await launch();
  let databases = 0;
  return {
    psql,
    newDatabase() {
      databases += 1;
      psql(urlOf('postgres'), `create database laurel_${databases}`);
      return urlOf(`laurel_${databases}`);
    },
    cutConnections(url) {
      psql(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
    },
    async crash() {
      await ended(server, 'SIGQUIT');
      server = await launch();
    },
    async stop() {
      await ended(server, 'SIGINT');
      rmSync(folder, { recursive: true });
    },
  };
}

function answers(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

/** SIGINT writes everything out first, SIGQUIT nothing. */
async function ended(server: ChildProcess, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = new Promise((done) => server.once('exit', done));
  server.kill(signal);
  await exited;
  server.stdio[3]?.destroy();
}
