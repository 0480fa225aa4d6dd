import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';

/** Stream of server-sent events to one client. */
interface EventStream {
  /** Address for its messages, relative to the gateway. */
  readonly path: string;
  readonly write: (piece: string) => void;
  readonly end: () => void;
}

/**
 * Creates the transport of clients before revision 2025-03-26: one stream of events, whose first one names the address for
 * messages.
 */
export function createEventTransport(stream: EventStream): EventTransport {
  return new EventTransport(stream);
}

export type { EventTransport };

class EventTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #stream: EventStream;
  #isClosed = false;

  constructor(stream: EventStream) {
    this.#stream = stream;
  }

  async start(): Promise<void> {
    this.#stream.write(`event: endpoint\ndata: ${this.#stream.path}\n\n`);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#isClosed) this.#stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stream.end();
    this.onclose?.();
  }

  /** Returns false for a body that is no message. */
  receive(body: unknown): boolean {
    try {
      this.onmessage?.(parseJSONRPCMessage(body));
      return true;
    } catch {
      return false;
    }
  }
}
