import { tmpdir } from 'node:os';
import { setImmediate } from 'node:timers';
import { isDeepStrictEqual } from 'node:util';
import { startChildProcess } from '../../server/documents/client/start-process.ts';
import type { DocumentConnection, StartDocumentProcess } from '../../server/documents/documents.ts';
import type { FromProcess, ProcessSettings, ToProcess } from '../../server/documents/process/messages.ts';

/** Processes of documents that nobody has, each with what it was started for. */
const free: KeptProcess[] = [];

/**
 * Lends a gateway a process of documents that another one gave back: starting one takes a second of computing, more than most
 * tests need for anything else. It is confined as always, but to the folder of all temporary files. One gateway has it at a
 * time, and one that is given back with work in hand, or that died, is lent to nobody.
 */
export const lendDocumentProcess: StartDocumentProcess = async () => {
  const process = free.pop() ?? new KeptProcess(await startChildProcess([tmpdir()]));
  return process.lend();
};

class KeptProcess {
  readonly #connection: DocumentConnection;
  #settings: ProcessSettings | null = null;
  #inHand = 0;
  #hasEnded = false;
  #hear: (message: FromProcess) => void = () => undefined;
  #ready: FromProcess | null = null;

  constructor(connection: DocumentConnection) {
    this.#connection = connection;
    connection.onMessage((message) => {
      if (message.kind === 'ready') this.#ready = message;
      if (message.kind === 'news') this.#inHand -= message.news.filter((news) => 'answer' in news).length;
      this.#hear(message);
    });
    connection.onEnd(() => {
      this.#hasEnded = true;
      const place = free.indexOf(this);
      if (place >= 0) free.splice(place, 1);
    });
  }

  lend(): DocumentConnection {
    let isGivenBack = false;
    return {
      confinedBy: this.#connection.confinedBy,
      send: (message) => this.#send(message),
      onMessage: (listener) => {
        this.#hear = (message) => void (isGivenBack || listener(message));
      },
      onEnd: (listener) => this.#connection.onEnd((lastWords) => void (isGivenBack || listener(lastWords))),
      end: async () => {
        isGivenBack = true;
        if (this.#hasEnded || this.#inHand > 0 || this.#ready === null) return this.#connection.end();
        free.push(this);
      },
    };
  }

  #send(message: ToProcess): void {
    if (message.kind === 'run') this.#inHand += message.jobs.length;
    if (message.kind !== 'start') return this.#connection.send(message);
    const ready = this.#ready;
    if (ready === null) {
      this.#settings = message.settings;
      return this.#connection.send(message);
    }
    if (!isDeepStrictEqual(this.#settings, message.settings)) throw new Error('lent with other settings');
    // After the gateway has registered its request.
    setImmediate(() => this.#hear(ready));
  }
}
