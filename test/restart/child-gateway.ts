import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { BootOptions } from '../../server/config/boot.ts';
import { BUILT_CHILD } from '../setup/built-child.ts';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import { keepNoConnections } from '../setup/kept-connections.ts';

/**
 * A step after arming: its number from 1, the first so called while the store holds a fax in that state, or the first commit
 * before or after which the SQL query returns a row.
 */
export type KillPoint = number | { readonly label: string; readonly stored: string } | CommitPoint;

export interface CommitPoint {
  readonly label: 'before a commit' | 'after a commit';
  /** Before a commit it reads with the transaction. */
  readonly returns: string;
}

export interface ChildPlan {
  readonly boot: BootOptions;
  readonly environment: Record<string, string>;
  /** Step at which it is killed; null for none. */
  readonly killAt: KillPoint | null;
  /** TXT records by name; null leaves the DNS of the system. */
  readonly records: Record<string, string> | null;
  /** Difference of its clock to that of this computer. */
  readonly skewMs: number;
  /** Stands still right after the first commit that left a fax in this state on PostgreSQL; null for never. */
  readonly freezeAt: string | null;
  /** Folder to which the data is copied at each step after arming; null for no copies. */
  readonly copies: string | null;
}

/** A step whose data lies in the folder of its number. */
export interface CopiedStep {
  readonly label: string;
  /** True when a request with a change may have been answered with success by then. */
  readonly answered: boolean;
}

export interface ChildOrders {
  readonly arm?: true;
  readonly advanceMs?: number;
  readonly stop?: true;
}

/** A gateway in a process of its own that can be killed. */
export class ChildGateway {
  url = '';
  /** The step at which it killed itself. */
  diedAt = '';
  errors = '';
  readonly ended: Promise<{ killed: boolean }>;
  readonly #process: ChildProcess;

  /** `codeCache` is a folder that keeps compiled modules: the second child starts in half the time. Without `port`, any free one. */
  constructor(
    dataFolder: string,
    environment: Record<string, string>,
    options: {
      killAt?: KillPoint;
      copies?: string;
      codeCache: string;
      port?: number;
      records?: Record<string, string>;
      databaseUrl?: string;
      /** The only gateway on its database. */
      isAlone?: boolean;
      skewMs?: number;
      freezeAt?: string;
    },
  ) {
    const plan: ChildPlan = {
      boot: {
        dataFolder,
        host: '127.0.0.1',
        port: options.port ?? 0,
        databaseUrl: options.databaseUrl ?? null,
        severalGateways: options.databaseUrl !== undefined && !options.isAlone,
        apiKey: INSTALLATION_KEY,
        requireApiKey: true,
        dataKey: null,
      },
      environment,
      killAt: options.killAt ?? null,
      records: options.records ?? null,
      skewMs: options.skewMs ?? 0,
      freezeAt: options.freezeAt ?? null,
      copies: options.copies ?? null,
    };
    this.#process = fork(BUILT_CHILD, [JSON.stringify(plan)], {
      execArgv: [],
      env: { ...process.env, NODE_COMPILE_CACHE: options.codeCache },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#process.stdout?.on('data', (chunk) => (this.diedAt += String(chunk).trim()));
    this.#process.stderr?.on('data', (chunk) => (this.errors += String(chunk)));
    this.ended = once(this.#process, 'close').then(([, signal]) => ({ killed: signal === 'SIGKILL' }));
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Resolves with false when it ended before it was ready. */
  async ready(): Promise<boolean> {
    const reported = once(this.#process, 'message').then(([message]) => (message as { url: string }).url);
    keepNoConnections();
    this.url = await Promise.race([reported, this.ended.then(() => '')]);
    return this.url !== '';
  }

  order(orders: ChildOrders): void {
    if (this.isRunning) this.#process.send(orders, () => undefined);
  }

  kill(): Promise<{ killed: boolean }> {
    this.#process.kill('SIGKILL');
    return this.ended;
  }

  /** It stands still, as on a computer that does nothing for it; its connections stay. */
  stop(): void {
    this.#process.kill('SIGSTOP');
  }

  /** It goes on. */
  resume(): void {
    this.#process.kill('SIGCONT');
  }

  /** The parsed answer, or null when it could not be had because the process died. */
  async request<T>(
    method: string,
    path: string,
    form?: FormData | string,
    headers?: Record<string, string>,
  ): Promise<T | null> {
    try {
      const all = { 'X-API-Key': INSTALLATION_KEY, ...headers };
      const response = await fetch(`${this.url}${path}`, { method, headers: all, body: form });
      return (await response.json()) as T;
    } catch (error) {
      if (this.isRunning && (error as Error).name !== 'TypeError') throw error;
      return null;
    }
  }
}
