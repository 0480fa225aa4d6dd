import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import XOAuth2 from 'nodemailer/lib/xoauth2';
import type { Logger } from '../../platform/logger.ts';
import { type SmtpError, whyRefused } from './failures.ts';
import {
  type Mailer,
  type MailMessage,
  type MailOutcome,
  type MailServer,
  TokenRefusedError,
} from './port.ts';

/** Timeouts for the replies of a server, in ms. */
export interface Patience {
  readonly connect: number;
  readonly answer: number;
}

/** Servers look through a whole message before they answer its end. */
const USUAL_PATIENCE: Patience = { connect: 30_000, answer: 300_000 };
const LINE_BREAK = 2;
/** Of base64: bytes in a line of 76 characters. */
const LINE = { bytes: 57, characters: 76 + LINE_BREAK };
/** Headers and texts. */
const AROUND_BYTES = 8_192;

/** Hands mail to SMTP servers; nodemailer speaks the protocol. */
export function createSmtpMailer(logger: Logger, patience = USUAL_PATIENCE): Mailer {
  return {
    async send(server, message, beforeData) {
      const connection = createConnection(server, patience);
      const handing = new Handing(message, beforeData);
      try {
        await begin(connection, server);
        const { rejectedErrors = [] } = await hand(connection, message, handing.stream);
        return { kind: 'accepted', refused: refusedOf(server, rejectedErrors) };
      } catch (error) {
        if (handing.problem !== null) throw handing.problem.error;
        if (error instanceof TokenRefusedError)
          return { kind: 'refused', sentence: error.message, refused: new Map() };
        logger.info({ error }, 'an e-mail was not accepted');
        return outcomeOf(server, error as SmtpError, handing.isWhole);
      } finally {
        // The reply has arrived or never will; releases what was read for the message.
        connection.close();
        handing.end();
      }
    },
  };
}

/** The message on its way out. */
class Handing {
  /** The last byte of it has left, so that its end may have. */
  isWhole = false;
  /** Error because of which none of it was sent; null without one. */
  problem: { readonly error: unknown } | null = null;
  readonly stream: Readable;
  #document: Readable | null = null;

  constructor(message: MailMessage, beforeData: () => Promise<void>) {
    this.stream = Readable.from(this.#bytes(message, beforeData), { objectMode: false });
  }

  /** Nothing of this runs before the server asked for the message. */
  async *#bytes(message: MailMessage, beforeData: () => Promise<void>): AsyncGenerator<Buffer> {
    try {
      await beforeData();
    } catch (error) {
      this.problem = { error };
      throw error;
    }
    this.#document = (await message.attachment?.open()) ?? null;
    for await (const chunk of composed(message, this.#document)) yield chunk as Buffer;
    this.isWhole = true;
  }

  /** Closes what is still open, such as the document of a message that broke off. */
  end(): void {
    this.stream.destroy();
    this.#document?.destroy();
  }
}

function createConnection({ host, port, security }: MailServer, patience: Patience): SMTPConnection {
  const connection = new SMTPConnection({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    connectionTimeout: patience.connect,
    greetingTimeout: patience.connect,
    socketTimeout: patience.answer,
  });
  return connection;
}

async function begin(connection: SMTPConnection, server: MailServer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    failWith(connection, reject);
    connection.connect((error) => (error ? reject(error) : resolve()));
  });
  if (server.username === '') return;
  const credentials = await credentialsOf(server);
  await new Promise<void>((resolve, reject) => {
    // nodemailer does not call back when the server leaves or falls silent during a sign-in.
    failWith(connection, reject);
    connection.login(credentials, (error) => (error ? reject(error) : resolve()));
  });
}

/** Rejects the pending operation when the connection breaks. */
function failWith(connection: SMTPConnection, reject: (error: Error) => void): void {
  connection.on('error', reject);
  connection.once('end', () => reject(Object.assign(new Error('closed'), { code: 'ECONNECTION' })));
}

/** Returns the credentials, with an access token that is requested now. Throws TokenRefusedError. */
async function credentialsOf({ username: user, password: pass, accessToken }: MailServer) {
  if (accessToken === null) return { user, pass };
  const oauth2 = new XOAuth2({ user, accessToken: await accessToken() });
  return { user, oauth2 };
}

async function hand(
  connection: SMTPConnection,
  { from, to, attachment }: MailMessage,
  stream: Readable,
): Promise<{ readonly rejectedErrors?: readonly SmtpError[] | undefined }> {
  const size = encodedBytes(attachment?.sizeBytes ?? 0) + AROUND_BYTES;
  return new Promise((resolve, reject) => {
    failWith(connection, reject);
    connection.send({ from, to: [...to], size }, stream, (error, info) => {
      if (error) reject(error);
      else resolve({ rejectedErrors: info.rejectedErrors as SmtpError[] | undefined });
    });
  });
}

/** As base64, which attachments are sent in. */
export function encodedBytes(sizeBytes: number): number {
  return Math.ceil(sizeBytes / LINE.bytes) * LINE.characters;
}

function composed(
  { attachment, at, to, answers, ...message }: MailMessage,
  document: Readable | null,
): Readable {
  const attachments =
    attachment === null || document === null
      ? []
      : [{ filename: attachment.fileName, contentType: attachment.contentType, content: document }];
  const composer = new MailComposer({
    ...message,
    ...(typeof answers === 'string' && { inReplyTo: answers, references: answers }),
    to: [...to],
    date: new Date(at),
    attachments,
    // Nothing answers such a message by itself: RFC 3834, and what Exchange goes by.
    headers: {
      'Auto-Submitted': answers === undefined ? 'auto-generated' : 'auto-replied',
      'X-Auto-Response-Suppress': 'All',
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().createReadStream();
}

function outcomeOf(server: MailServer, error: SmtpError, isWhole: boolean): MailOutcome {
  const code = error.responseCode ?? 0;
  // Only a refusal says for certain that what was handed over is not kept.
  if (isWhole && (code < 400 || code > 599))
    return {
      kind: 'unknown',
      sentence: `The whole message was handed to ${server.host}, and the connection broke off before the answer.`,
    };
  const refused = refusedOf(server, error.rejectedErrors ?? []);
  return { kind: 'refused', sentence: whyRefused(server, error), refused };
}

function refusedOf(server: MailServer, errors: readonly SmtpError[]): Map<string, string> {
  return new Map(
    errors.flatMap((error) =>
      error.recipient === undefined ? [] : [[error.recipient, whyRefused(server, error)] as const],
    ),
  );
}
