import { lookup as lookUpName } from 'node:dns';
import { isIP } from 'node:net';
import { errorCode } from '../../platform/errors.ts';
import { createHttpClient, type HttpBody, HttpFailure } from '../../platform/http-client.ts';
import { ADDRESS_REFUSED, type LookupAll } from '../../platform/http-connection.ts';
import { isPrivateAddress, isPublicAddress } from '../../platform/public-address.ts';
import { deliveryForm } from './delivery-form.ts';
import type { PeerNetwork, PeerResult, Peers, PeerTarget } from './port.ts';

/** Time for a whole request. */
const TIMEOUT_MS = 60_000;
/** An answer is a signed statement. */
const MAX_ANSWER_BYTES = 32 * 1024;

/** The one sentence for an address that is refused. */
export const PEER_ADDRESS_REFUSED =
  'The address of this partner is not a public address on the internet, so nothing is sent to it.';
const NOT_ENCRYPTED = 'The address of a partner must begin with https://.';
const UNKNOWN_NAME = 'The address of this partner cannot be found.';

const CERTIFICATE_CODES = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(VERIFY|GET_ISSUER))/u;

/**
 * Creates the client of partners. A name is looked up once for each request. The request is refused when one of its
 * addresses is not allowed, and goes to an address that was checked.
 */
export function createPeers(network: PeerNetwork = {}): Peers {
  const { timeoutMs = TIMEOUT_MS } = network;
  const send = async (target: PeerTarget, request: PeerRequest): Promise<PeerResult> => {
    const rule = ruleFor(target);
    if (typeof rule === 'string') return { kind: 'not_sent', sentence: rule };
    const lookup = strictLookup(network.lookup ?? lookUpName, rule);
    const client = createHttpClient({ ...network, timeoutMs, allowAddress: rule, lookup });
    const { path, isIncomplete = () => false, ...parts } = request;
    try {
      const url = `${target.endpoint}${path}`;
      const { signal } = target;
      const answer = await client.request({ ...parts, url, signal, maxAnswerBytes: MAX_ANSWER_BYTES });
      return { kind: 'answered', status: answer.status, body: answer.body };
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error;
      if (error.reason === 'source') throw sourceErrorOf(error);
      const isCertain = !error.wrote || isIncomplete();
      return { kind: isCertain ? 'not_sent' : 'unknown', sentence: sentenceOf(error, timeoutMs) };
    }
  };
  return {
    async findAddressProblem(target) {
      const rule = ruleFor(target);
      if (typeof rule === 'string') return rule;
      const host = hostOf(target);
      if (isIP(host) !== 0) return rule(host) ? null : PEER_ADDRESS_REFUSED;
      const signal = AbortSignal.any([target.signal, AbortSignal.timeout(timeoutMs)]);
      return findNameProblem(host, strictLookup(network.lookup ?? lookUpName, rule), signal);
    },
    post: (target, path, json) => send(target, { method: 'POST', path, body: jsonBody(json) }),
    get: (target, path, headers) => send(target, { method: 'GET', path, headers }),
    upload(target, document) {
      const { body, isIncomplete } = deliveryForm(document);
      return send(target, { method: 'POST', path: '/direct/deliveries', body, isIncomplete });
    },
  };
}

interface PeerRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: HttpBody;
  /** Returns true while the end of the body was not given to the connection. */
  readonly isIncomplete?: () => boolean;
}

type AddressRule = (ip: string) => boolean;

/** Returns the addresses that are allowed, or the sentence that refuses the target by its text alone. */
function ruleFor({ endpoint, allowPrivate }: PeerTarget): AddressRule | string {
  const url = URL.parse(endpoint);
  if (url?.protocol === 'https:')
    return allowPrivate ? (ip) => isPublicAddress(ip) || isPrivateAddress(ip) : isPublicAddress;
  // Nothing goes unencrypted over the internet.
  return url?.protocol === 'http:' && allowPrivate ? isPrivateAddress : NOT_ENCRYPTED;
}

const hostOf = ({ endpoint }: PeerTarget) => new URL(endpoint).hostname.replace(/^\[(.*)\]$/u, '$1');

/** A name of which one address is not allowed is refused as a whole: it may lead there at the next attempt. */
function strictLookup(lookUp: LookupAll, isAllowed: AddressRule): LookupAll {
  return (hostname, options, callback) =>
    lookUp(hostname, options, (error, found) => {
      const isRefused = !error && (found ?? []).some(({ address }) => !isAllowed(address));
      if (isRefused) callback(Object.assign(new Error(PEER_ADDRESS_REFUSED), { code: ADDRESS_REFUSED }), []);
      else callback(error, found);
    });
}

function findNameProblem(host: string, lookUp: LookupAll, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(UNKNOWN_NAME), { once: true });
    lookUp(host, { all: true }, (error, found) => {
      if (error) resolve(errorCode(error) === ADDRESS_REFUSED ? PEER_ADDRESS_REFUSED : UNKNOWN_NAME);
      else resolve(found.length > 0 ? null : UNKNOWN_NAME);
    });
  });
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

/** Error of the document that was sent, from within the failure of the client. */
function sourceErrorOf(failure: HttpFailure): unknown {
  return failure.cause instanceof Error ? (failure.cause.cause ?? failure.cause) : failure.cause;
}

function sentenceOf({ reason, cause }: HttpFailure, timeoutMs: number): string {
  if (reason === 'timeout') return `The partner did not answer within ${timeoutMs / 1000} seconds.`;
  if (reason === 'cancelled') return 'Faxdesk was stopped during the request to the partner.';
  const code = errorCode(cause);
  if (code === ADDRESS_REFUSED) return PEER_ADDRESS_REFUSED;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return UNKNOWN_NAME;
  if (CERTIFICATE_CODES.test(code)) return 'The certificate of the partner is not valid for its address.';
  if (reason === 'connection') return 'The partner cannot be reached.';
  if (reason === 'oversized' || reason === 'unreadable') return 'The answer of the partner is not valid.';
  return 'The partner closed the connection without an answer.';
}
