import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
}

interface Refusal {
  readonly code: number;
  readonly text: string;
}

/** Faults of a test server. */
interface MailFaults {
  sender?: Refusal;
  /** By address. */
  recipients?: Readonly<Record<string, Refusal>>;
  /** In place of the answer to a whole message. */
  message?: Refusal;
  /**
   * Point at which it cuts every connection: before it accepts the message, or after all of it arrived, when it is kept
   * or not.
   */
  cut?: 'before data' | 'after data' | 'after keeping';
  /**
   * Point from which it no longer answers: instead of its greeting, or of its answer to a whole message, which it
   * keeps.
   */
  silent?: 'at first' | 'after keeping';
}

/** A real SMTP server that keeps what it takes. */
export class MailServer {
  readonly #options: SMTPServerOptions;
  readonly #server: SMTPServer;
  readonly #sockets = new Set<Socket>();
  readonly mails: ReceivedMail[] = [];
  faults: MailFaults = {};
  /** Called with the first bytes of a message. */
  onBegin: () => void = () => undefined;
  port = 0;

  constructor(options: SMTPServerOptions) {
    this.#options = options;
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: options.hideSTARTTLS === false ? [] : ['STARTTLS'],
      ...options,
      onConnect: (_session, done) => {
        if (this.faults.silent !== 'at first') done();
      },
      onMailFrom: (_address, _session, done) => done(errorOf(this.faults.sender)),
      onRcptTo: ({ address }, _session, done) => {
        if (this.faults.cut === 'before data') return this.cut();
        done(errorOf(this.faults.recipients?.[address]));
      },
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => {
          if (chunks.push(chunk) === 1) this.onBegin();
        });
        stream.on('end', () => {
          if (this.faults.cut === 'after data') return this.cut();
          const error = errorOf(this.faults.message);
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          const to = envelope.rcptTo.map(({ address }) => address);
          if (error === null) this.mails.push({ from, to, raw: Buffer.concat(chunks).toString() });
          if (this.faults.cut === 'after keeping') return this.cut();
          if (this.faults.silent === 'after keeping') return;
          done(error);
        });
      },
    });
    this.#server.on('error', () => undefined);
    this.#server.server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  async listen(port = 0): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server.server, 'listening');
    this.port = (this.#server.server.address() as AddressInfo).port;
  }

  /** Number of messages for each address. */
  get inboxes(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { to } of this.mails) for (const address of to) counts[address] = (counts[address] ?? 0) + 1;
    return counts;
  }

  /** The same server again, after it was gone, with what it has. */
  async returned(): Promise<MailServer> {
    const again = new MailServer(this.#options);
    again.mails.push(...this.mails);
    await again.listen(this.port);
    return again;
  }

  /** Another server like it, which takes messages of so many bytes. */
  async sized(size: number): Promise<MailServer> {
    return startMailServer({ ...this.#options, size });
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => this.#server.close(resolve));
  }

  /** Cuts every connection. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const server = new MailServer(options);
  await server.listen();
  return server;
}

function errorOf(refusal: Refusal | undefined): Error | null {
  if (!refusal) return null;
  return Object.assign(new Error(refusal.text), { responseCode: refusal.code });
}

/** A part of a message by its content type, as bytes. */
export function partOf(mail: ReceivedMail | undefined, type: string): Buffer {
  const [, rest = ''] = (mail?.raw ?? '').split(`Content-Type: ${type}`);
  const [, body = ''] = rest.split(/\r?\n\r?\n/u);
  return Buffer.from(body.split(/\r?\n--/u)[0] ?? '', 'base64');
}
