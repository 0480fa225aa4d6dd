import { Webhook } from 'standardwebhooks';
import { errorCode } from '../../platform/errors.ts';
import { createHttpClient, type HttpBody, HttpFailure } from '../../platform/http-client.ts';
import { ADDRESS_REFUSED, type LookupAll } from '../../platform/http-connection.ts';
import { isPrivateAddress, isPublicAddress } from '../../platform/public-address.ts';
import { retryAfterOf } from '../../platform/retry-after.ts';
import type { WebhookMessage, WebhookResult, WebhookSender } from './port.ts';

/** Time for the whole exchange. */
const TIMEOUT_MS = 10_000;
/** Bytes of the answer that are read and thrown away. */
const MAX_ANSWER_BYTES = 4_096;

const CERTIFICATE_CODES = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(VERIFY|GET_ISSUER))/u;

const SENTENCES: Readonly<Record<string, string>> = {
  [ADDRESS_REFUSED]: 'The name of the server leads to an address that webhooks are not sent to.',
  ENOTFOUND: 'The name of the server does not exist.',
  EAI_AGAIN: 'The name of the server could not be looked up.',
  ECONNREFUSED: 'The server refused the connection.',
  EHOSTUNREACH: 'The server cannot be reached.',
  ENETUNREACH: 'The server cannot be reached.',
};

/**
 * Creates the sender of webhooks. A name is looked up once for each message, and the connection goes to an address that
 * was checked, so that a second answer of the name server leads nowhere else. `lookup`, `ca` and `timeoutMs` are for
 * tests.
 */
export function createWebhookSender(
  given: { readonly lookup?: LookupAll; readonly ca?: string; readonly timeoutMs?: number } = {},
): WebhookSender {
  const { timeoutMs = TIMEOUT_MS } = given;
  const clientFor = (allowAddress: (ip: string) => boolean) =>
    createHttpClient({ ...given, timeoutMs, allowAddress });
  const clients = {
    public: clientFor(isPublicAddress),
    private: clientFor(isPrivateAddress),
    any: clientFor((ip) => isPublicAddress(ip) || isPrivateAddress(ip)),
  };
  return {
    async send(url, message, { allowPrivate, signal }) {
      const isPlain = new URL(url).protocol === 'http:';
      if (isPlain && !allowPrivate)
        return { kind: 'failed', sentence: 'Webhooks are sent over https:// only.' };
      // Nothing is sent unencrypted over the internet.
      const client = isPlain ? clients.private : allowPrivate ? clients.any : clients.public;
      const headers = signedHeaders(message);
      const request = { method: 'POST', url, headers, maxAnswerBytes: MAX_ANSWER_BYTES, signal } as const;
      try {
        const { status, headers: answered } = await client.request({
          ...request,
          body: jsonBody(message.body),
        });
        return { kind: 'answered', status, retryAfterMs: retryAfterOf(answered, message.at) };
      } catch (error) {
        return resultOfError(error, timeoutMs);
      }
    },
  };
}

/** Returns the headers of the Standard Webhooks format, with a signature of each secret. */
function signedHeaders({ id, secrets, at, body }: WebhookMessage): Record<string, string> {
  const time = new Date(at);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, time, body)).join(' '),
  };
}

function jsonBody(text: string): HttpBody {
  const bytes = Buffer.from(text);
  return {
    contentType: 'application/json',
    contentLength: bytes.length,
    async *chunks() {
      yield bytes;
    },
  };
}

function resultOfError(error: unknown, timeoutMs: number): WebhookResult {
  if (!(error instanceof HttpFailure)) throw error;
  // The status is the answer, whatever became of the rest.
  if (error.status !== null) return { kind: 'answered', status: error.status, retryAfterMs: null };
  if (error.reason === 'cancelled') return { kind: 'canceled' };
  return { kind: 'failed', sentence: sentenceOf(error, timeoutMs) };
}

function sentenceOf({ reason, cause }: HttpFailure, timeoutMs: number): string {
  if (reason === 'timeout') return `The server did not answer within ${timeoutMs / 1000} seconds.`;
  const code = errorCode(cause);
  if (CERTIFICATE_CODES.test(code)) return 'The certificate of the server is not valid for this address.';
  const sentence = SENTENCES[code];
  if (sentence !== undefined) return sentence;
  if (reason === 'connection') return 'No connection to the server could be made.';
  return reason === 'unreadable'
    ? 'The answer of the server was not HTTP.'
    : 'The server closed the connection without an answer.';
}
