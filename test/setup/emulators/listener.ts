import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A loopback HTTP server that can stop accepting connections and come back on the same port. */
export class Listener {
  readonly #handler: RequestHandler;
  readonly #sockets = new Set<Socket>();
  #server: Server;
  port = 0;
  connections = 0;

  constructor(handler: RequestHandler) {
    this.#handler = handler;
    this.#server = this.#newServer();
  }

  async open(): Promise<void> {
    this.#server = this.#newServer();
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.port, '127.0.0.1', resolve);
    });
    this.port = (this.#server.address() as AddressInfo).port;
  }

  /** Ends every connection and refuses new ones. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #newServer(): Server {
    const server = createServer((request, response) => {
      this.#handler(request, response).catch(() => request.socket.destroy());
    });
    server.on('connection', (socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    return server;
  }
}
