import { INVISIBLE_CHARACTERS } from '../../../shared/visible-text.ts';
import { errorCode } from '../../platform/errors.ts';
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

const CERTIFICATE_CODES = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(VERIFY|GET_ISSUER))/u;

const SENTENCES_BY_CODE: Readonly<Record<string, (server: ServerAddress) => string>> = {
  ENOTFOUND: noSuchName,
  EAI_AGAIN: ({ host }) => `The name ${host} could not be looked up.`,
  EDNS: noSuchName,
  ECONNREFUSED: ({ host, port }) => `${host} refuses connections on port ${port}.`,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: ({ host, port }) => `${host} did not answer on port ${port} in time.`,
  ECONNRESET: connectionLost,
  ECONNECTION: connectionLost,
  ESOCKET: connectionLost,
};

/** Returns the reason why a message was not accepted, in one sentence. */
export function refusalReason(server: ServerAddress, error: SmtpError): string {
  const system = error.originalCode ?? errorCode(error.cause) ?? '';
  const code = system === '' ? (error.code ?? '') : system;
  if (CERTIFICATE_CODES.test(code)) return certificate(server, code);
  if (error.code === 'EAUTH' || error.code === 'ENOAUTH')
    return `The e-mail server refused the sign-in${quoteReply(error)}.`;
  if (error.response !== undefined) return replyReason(error);
  if (error.code === 'ETLS' || code.startsWith('ERR_SSL')) return noEncryption(server);
  if (error.code === 'EMESSAGE') return 'The message is larger than the e-mail server accepts.';
  return (SENTENCES_BY_CODE[code] ?? SENTENCES_BY_CODE[error.code ?? ''] ?? connectionLost)(server);
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

function certificate({ host }: ServerAddress, code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of ${host} has expired.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `The certificate of the server is not for ${host}.`;
  return `The certificate of ${host} is not from an authority that this computer trusts.`;
}

function noEncryption({ host, port, security }: ServerAddress): string {
  return security === 'tls'
    ? `${host} does not use TLS on port ${port}. Try STARTTLS.`
    : `${host} offers no encryption by STARTTLS on port ${port}.`;
}

function noSuchName({ host }: ServerAddress): string {
  return `There is no server named ${host}.`;
}

function unreachable({ host }: ServerAddress): string {
  return `${host} cannot be reached from this network.`;
}

function connectionLost({ host }: ServerAddress): string {
  return `The connection to ${host} was lost before the message was sent.`;
}
