import type { MessageEvent, MessagePortMain } from 'electron';
import type { DocumentConnection, FromProcess } from '../server/index.ts';
import type { FromGateway, ToGateway } from './gateway-messages.ts';

interface StartedProcess {
  readonly connect: (port: MessagePortMain) => void;
  readonly ended: (lastWords: string) => void;
}

/** In the gateway's process: has main start processes of documents. */
export function createGatewayDocuments(send: (message: FromGateway) => void): GatewayDocuments {
  return new GatewayDocuments(send);
}

class GatewayDocuments {
  readonly #send: (message: FromGateway) => void;
  readonly #started = new Map<number, StartedProcess>();
  #lastId = 0;

  constructor(send: (message: FromGateway) => void) {
    this.#send = send;
  }

  /** Starts one and gives the connection to it. */
  async start(): Promise<DocumentConnection> {
    this.#lastId += 1;
    const id = this.#lastId;
    const port = Promise.withResolvers<MessagePortMain>();
    const ended = Promise.withResolvers<string>();
    this.#started.set(id, { connect: port.resolve, ended: ended.resolve });
    this.#send({ kind: 'start-documents', id });
    const end = () => this.#send({ kind: 'end-documents', id });
    return createConnection(await port.promise, ended.promise, end);
  }

  handleMessage(message: ToGateway, [port]: readonly MessagePortMain[]): void {
    if (message.kind === 'documents-started' && port) this.#started.get(message.id)?.connect(port);
    if (message.kind !== 'documents-ended') return;
    this.#started.get(message.id)?.ended(message.lastWords);
    this.#started.delete(message.id);
  }
}

function createConnection(
  port: MessagePortMain,
  ended: Promise<string>,
  end: () => void,
): DocumentConnection {
  return {
    confinedBy: ['an empty environment'],
    send: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.on('message', ({ data }: MessageEvent) => listener(data as FromProcess));
      port.start();
    },
    onEnd: (listener) => void ended.then(listener),
    end: async () => {
      end();
      await ended;
    },
  };
}
