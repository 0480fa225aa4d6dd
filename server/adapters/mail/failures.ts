import { INVISIBLE_CHARACTERS } from '../../../shared/visible-text.ts';
import { errorCode } from '../../platform/errors.ts';
import type { MailServer } from './port.ts';

/** Facts about a server that a sentence may name. */
type Named = Pick<MailServer, 'host' | 'port' | 'security'>;

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
const MOST_TOLD = 300;

const OF_CERTIFICATES = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(VERIFY|GET_ISSUER))/u;

const BY_CODE: Readonly<Record<string, (server: Named) => string>> = {
  ENOTFOUND: noSuchName,
  EAI_AGAIN: ({ host }) => `The name ${host} could not be looked up.`,
  EDNS: noSuchName,
  ECONNREFUSED: ({ host, port }) => `${host} refuses connections on port ${port}.`,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: ({ host, port }) => `${host} did not answer on port ${port} in time.`,
  ECONNRESET: brokeOff,
  ECONNECTION: brokeOff,
  ESOCKET: brokeOff,
};

/** Returns the reason why a message was not accepted, in one sentence. */
export function whyRefused(server: Named, error: SmtpError): string {
  const system = error.originalCode ?? errorCode(error.cause) ?? '';
  const code = system === '' ? (error.code ?? '') : system;
  if (OF_CERTIFICATES.test(code)) return certificate(server, code);
  if (error.code === 'EAUTH' || error.code === 'ENOAUTH')
    return `The e-mail server refused the sign-in${told(error)}.`;
  if (error.response !== undefined) return ofAnswer(error);
  if (error.code === 'ETLS' || code.startsWith('ERR_SSL')) return noEncryption(server);
  if (error.code === 'EMESSAGE') return 'The message is larger than the e-mail server takes.';
  return (BY_CODE[code] ?? BY_CODE[error.code ?? ''] ?? brokeOff)(server);
}

function ofAnswer(error: SmtpError): string {
  if (error.command === 'MAIL FROM') return `The e-mail server refused the sender address${told(error)}.`;
  if (error.command === 'RCPT TO') return `The e-mail server refused the recipient${told(error)}.`;
  if (error.command === 'CONN') return `The e-mail server takes no mail now${told(error)}.`;
  if (error.command === 'STARTTLS') return `The e-mail server offers no encryption${told(error)}.`;
  return `The e-mail server refused the message${told(error)}.`;
}

/**
 * Returns `: 550 No such user`, without what nobody sees and without a period of its own. Empty where the answer has no
 * number of SMTP in front: what another service says at its port is nobody's business.
 */
function told({ response }: SmtpError): string {
  if (response === undefined || !/^\d{3}(?:[ -]|$)/u.test(response)) return '';
  const words = response.replaceAll(/\s+/gu, ' ').replace(INVISIBLE_CHARACTERS, '').trim();
  return `: ${words.slice(0, MOST_TOLD).replace(/\.+$/u, '')}`;
}

function certificate({ host }: Named, code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of ${host} has expired.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `The certificate of the server is not for ${host}.`;
  return `The certificate of ${host} is not from an authority that this computer trusts.`;
}

function noEncryption({ host, port, security }: Named): string {
  return security === 'tls'
    ? `${host} does not begin with TLS on port ${port}. Perhaps it wants STARTTLS.`
    : `${host} offers no encryption by STARTTLS on port ${port}.`;
}

function noSuchName({ host }: Named): string {
  return `There is no server named ${host}.`;
}

function unreachable({ host }: Named): string {
  return `No way through the network leads to ${host}.`;
}

function brokeOff({ host }: Named): string {
  return `The connection to ${host} broke off before the message was handed over.`;
}
