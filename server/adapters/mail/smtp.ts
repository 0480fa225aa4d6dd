import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import XOAuth2 from 'nodemailer/lib/xoauth2';
import type { Logger } from '../../platform/logger.ts';
import { refusalReason, type SmtpError } from './failures.ts';
import {
  type Mailer,
  type MailMessage,
  type MailOutcome,
  type MailServer,
  TokenRefusedError,
} from './port.ts';

/** Timeouts for the replies of a server, in ms. */
interface SmtpTimeouts {
  readonly connect: number;
  readonly answer: number;
}

/** Servers look through a whole message before they answer its end. */
const DEFAULT_TIMEOUTS: SmtpTimeouts = { connect: 30_000, answer: 300_000 };
const LINE_BREAK = 2;
/** Of base64: bytes in a line of 76 characters. */
const LINE = { bytes: 57, characters: 76 + LINE_BREAK };
/** Headers and texts. */
const OVERHEAD_BYTES = 8_192;

/** Hands mail to SMTP servers; nodemailer speaks the protocol. */
export function createSmtpMailer(logger: Logger, timeouts = DEFAULT_TIMEOUTS): Mailer {
  return {
    async send(server, message, beforeData) {
      const connection = createConnection(server, timeouts);
      const outgoing = new MessageStream(message, beforeData);
      try {
        await openSession(connection, server);
        const { rejectedErrors = [] } = await sendMessage(connection, message, outgoing.stream);
        return { kind: 'accepted', refused: refusedOf(server, rejectedErrors) };
      } catch (error) {
        if (outgoing.problem !== null) throw outgoing.problem.error;
        if (error instanceof TokenRefusedError)
          return { kind: 'refused', sentence: error.message, refused: new Map() };
        logger.info({ error }, 'an e-mail was not accepted');
        return outcomeOf(server, error as SmtpError, outgoing.isWhole);
      } finally {
        // The reply has arrived or never will; releases what was read for the message.
        connection.close();
        outgoing.end();
      }
    },
  };
}

/** The message on its way out. */
class MessageStream {
  /** The last byte of it has left, so that its end may have. */
  isWhole = false;
  /** Error because of which none of it was sent; null without one. */
  problem: { readonly error: unknown } | null = null;
  readonly stream: Readable;
  #documents: Readable[] = [];

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
    for (const { open } of message.attachments) this.#documents.push(await open());
    for await (const chunk of composeMessage(message, this.#documents)) yield chunk as Buffer;
    this.isWhole = true;
  }

  /** Closes the files that are still open, such as the document of a message that broke off. */
  end(): void {
    this.stream.destroy();
    for (const document of this.#documents) document.destroy();
  }
}

function createConnection({ host, port, security }: MailServer, timeouts: SmtpTimeouts): SMTPConnection {
  const connection = new SMTPConnection({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    connectionTimeout: timeouts.connect,
    greetingTimeout: timeouts.connect,
    socketTimeout: timeouts.answer,
  });
  return connection;
}

async function openSession(connection: SMTPConnection, server: MailServer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    rejectOnClose(connection, reject);
    connection.connect((error) => (error ? reject(error) : resolve()));
  });
  if (server.username === '') return;
  const credentials = await credentialsOf(server);
  await new Promise<void>((resolve, reject) => {
    // nodemailer does not call back when the server leaves or falls silent during a sign-in.
    rejectOnClose(connection, reject);
    connection.login(credentials, (error) => (error ? reject(error) : resolve()));
  });
}

/** Rejects the pending operation when the connection breaks. */
function rejectOnClose(connection: SMTPConnection, reject: (error: Error) => void): void {
  connection.on('error', reject);
  connection.once('end', () => reject(Object.assign(new Error('closed'), { code: 'ECONNECTION' })));
}

/** Returns the credentials, with an access token that is requested now. Throws TokenRefusedError. */
async function credentialsOf({ username: user, password: pass, accessToken }: MailServer) {
  if (accessToken === null) return { user, pass };
  const oauth2 = new XOAuth2({ user, accessToken: await accessToken() });
  return { user, oauth2 };
}

async function sendMessage(
  connection: SMTPConnection,
  { from, to, attachments }: MailMessage,
  stream: Readable,
): Promise<{ readonly rejectedErrors?: readonly SmtpError[] | undefined }> {
  const size = attachments.reduce((sum, { sizeBytes }) => sum + encodedBytes(sizeBytes), OVERHEAD_BYTES);
  return new Promise((resolve, reject) => {
    rejectOnClose(connection, reject);
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

function composeMessage(
  { attachments: given, at, to, inReplyTo, ...message }: MailMessage,
  documents: readonly Readable[],
): Readable {
  const attachments = given.map(({ fileName, contentType }, i) => ({
    filename: fileName,
    contentType,
    content: documents[i],
  }));
  const composer = new MailComposer({
    ...message,
    ...(typeof inReplyTo === 'string' && { inReplyTo, references: inReplyTo }),
    to: [...to],
    date: new Date(at),
    attachments,
    // Nothing answers such a message by itself: RFC 3834, and what Exchange goes by.
    headers: {
      'Auto-Submitted': inReplyTo === undefined ? 'auto-generated' : 'auto-replied',
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
      sentence: `The whole message was sent to ${server.host}, but the connection was lost before the server answered.`,
    };
  const refused = refusedOf(server, error.rejectedErrors ?? []);
  return { kind: 'refused', sentence: refusalReason(server, error), refused };
}

function refusedOf(server: MailServer, errors: readonly SmtpError[]): Map<string, string> {
  return new Map(
    errors.flatMap((error) =>
      error.recipient === undefined ? [] : [[error.recipient, refusalReason(server, error)] as const],
    ),
  );
}
