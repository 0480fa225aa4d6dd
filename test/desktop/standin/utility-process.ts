import { type ChildProcess, fork, type StdioOptions } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { app } from './app.ts';
import type { MessagePortMain, MessageWithPorts, PortMessage } from './message-channel.ts';

const PARENT_PORT = new URL('./parent-port.ts', import.meta.url).href;

let lastPort = 0;
const running = new Set<UtilityProcess>();

export class UtilityProcess
  extends EventEmitter
  implements Pick<Electron.UtilityProcess, 'kill' | 'pid' | 'postMessage'>
{
  readonly #child: ChildProcess;
  readonly serviceName: string;
  /** Ports that were transferred, by their number in the process. */
  readonly #ports = new Map<number, MessagePortMain>();
  pid: number | undefined;

  constructor(path: string, words: string[] = [], options: Electron.ForkOptions = {}) {
    super();
    this.serviceName = options.serviceName ?? 'Node Utility Process';
    this.#child = fork(path, words, {
      env: { ...(options.env ?? process.env) },
      serialization: 'advanced',
      execArgv: [...(options.execArgv ?? []), '--import', PARENT_PORT],
      stdio: stdioOf(options.stdio),
    });
    running.add(this);
    this.#child.on('spawn', () => {
      this.pid = this.#child.pid;
      this.emit('spawn');
    });
    this.#child.on('message', (message: object) => {
      if ('standinPort' in message) this.#receiveFromPort(message as PortMessage);
      else this.emit('message', message);
    });
    this.#child.on('exit', (code, signal) => {
      this.pid = undefined;
      running.delete(this);
      for (const port of this.#ports.values()) port.close();
      // Electron reports the number of the signal.
      this.emit('exit', code ?? (signal === 'SIGKILL' ? 9 : 15));
    });
  }

  get stdout(): NodeJS.ReadableStream | null {
    return this.#child.stdout;
  }

  get stderr(): NodeJS.ReadableStream | null {
    return this.#child.stderr;
  }

  postMessage(message: unknown, transfer: MessagePortMain[] = []): void {
    const data = structuredClone(message) as object;
    if (transfer.length === 0) return this.#send(data);
    this.#send({
      standinPorts: transfer.map((port) => this.#handOver(port)),
      data,
    } satisfies MessageWithPorts);
  }

  #handOver(port: MessagePortMain): number {
    lastPort += 1;
    const standinPort = lastPort;
    this.#ports.set(standinPort, port);
    // After the message that hands it over.
    setImmediate(() =>
      port.handTo({
        deliver: (data) => this.#send({ standinPort, event: 'message', data } satisfies PortMessage),
        closed: () => this.#send({ standinPort, event: 'close' } satisfies PortMessage),
      }),
    );
    return standinPort;
  }

  #receiveFromPort({ standinPort, event, data }: PortMessage): void {
    const port = this.#ports.get(standinPort);
    if (event === 'message') port?.postMessage(data);
    else port?.close();
  }

  #send(message: object): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  kill(): boolean {
    return this.#child.kill('SIGTERM');
  }

  static metrics(): Electron.ProcessMetric[] {
    return [...running].map(
      ({ pid, serviceName }) =>
        ({ pid, type: 'Utility', serviceName, name: serviceName }) as Electron.ProcessMetric,
    );
  }
}

function stdioOf(wanted: Electron.ForkOptions['stdio']): StdioOptions {
  const out =
    wanted === 'ignore' ? 'ignore' : wanted === 'inherit' || wanted === undefined ? 'inherit' : 'pipe';
  return ['ignore', out, out, 'ipc'];
}

app.metrics = () => UtilityProcess.metrics();

export const utilityProcess = {
  fork: (path: string, words?: string[], options?: Electron.ForkOptions): UtilityProcess => {
    if (!app.isReady()) throw new Error('utilityProcess.fork before ready');
    return new UtilityProcess(path, words, options);
  },
};
