import { tmpdir } from 'node:os';
import { setImmediate } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { startChildProcess, startConfined } from '../../server/documents/client/start-process.ts';
import type { DocumentConnection, StartDocumentProcess } from '../../server/documents/documents.ts';
import type { FromProcess, ProcessSettings, ToProcess } from '../../server/documents/process/messages.ts';
import { builtCommandLine } from '../../server/platform/built-code.ts';

/** Processes of documents that nobody has, each with what it was started for. */
const freeProcesses: SharedProcess[] = [];

/**
 * Lends a gateway a process of documents that another one gave back: starting one takes a second of computing, more than most
 * tests need for anything else. It is confined as always, but to the folder of all temporary files. One gateway has it at a
 * time, and one that is given back with work in hand, or that died, is lent to nobody.
 */
export const lendDocumentProcess: StartDocumentProcess = async () => {
  const process = freeProcesses.pop() ?? new SharedProcess(await startProcess([tmpdir()]));
  return process.lend();
};

/** The process as it is built, which starts in half the time, where that is of the sources as they are. */
const built = builtCommandLine();
const startProcess: StartDocumentProcess =
  built === null
    ? startChildProcess
    : (folders) => startConfined(fileURLToPath(new URL('document-process.mjs', built)), folders);

class SharedProcess {
  readonly #connection: DocumentConnection;
  #settings: ProcessSettings | null = null;
  #openJobs = 0;
  #hasEnded = false;
  #listener: (message: FromProcess) => void = () => undefined;
  #ready: FromProcess | null = null;

  constructor(connection: DocumentConnection) {
    this.#connection = connection;
    connection.onMessage((message) => {
      if (message.kind === 'ready') this.#ready = message;
      if (message.kind === 'news') this.#openJobs -= message.update.filter((news) => 'answer' in news).length;
      this.#listener(message);
    });
    connection.onEnd(() => {
      this.#hasEnded = true;
      const place = freeProcesses.indexOf(this);
      if (place >= 0) freeProcesses.splice(place, 1);
    });
  }

  lend(): DocumentConnection {
    let isGivenBack = false;
    return {
      confinedBy: this.#connection.confinedBy,
      send: (message) => this.#send(message),
      onMessage: (listener) => {
        this.#listener = (message) => void (isGivenBack || listener(message));
      },
      onEnd: (listener) => this.#connection.onEnd((lastWords) => void (isGivenBack || listener(lastWords))),
      end: async () => {
        isGivenBack = true;
        if (this.#hasEnded || this.#openJobs > 0 || this.#ready === null) return this.#connection.end();
        freeProcesses.push(this);
      },
    };
  }

  #send(message: ToProcess): void {
    if (message.kind === 'run') this.#openJobs += message.jobs.length;
    if (message.kind !== 'start') return this.#connection.send(message);
    const ready = this.#ready;
    if (ready === null) {
      this.#settings = message.settings;
      return this.#connection.send(message);
    }
    if (!isDeepStrictEqual(this.#settings, message.settings)) throw new Error('lent with other settings');
    // After the gateway has registered its request.
    setImmediate(() => this.#listener(ready));
  }
}
