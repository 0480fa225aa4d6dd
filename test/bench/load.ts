import { Agent, request } from 'node:http';

export interface Shot {
  method: string;
  path: string;
  headers?: Record<string, string | number>;
  body?: Buffer;
  expect: number;
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

  /** Sends `count` requests, each connection its next as soon as it has an answer. Answers requests per second. */
  async fire(count: number, shot: Shot): Promise<number> {
    let left = count;
    const line = async () => {
      while (left > 0) {
        left -= 1;
        await this.one(shot);
      }
    };
    const began = performance.now();
    await Promise.all(Array.from({ length: this.#connections }, line));
    return (count * 1000) / (performance.now() - began);
  }

  /** The body of one answer. Throws when its status is not the expected one. */
  one({ method, path, headers, body, expect }: Shot): Promise<Buffer> {
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
