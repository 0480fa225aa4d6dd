import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';

/** Message as a receiver gets it. */
interface ReceivedMessage {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server of an integration on this computer. It accepts everything until a test says otherwise. */
export class WebhookReceiver {
  readonly messages: ReceivedMessage[] = [];
  /** Answers a message; a test replaces it. */
  answer: (response: ServerResponse) => void = (response) => void response.writeHead(204).end();
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        this.messages.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
        this.answer(response);
      });
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await new Promise<void>((resolve) => void receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/faxes`;
  }

  /** Types and webhook ids, in their order. */
  get types(): string[] {
    return this.messages.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  }

  get ids(): string[] {
    return this.messages.map(({ headers }) => String(headers['webhook-id']));
  }

  refuse(status = 500): void {
    this.answer = (response) => void response.writeHead(status).end();
  }

  accept(): void {
    this.answer = (response) => void response.writeHead(204).end();
  }

  clear(): void {
    this.messages.length = 0;
    this.accept();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => void this.#server.close(resolve));
  }
}

/** Verifies a message with the verifier of the package at a time (epoch ms). Throws when the signature does not fit. */
export function verify(secret: string, { headers, body }: ReceivedMessage, now: number): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now });
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    vi.useRealTimers();
  }
}
