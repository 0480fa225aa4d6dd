import { systemTimers, type Timers } from '../timers.ts';
import { type AmiAccount, type AmiConnection, openAmiConnection } from './connection.ts';
import { AmiError } from './error.ts';
import type { AmiAction, AmiMessage } from './message.ts';
import type { AmiAnswer } from './pending-actions.ts';

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
/** An engine on the same network answers within milliseconds. */
const TIMEOUT_MS = 10_000;
/** Idle time after which the connection is closed: without requests the engine need not send its events. */
const IDLE_MS = 10 * 60_000;

interface AmiClientOptions {
  readonly timers?: Timers;
  /** For connecting, signing in and every action; default 10 s. */
  readonly timeoutMs?: number;
  /** Called for every event of the classes `call` and `user`. */
  readonly onEvent?: (event: AmiMessage) => void;
  /** Each time the engine let us in. */
  readonly onSignedIn?: () => void;
}

/** Speaks to one engine as one user. The connection is opened for the first question and again after it was lost. */
export interface AmiClient {
  /** Connected and signed in. Throws AmiError. */
  ready(): Promise<void>;
  /**
   * Throws AmiError; one action is never written twice. `event` names the event that is the answer, where the engine answers
   * neither with the response nor with a list.
   */
  sendAction(action: AmiAction, event?: string): Promise<AmiAnswer>;
  close(): void;
}

export function createAmiClient(account: AmiAccount, options: AmiClientOptions = {}): AmiClient {
  return new Client(account, options);
}

class Client implements AmiClient {
  readonly #account: AmiAccount;
  readonly #options: AmiClientOptions;
  readonly #timers: Timers;
  readonly #timeoutMs: number;
  #opening: Promise<AmiConnection> | null = null;
  #connection: AmiConnection | null = null;
  #failures = 0;
  #isClosed = false;
  #endRetry: () => void = () => undefined;
  #endIdle: () => void = () => undefined;

  constructor(account: AmiAccount, options: AmiClientOptions) {
    this.#account = account;
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  }

  async ready(): Promise<void> {
    this.#scheduleIdleClose();
    await this.#connected();
  }

  async sendAction(action: AmiAction, event?: string): Promise<AmiAnswer> {
    this.#scheduleIdleClose();
    return await (await this.#connected()).sendAction(action, { timeoutMs: this.#timeoutMs, event });
  }

  close(): void {
    this.#isClosed = true;
    this.#endIdle();
    this.#disconnect();
  }

  async #connected(): Promise<AmiConnection> {
    if (this.#isClosed) throw new AmiError('connection', 'the client is closed', { wrote: false });
    if (this.#connection) return this.#connection;
    this.#endRetry();
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null;
    });
    return await this.#opening;
  }

  async #open(): Promise<AmiConnection> {
    const opened = await openAmiConnection(this.#account, {
      timers: this.#timers,
      timeoutMs: this.#timeoutMs,
      onEvent: (event) => this.#options.onEvent?.(event),
      onEnd: () => {
        this.#connection = null;
        this.#retryLater();
      },
    });
    this.#failures = 0;
    if (this.#isClosed) opened.end();
    else this.#connection = opened;
    if (!this.#isClosed) this.#options.onSignedIn?.();
    return opened;
  }

  /** Reconnects after a lost connection, as a caller may still wait for events; the delay doubles each time. */
  #retryLater(): void {
    if (this.#isClosed) return;
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, MAX_RETRY_MS);
    this.#failures += 1;
    this.#endRetry();
    this.#endRetry = this.#timers.after(waitMs, () => {
      this.#connected().catch(() => this.#retryLater());
    });
  }

  #scheduleIdleClose(): void {
    this.#endIdle();
    this.#endIdle = this.#timers.after(IDLE_MS, () => this.#disconnect());
  }

  #disconnect(): void {
    const left = this.#connection;
    this.#connection = null;
    left?.end();
    this.#endRetry();
  }
}
