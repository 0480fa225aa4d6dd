import { INVISIBLE_CHARACTERS } from '../../../shared/visible-text.ts';
import { errorCode } from '../../platform/errors.ts';
import { certificateFailure, networkFailure } from '../../platform/server-failures.ts';
import type { MailServer } from './port.ts';

/** Facts about a server that a sentence may name. */
type ServerAddress = Pick<MailServer, 'host' | 'port' | 'security'>;

/** Error with the fields that nodemailer adds. */
export interface SmtpError extends Error {
  readonly code?: string;
  /** Of the system, where `code` is one of nodemailer. */
  readonly originalCode?: string;
  readonly command?: string;
  /** The server's reply, starting with its code. */
  readonly response?: string;
  readonly responseCode?: number;
  readonly recipient?: string;
  readonly rejectedErrors?: readonly SmtpError[];
}

/** Of what a server says itself. */
const MAX_REPLY_LENGTH = 300;

/** Returns the reason why a message was not accepted, in one sentence. */
export function refusalReason(server: ServerAddress, error: SmtpError): string {
  const system = error.originalCode ?? errorCode(error.cause) ?? '';
  const code = system === '' ? (error.code ?? '') : system;
  const certificate = certificateFailure(server, code);
  if (certificate !== null) return certificate;
  if (error.code === 'EAUTH' || error.code === 'ENOAUTH')
    return `The e-mail server refused the sign-in${quoteReply(error)}.`;
  if (error.response !== undefined) return replyReason(error);
  if (error.code === 'ETLS' || code.startsWith('ERR_SSL')) return noEncryption(server);
  if (error.code === 'EMESSAGE') return 'The message is larger than the e-mail server accepts.';
  return networkFailure(server, code) ?? networkFailure(server, error.code ?? '') ?? connectionLost(server);
}

function replyReason(error: SmtpError): string {
  if (error.command === 'MAIL FROM')
    return `The e-mail server refused the sender address${quoteReply(error)}.`;
  if (error.command === 'RCPT TO') return `The e-mail server refused the recipient${quoteReply(error)}.`;
  if (error.command === 'CONN')
    return `The e-mail server is not accepting mail right now${quoteReply(error)}.`;
  if (error.command === 'STARTTLS') return `The e-mail server offers no encryption${quoteReply(error)}.`;
  return `The e-mail server refused the message${quoteReply(error)}.`;
}

/**
 * Returns `: 550 No such user`, without what nobody sees and without a period of its own. Empty where the answer has no
 * number of SMTP in front: what another service says at its port is nobody's business.
 */
function quoteReply({ response }: SmtpError): string {
  if (response === undefined || !/^\d{3}(?:[ -]|$)/u.test(response)) return '';
  const words = response.replaceAll(/\s+/gu, ' ').replace(INVISIBLE_CHARACTERS, '').trim();
  return `: ${words.slice(0, MAX_REPLY_LENGTH).replace(/\.+$/u, '')}`;
}

function noEncryption({ host, port, security }: ServerAddress): string {
  return security === 'tls'
    ? `${host} does not use TLS on port ${port}. Try STARTTLS.`
    : `${host} offers no encryption by STARTTLS on port ${port}.`;
}

function connectionLost({ host }: ServerAddress): string {
  return `The connection to ${host} was lost before the message was sent.`;
}
