import { MessageChannelMain, type UtilityProcess, utilityProcess } from 'electron';
import { minimalEnvironment } from './environment.ts';
import { builtFile } from './files.ts';
import type { ChildProgram, FromGateway, ToGateway } from './gateway-messages.ts';

const MAX_LAST_WORDS = 2_000;

/** Files and names of the programs. */
const PROGRAMS: Readonly<Record<ChildProgram, { file: string; serviceName: string }>> = {
  documents: { file: 'document-process.mjs', serviceName: 'Faxdesk documents' },
  terminal: { file: 'terminal-process.mjs', serviceName: 'Faxdesk terminal' },
};

/**
 * Starts the processes of documents and terminals for a gateway, which cannot start them itself: Electron's program does not run as Node.js.
 * Each gets an empty environment and a port to the gateway. They end with the gateway.
 */
export function createChildProcesses(gateway: UtilityProcess): ChildProcesses {
  return new ChildProcesses(gateway);
}

class ChildProcesses {
  readonly #gateway: UtilityProcess;
  readonly #running = new Map<number, UtilityProcess>();

  constructor(gateway: UtilityProcess) {
    this.#gateway = gateway;
  }

  handleMessage(message: FromGateway): void {
    if (message.kind === 'start-process') this.#start(message.program, message.id);
    if (message.kind === 'end-process') killProcess(this.#running.get(message.id));
  }

  /** Ends all of them, after the gateway has ended. */
  endAll(): void {
    for (const child of this.#running.values()) killProcess(child);
  }

  #start(program: ChildProgram, id: number): void {
    const { file, serviceName } = PROGRAMS[program];
    const child = utilityProcess.fork(builtFile(file), [], {
      serviceName,
      env: minimalEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#running.set(id, child);
    let lastWords = '';
    child.stderr?.on('data', (bytes: Buffer) => {
      lastWords = (lastWords + bytes.toString('utf8')).slice(-MAX_LAST_WORDS);
    });
    child.once('exit', (code: number) => {
      this.#running.delete(id);
      this.#send({ kind: 'process-ended', id, lastWords: `${code}: ${lastWords.trim()}` });
    });
    const { port1, port2 } = new MessageChannelMain();
    child.postMessage(null, [port1]);
    this.#gateway.postMessage({ kind: 'process-started', id } satisfies ToGateway, [port2]);
  }

  #send(message: ToGateway): void {
    this.#gateway.postMessage(message);
  }
}

/** Ends it without a grace period: it has nothing to save. */
function killProcess(child: UtilityProcess | undefined): void {
  if (child?.pid !== undefined) process.kill(child.pid, 'SIGKILL');
}
