import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { type UtilityProcess, utilityProcess } from 'electron';
import type { UpdateBackup } from '../server/index.ts';
import { createChildProcesses } from './child-processes.ts';
import { builtFile } from './files.ts';
import type { FromGateway, ToGateway } from './gateway-messages.ts';
import { verifyGateway } from './gateway-proof.ts';
import { createLogLines } from './log-lines.ts';

/** State of the gateway of this computer. */
export type GatewayState =
  | { readonly kind: 'starting'; readonly again: boolean }
  | { readonly kind: 'running'; readonly origin: string }
  /** It does not run and is not started by itself any more. */
  | { readonly kind: 'failed'; readonly sentence: string }
  | { readonly kind: 'stopped' };

interface GatewayEvents {
  state: [GatewayState];
  /** True while a fax is being handed to its provider. */
  submitting: [boolean];
}

const MAX_RESTARTS = 3;
const RESTART_WINDOW_MS = 5 * 60_000;
/** The gateway gives a running submission 10 s, and needs a moment to close its store. */
const STOP_TIMEOUT_MS = 14_000;
const SUSPEND_TIMEOUT_MS = 10_000;
const KEY_TIMEOUT_MS = 5_000;
/** Of a large installation on a slow disk. */
const BACKUP_TIMEOUT_MS = 60 * 60_000;

interface OwnGatewayParts {
  readonly dataFolder: string;
  readonly dataKey: () => Promise<Uint8Array | null>;
  /** The office has decided that it opens itself to no other computer. */
  readonly isNetworkOff: boolean;
}

/** Starts the gateway's process, watches it, and starts it again when it ends by itself: three times in five minutes. */
export function createOwnGateway(parts: OwnGatewayParts): OwnGateway {
  return new OwnGateway(parts);
}

export type { OwnGateway };

class OwnGateway extends EventEmitter<GatewayEvents> {
  readonly lines = createLogLines();
  readonly #parts: OwnGatewayParts;
  #state: GatewayState = { kind: 'stopped' };
  #process: UtilityProcess | null = null;
  #proofSecret = '';
  #port: number | null = null;
  #restarts: number[] = [];
  #refusal: string | null = null;
  #submitting = false;
  #stopping: Promise<void> | null = null;
  #acceptEmptyStore = false;
  #lastRequestId = 0;

  constructor(parts: OwnGatewayParts) {
    super();
    this.#parts = parts;
  }

  get state(): GatewayState {
    return this.#state;
  }

  /** There is a process, starting, running or stopping. */
  get isAlive(): boolean {
    return this.#process !== null;
  }

  get submitting(): boolean {
    return this.#submitting;
  }

