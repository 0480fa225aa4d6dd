import type { MessageEvent, MessagePortMain } from 'electron';
import type { DocumentConnection, TerminalProcess } from '../server/index.ts';
import type { ChildProgram, FromGateway, ToGateway } from './gateway-messages.ts';

interface StartedProcess {
  readonly connect: (port: MessagePortMain) => void;
  readonly ended: (lastWords: string) => void;
}

/** In the gateway's process: has main start the processes of documents and terminals. */
export function createGatewayChildren(send: (message: FromGateway) => void): GatewayChildren {
  return new GatewayChildren(send);
}

class GatewayChildren {
  readonly #send: (message: FromGateway) => void;
  readonly #started = new Map<number, StartedProcess>();
  #lastId = 0;

  constructor(send: (message: FromGateway) => void) {
    this.#send = send;
  }

  /** Starts a process of documents and gives the connection to it. */
  async startDocuments(): Promise<DocumentConnection> {
    const { port, ...connection } = await this.#start('documents');
    return { confinedBy: ['an empty environment'], ...connection, ...messagesOf(port) };
  }

  /** Starts the process of a console terminal and gives the connection to it. */
  async startTerminal(): Promise<TerminalProcess> {
    const { port, ...connection } = await this.#start('terminal');
    return { ...connection, ...messagesOf(port) };
  }

  handleMessage(message: ToGateway, [port]: readonly MessagePortMain[]): void {
    if (message.kind === 'process-started' && port) this.#started.get(message.id)?.connect(port);
    if (message.kind !== 'process-ended') return;
    this.#started.get(message.id)?.ended(message.lastWords);
    this.#started.delete(message.id);
  }

  async #start(program: ChildProgram) {
    this.#lastId += 1;
    const id = this.#lastId;
    const connected = Promise.withResolvers<MessagePortMain>();
    const ended = Promise.withResolvers<string>();
    this.#started.set(id, { connect: connected.resolve, ended: ended.resolve });
    this.#send({ kind: 'start-process', program, id });
    return {
      port: await connected.promise,
      onEnd: (listener: (lastWords: string) => void) => void ended.promise.then(listener),
      end: async () => {
        this.#send({ kind: 'end-process', id });
        await ended.promise;
      },
    };
  }
}

function messagesOf(port: MessagePortMain) {
  return {
    send: (message: unknown) => port.postMessage(message),
    onMessage: (listener: (message: never) => void) => {
      port.on('message', ({ data }: MessageEvent) => listener(data as never));
      port.start();
    },
  };
}
