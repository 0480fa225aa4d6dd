import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../setup/free-port.ts';
import {
  createPostgresDatabase,
  dropPostgresDatabase,
  findServerPrograms,
  initialize,
  type Owner,
  unprivilegedOwner,
} from '../../setup/postgres.ts';
import { readUntil } from '../../setup/read-until.ts';

/** A PostgreSQL server on which each trial has a database of its own. */
export interface Databases {
  createDatabase(): Promise<string>;
  dropDatabase(url: string): Promise<void>;
}

/** One with its usual durability that a trial can stop, crash and start again. */
export interface DurablePostgres extends Databases {
  readonly port: number;
  /** Ends it: `fast` says goodbye to everybody, `immediate` is a crash, which is recovered from at the next start. */
  halt(mode: 'fast' | 'immediate'): Promise<void>;
  /** On the same port; what is there is recovered first. */
  start(): Promise<void>;
  /** Stops it and removes its folder. */
  close(): Promise<void>;
}

/** Databases on a server that is there already. */
export function databasesAt(url: string): Databases {
  return { createDatabase: () => createPostgresDatabase(url), dropDatabase: dropPostgresDatabase };
}

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** Starts a server, or says in one sentence why there is none. */
export async function startDurablePostgres(): Promise<DurablePostgres | { unavailable: string }> {
  const bin = process.platform === 'win32' ? null : findServerPrograms();
  if (bin === null) return { unavailable: 'the PostgreSQL server programs are not installed' };
  const owner = unprivilegedOwner();
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-endure-pg-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  for (const path of [folder, data])
    if (owner.uid !== undefined) chownSync(path, owner.uid, owner.gid ?? owner.uid);
  const failure = initialize(bin, data, owner);
  if (failure !== undefined) {
    rmSync(folder, { recursive: true, force: true });
    return { unavailable: `initdb failed: ${failure}` };
  }
  const port = await freePort();
  const server = new Server(join(bin, 'postgres'), { folder, port, owner });
  await server.start();
  return server;
}

class Server implements DurablePostgres {
  readonly #program: string;
  readonly #folder: string;
  readonly #owner: Owner;
  readonly port: number;
  #running: { child: ChildProcess; ended: Promise<unknown> } | null = null;

  constructor(program: string, { folder, port, owner }: { folder: string; port: number; owner: Owner }) {
    this.#program = program;
    this.#folder = folder;
    this.port = port;
    this.#owner = owner;
    // A trial that is ended takes its server with it.
    process.once('exit', () => this.#running?.child.kill('SIGQUIT'));
  }

  async start(): Promise<void> {
    if (this.#running) return;
    const folder = this.#folder;
    const words = ['-D', join(folder, 'data'), '-p', `${this.port}`, '-h', '127.0.0.1', '-k', folder];
    const child = spawn(this.#program, [...words, '-c', 'max_connections=60'], {
      ...this.#owner,
      cwd: folder,
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#running = { child, ended: once(child, 'exit') };
    await waitUntilRecovered(child);
  }

  async halt(mode: 'fast' | 'immediate'): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#running = null;
    running.child.kill(SIGNALS[mode]);
    await running.ended;
  }

  createDatabase(): Promise<string> {
    return databasesAt(`postgres://faxdesk@127.0.0.1:${this.port}/postgres`).createDatabase();
  }

  dropDatabase(url: string): Promise<void> {
    return dropPostgresDatabase(url);
  }

  async close(): Promise<void> {
    await this.halt('immediate');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Waits until the server accepts connections. Connections refused earlier are logged as well and mean nothing. */
async function waitUntilRecovered(child: ChildProcess): Promise<void> {
  if (!child.stderr) throw new Error('the server has no log');
  const isReady = (log: string) => log.includes('ready to accept connections');
  const log = await readUntil(child.stderr, isReady);
  if (!isReady(log)) throw new Error(`PostgreSQL did not start: ${log.slice(-500)}`);
}