  /** Starts it, and forgets how often it had to be started before. */
  async start(): Promise<void> {
    if (this.#process !== null || this.#state.kind === 'starting') return;
    this.#restarts = [];
    await this.#launch(false);
  }

  /** The next start moves documents aside that its store does not name, instead of stopping there. */
  acceptEmptyStore(): void {
    this.#acceptEmptyStore = true;
  }

  /** Resolves when the process has ended: it finishes a running submission first. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (child === null) return this.#setState({ kind: 'stopped' });
    this.#stopping ??= this.#end(child);
    await this.#stopping;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Before the computer sleeps: no new work, and a running submission is finished, for at most 10 s. */
  async suspend(): Promise<void> {
    await this.#request({ kind: 'suspend' }, (answer) => answer.kind === 'suspended', SUSPEND_TIMEOUT_MS);
  }

  resume(): void {
    this.#send({ kind: 'resume' });
  }

  /**
   * The installation key while the installation has no owner; null otherwise. Requested only from the gateway that
   * passes the proof.
   */
  async firstOwnerKey(): Promise<string | null> {
    if (this.#state.kind !== 'running') return null;
    if (!(await verifyGateway(this.#state.origin, this.#proofSecret))) return null;
    const answer = await this.#ask('first-owner-key', KEY_TIMEOUT_MS);
    return answer?.kind === 'first-owner-key' ? answer.key : null;
  }

  /** Has the gateway stop and make a backup; its process waits for `stop` then. */
  async backUp(): Promise<UpdateBackup> {
    const child = this.#process;
    const answer = await this.#ask('back-up', BACKUP_TIMEOUT_MS);
    if (answer?.kind === 'back-up') return answer;
    // A process that ended is started again already, or the application quits.
    const isStopped = child !== null && child === this.#process;
    return { problem: 'Faxdesk stopped, or took too long.', isStopped, file: null };
  }

  async #launch(again: boolean): Promise<void> {
    this.#setState({ kind: 'starting', again });
    this.#refusal = null;
    const dataKey = await this.#parts.dataKey().catch((error: unknown) => {
      this.#setState({ kind: 'failed', sentence: error instanceof Error ? error.message : String(error) });
      return undefined;
    });
    if (dataKey === undefined || this.#state.kind !== 'starting') return;
    const child = utilityProcess.fork(builtFile('gateway-process.mjs'), [], {
      serviceName: 'Faxdesk gateway',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    this.#proofSecret = randomBytes(32).toString('base64url');
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => this.#writeLog(bytes.toString('utf8')));
    const children = createChildProcesses(child);
    child.on('message', (message: FromGateway) => {
      children.handleMessage(message);
      void this.#handleMessage(child, message);
    });
    child.once('exit', (code: number) => {
      children.endAll();
      void this.#handleExit(child, code);
    });
    const acceptEmptyStore = this.#acceptEmptyStore;
    this.#acceptEmptyStore = false;
    const { dataFolder, isNetworkOff } = this.#parts;
    const order = { dataFolder, isNetworkOff, port: this.#port, proofSecret: this.#proofSecret, dataKey };
    this.#send({ kind: 'start', ...order, acceptEmptyStore });
  }

  async #handleMessage(child: UtilityProcess, message: FromGateway): Promise<void> {
    if (child !== this.#process) return;
    if (message.kind === 'refused')
      this.#refusal = `${message.sentence.replace(/\.$/u, '')}. No fax was lost.`;
    if (message.kind === 'submitting') this.#setSubmitting(message.submitting);
    if (message.kind === 'ready') await this.#verify(child, message.url);
  }

  /** Nothing is loaded from the port before the program on it has shown that it is the gateway of this start. */
  async #verify(child: UtilityProcess, url: string): Promise<void> {
    const { origin, port } = new URL(url);
    const proven = await verifyGateway(origin, this.#proofSecret);
    if (child !== this.#process || this.#state.kind !== 'starting') return;
    if (proven) {
      this.#port = Number(port);
      this.#setState({ kind: 'running', origin });
      return;
    }
    this.#refusal = `Another program is using ${origin}. Close that program and try again.`;
    killProcess(child);
  }

  async #handleExit(child: UtilityProcess, code: number): Promise<void> {
    if (child !== this.#process) return;
    this.#process = null;
    this.#setSubmitting(false);
    if (this.#stopping !== null) return;
    if (this.#refusal !== null) return this.#setState({ kind: 'failed', sentence: this.#refusal });
    this.lines.note(`the gateway's process ended by itself (${code})`);
    const now = performance.now();
    this.#restarts = this.#restarts.filter((at) => now - at < RESTART_WINDOW_MS);
    if (this.#restarts.length < MAX_RESTARTS) {
      this.#restarts.push(now);
      return this.#launch(true);
    }
    const sentence =
      'Faxdesk kept stopping, so it no longer restarts automatically. No fax was lost. The last lines of its log are below.';
    this.#setState({ kind: 'failed', sentence });
  }

  async #end(child: UtilityProcess): Promise<void> {
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    this.#send({ kind: 'quit' });
    const killTimer = setTimeout(() => killProcess(child), STOP_TIMEOUT_MS);
    await gone;
    clearTimeout(killTimer);
    this.#stopping = null;
    this.#setState({ kind: 'stopped' });
  }

  /** Sends a numbered order. Resolves with the answer of its number, or as `#request`. */
  #ask(kind: 'first-owner-key' | 'back-up', timeoutMs: number): Promise<FromGateway | null> {
    this.#lastRequestId += 1;
    const id = this.#lastRequestId;
    return this.#request({ kind, id }, (answer) => answer.kind === kind && answer.id === id, timeoutMs);
  }

  /** The answer that fits, or null when the process ends before or takes too long. */
  #request(
    order: ToGateway,
    isMatch: (answer: FromGateway) => boolean,
    timeoutMs: number,
  ): Promise<FromGateway | null> {
    const child = this.#process;
    if (child === null) return Promise.resolve(null);
    return new Promise((resolve) => {
      const settle = (answer: FromGateway | null) => {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('exit', onExit);
        resolve(answer);
      };
      const onMessage = (answer: FromGateway) => isMatch(answer) && settle(answer);
      const onExit = () => settle(null);
      const timer = setTimeout(onExit, timeoutMs);
      child.on('message', onMessage);
      child.on('exit', onExit);
      this.#send(order);
    });
  }

  #send(order: ToGateway): void {
    this.#process?.postMessage(order);
  }

  #writeLog(text: string): void {
    this.lines.add(text);
    process.stderr.write(text);
  }

  #setSubmitting(submitting: boolean): void {
    if (this.#submitting === submitting) return;
    this.#submitting = submitting;
    this.emit('submitting', submitting);
  }

  #setState(state: GatewayState): void {
    this.#state = state;
    this.emit('state', state);
  }
}

/** Ends the process at once: `kill` only requests it, and the gateway may no longer respond. */
function killProcess(child: UtilityProcess): void {
  if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
}
