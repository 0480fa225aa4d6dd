import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  /** Lower-case names; a repeated header keeps its last value. */
  headers: Record<string, string>;
  body: string;
}

/** One connection on which a test writes bytes no well-behaved client would write. */
export class RawConnection {
  readonly socket: Socket;
  /** Bytes given to the system so far. */
  sent = 0;
  #received = Buffer.alloc(0);
  #ended = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    const end = () => {
      this.#ended = true;
      this.#wake();
    };
    socket.on('close', end);
    socket.on('error', end);
  }

  /** `from` is another address of this computer to come from. */
  static async open(url: string, from?: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ port: Number(port), host: hostname, ...(from ? { localAddress: from } : {}) });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** True when part of an answer has arrived. */
  get isAnswered(): boolean {
    return this.#received.length > 0 || this.#ended;
  }

  get isClosed(): boolean {
    return this.#ended;
  }

  /** Writes and waits until the connection takes more, or an answer has come. */
  async send(data: string | Uint8Array): Promise<void> {
    this.sent += data.length;
    if (this.socket.write(data)) return;
    await Promise.race([once(this.socket, 'drain').catch(() => undefined), this.#arrival()]);
  }

  /** The next answer. Throws when the connection is closed before it is complete. */
  async answer(): Promise<RawAnswer> {
    for (;;) {
      const answer = this.#take();
      if (answer) return answer;
      if (this.#ended)
        throw new Error(`the connection was closed after "${this.#received.toString().slice(0, 80)}"`);
      await this.#arrival();
    }
  }

  /** Resolves when the other side has closed the connection. */
  async closed(): Promise<void> {
    while (!this.#ended) await this.#arrival();
  }

  close(): void {
    this.socket.destroy();
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      const before = this.#wake;
      this.#wake = () => {
        before();
        resolve();
      };
    });
  }

  #take(): RawAnswer | null {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return null;
    const [first = '', ...lines] = this.#received.subarray(0, end).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
    if (this.#received.length < bodyEnd) return null;
    const body = this.#received.subarray(end + 4, bodyEnd).toString();
    this.#received = this.#received.subarray(bodyEnd);
    return { status: Number(first.split(' ')[1]), headers, body };
  }
}
