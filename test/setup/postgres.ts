import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { readUntil } from './read-until.ts';

/** A PostgreSQL server of this test run, on 127.0.0.1, in a temporary folder, without durability. */
export interface TestPostgres {
  /** `postgres://faxdesk@127.0.0.1:<port>/<database>` */
  url(database: string): string;
  /** Makes an empty database and answers its URL. */
  createDatabase(): Promise<string>;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

export interface Owner {
  uid?: number;
  gid?: number;
}

const USER = 'faxdesk';
const FLAGS = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'max_connections=200',
  // A process would look at each of the many databases every minute, and none lives so long.
  'autovacuum=off',
  'jit=off',
];

// The shell outlives neither side: when its standard input closes (stop, or the death of the test run) it ends the
// server and removes the folder, so that nothing stays behind.
const SUPERVISOR = `
folder="$1"; shift
"$@" &
cat >/dev/null
kill -INT $! 2>/dev/null
wait $!
rm -rf "$folder"
`;

/** Starts a server, or says in one sentence why there is none. */
export async function startPostgres(): Promise<TestPostgres | { unavailable: string }> {
  if (process.platform === 'win32')
    return { unavailable: 'the PostgreSQL tests run on Linux and macOS only' };
  const bin = findServerPrograms();
  if (bin === null)
    return { unavailable: 'the PostgreSQL server programs (initdb, postgres) are not installed' };
  const owner = unprivilegedOwner();
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-pg-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  for (const path of [folder, data])
    if (owner.uid !== undefined) chownSync(path, owner.uid, owner.gid ?? owner.uid);
  const failure = initialize(bin, data, owner) ?? null;
  if (failure !== null) {
    rmSync(folder, { recursive: true, force: true });
    return { unavailable: `initdb failed: ${failure}` };
  }
  return await startServer(bin, folder, owner);
}

/** Creates a database on the server at `baseUrl`, empty or as a copy of `template`. Returns its URL. */
export async function createPostgresDatabase(baseUrl: string, template = 'template0'): Promise<string> {
  const name = `fax_${crypto.randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: withDatabase(baseUrl, 'postgres') });
  await client.connect();
  try {
    await client.query(`create database ${name} template ${template}`);
  } finally {
    await client.end();
  }
  return withDatabase(baseUrl, name);
}

/** Ends open connections and removes a database made by {@link createPostgresDatabase}. */
export async function dropPostgresDatabase(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: withDatabase(databaseUrl, 'postgres') });
  await client.connect();
  try {
    await client.query(`drop database if exists ${new URL(databaseUrl).pathname.slice(1)} with (force)`);
  } finally {
    await client.end();
  }
}

/** User of a database with all rights on its tables, who is no superuser, so that a limit of connections holds. */
interface LimitedUser {
  readonly url: string;
  /** Limits the connections of the user; -1 for no limit. */
  allow(connections: number): Promise<void>;
  endConnections(): Promise<void>;
  /** Removes the user, once the database is dropped. */
  drop(): Promise<void>;
}

export async function createLimitedUser(databaseUrl: string): Promise<LimitedUser> {
  const name = `limited_${crypto.randomUUID().replaceAll('-', '')}`;
  const run = async (database: string, ...statements: string[]) => {
    const client = new Client({ connectionString: database });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  await run(
    databaseUrl,
    `create role ${name} login`,
    `grant all on schema public to ${name}`,
    `grant all on all tables in schema public to ${name}`,
    `grant all on all sequences in schema public to ${name}`,
  );
  const url = new URL(databaseUrl);
  url.username = name;
  const server = withDatabase(databaseUrl, 'postgres');
  return {
    url: url.href,
    allow: (connections) => run(server, `alter role ${name} connection limit ${connections}`),
    endConnections: () =>
      run(server, `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${name}'`),
    drop: () => run(server, `drop role ${name}`),
  };
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** The folder with `initdb` and `postgres`: the newest Debian cluster version, else the one on PATH. */
export function findServerPrograms(): string | null {
  const versions = globSync('/usr/lib/postgresql/*/bin/postgres').map((path) => dirname(path));
  const newest = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  const folders = [
    ...(newest === undefined ? [] : [newest]),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find((path) => ['postgres', 'initdb'].every((name) => existsSync(join(path, name)))) ?? null;
}

/** PostgreSQL refuses to run as root: then the account `postgres`, or else `nobody`, runs it. */
export function unprivilegedOwner(): Owner {
  if (process.getuid?.() !== 0) return {};
  const account = idOf('postgres', '-u') === null ? 'nobody' : 'postgres';
  return { uid: idOf(account, '-u') ?? 65534, gid: idOf(account, '-g') ?? 65534 };
}

function idOf(account: string, flag: '-u' | '-g'): number | null {
  const { status, stdout } = spawnSync('id', [flag, account], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : null;
}

export function initialize(bin: string, data: string, owner: Owner): string | undefined {
  const args = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const env = { ...process.env, LC_ALL: 'C' };
  const run = spawnSync(join(bin, 'initdb'), args, { ...owner, cwd: data, env, encoding: 'utf8' });
  if (run.status === 0) return undefined;
  return run.error?.message ?? run.stderr.trim().split('\n').at(-1);
}

async function startServer(
  bin: string,
  folder: string,
  owner: Owner,
): Promise<TestPostgres | { unavailable: string }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const server = ['-D', join(folder, 'data'), '-p', String(port), '-h', '127.0.0.1', '-k', folder];
    const command = [join(bin, 'postgres'), ...server, ...FLAGS.flatMap((flag) => ['-c', flag])];
    const child = spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', folder, ...command], {
      ...owner,
      cwd: folder,
      detached: true,
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const problem = await waitUntilReady(child);
    if (problem === null) return describeServer(child, port, folder);
    const taken = problem.includes('could not create any TCP/IP sockets') && attempt < 3;
    if (!taken) {
      await stopServer(child, folder);
      return { unavailable: `the server did not start: ${problem}` };
    }
    child.kill('SIGKILL'); // the folder is needed again, so the shell must not come to its `rm`
  }
}

function describeServer(child: ChildProcess, port: number, folder: string): TestPostgres {
  const url = (database: string): string => `postgres://${USER}@127.0.0.1:${port}/${database}`;
  return {
    url,
    createDatabase: () => createPostgresDatabase(url('postgres')),
    stop: () => stopServer(child, folder),
  };
}

async function stopServer(child: ChildProcess, folder: string): Promise<void> {
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
  child.stdin?.end();
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

/** Null when the server accepts connections, else its last words. */
async function waitUntilReady(child: ChildProcess): Promise<string | null> {
  if (!child.stderr) throw new Error('the server has no log');
  const words = ['ready to accept connections', 'FATAL:', 'database system is shut down'];
  const log = await readUntil(child.stderr, (text) => words.some((word) => text.includes(word)));
  if (log.includes('ready to accept connections')) return null;
  return log.trim().split('\n').slice(-3).join(' ');
}
