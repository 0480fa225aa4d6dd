import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface LoadRequest {
  method: string;
  path: string;
  headers?: Record<string, string | number>;
  body?: Buffer;
  expect: number;
  /** Eight digits of the body that are other ones in every request of a load: they begin here. */
  variesAt?: number;
  /** Changes the bytes of the next request in place, to the same length; `bodyAt` is the position of the body. */
  change?: (bytes: Buffer, bodyAt: number) => void;
}

/** Fires requests over kept connections. */
export class Load {
  readonly #url: URL;
  readonly #connections: number;
  readonly #agent: Agent;

  constructor(url: string, connections = 8) {
    this.#url = new URL(url);
    this.#connections = connections;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /**
   * Sends `count` requests, each connection its next as soon as it has an answer. Answers requests per second. Written
   * on bare sockets: what the sender spends is taken from the server on a machine of two cores.
   */
  async sendAll(count: number, request: LoadRequest): Promise<number> {
    const whole = this.#bytesOf(request);
    const bodyAt = whole.length - (request.body?.length ?? 0);
    const variesAt = request.variesAt === undefined ? null : bodyAt + request.variesAt;
    const lines = Array.from({ length: this.#connections }, () => new LoadConnection(this.#url));
    let left = count;
    const began = performance.now();
    await Promise.all(
      lines.map(async (line) => {
        const bytes = Buffer.from(whole);
        for (; left > 0; ) {
          left -= 1;
          if (variesAt !== null) bytes.write(nextDigits(), variesAt, 'latin1');
          request.change?.(bytes, bodyAt);
          const status = await line.request(bytes);
          if (status !== request.expect) throw new Error(`${request.method} ${request.path}: ${status}`);
        }
      }),
    );
    const seconds = (performance.now() - began) / 1000;
    for (const line of lines) line.close();
    return count / seconds;
  }

  #bytesOf({ method, path, headers, body }: LoadRequest): Buffer {
    const all = { Host: this.#url.host, ...headers, ...(body ? { 'Content-Length': body.length } : {}) };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    return body ? Buffer.concat([head, body]) : head;
  }

  /** The body of one answer. Throws when its status is not the expected one. */
  sendOne({ method, path, headers, body, expect }: LoadRequest): Promise<Buffer> {
    const { hostname, port } = this.#url;
    const length = body ? { 'Content-Length': body.length } : {};
    return new Promise((resolve, reject) => {
      const sent = request(
        { hostname, port, method, path, agent: this.#agent, headers: { ...headers, ...length } },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            const received = Buffer.concat(chunks);
            if (answer.statusCode === expect) resolve(received);
            else
              reject(
                new Error(`${method} ${path}: ${answer.statusCode} ${received.toString().slice(0, 300)}`),
              );
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

let varied = 0;

function nextDigits(): string {
  varied += 1;
  return String(varied).padStart(8, '0');
}

/** One connection that asks again and again and looks at no more of an answer than its status and its end. */
class LoadConnection {
  readonly #socket: Socket;
  #received = '';
  #answered: (status: number) => void = () => undefined;
  #failed: (error: Error) => void = () => undefined;

  constructor({ hostname, port }: URL) {
    this.#socket = connect(Number(port), hostname);
    this.#socket.setNoDelay(true).setEncoding('latin1');
    this.#socket.on('data', (text) => this.#parseResponses(String(text)));
    this.#socket.on('error', (error) => this.#failed(error));
    this.#socket.on('close', () => this.#failed(new Error('the server closed the line')));
  }

  request(bytes: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#failed = () => undefined;
    this.#socket.destroy();
  }

  #parseResponses(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.slice(0, end);
    const length = /content-length: (\d+)/iu.exec(head)?.[1];
    const whole = length
      ? this.#received.length >= end + 4 + Number(length)
      : this.#received.endsWith('0\r\n\r\n');
    if (!whole) return;
    this.#received = '';
    this.#answered(Number(head.slice(9, 12)));
  }
}
