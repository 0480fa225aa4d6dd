import type { AccountProblem, ErrorCategory } from '../../../shared/states/outbound.ts';
import { type Certainty, TransportError } from '../../features/outbound/transport-port.ts';
import { errorCode } from '../../platform/errors.ts';
import { type HttpAnswer, HttpFailure } from '../../platform/http-client.ts';
import { PROXY_REFUSED } from '../../platform/outgoing-proxy.ts';
import { retryAfterOf } from '../../platform/retry-after.ts';
import { plainText } from './plain-text.ts';
import type { ProviderAccount } from './provider-port.ts';

/** An answer about one fax is a few kilobytes; more is not the provider speaking. */
export const maxAnswerBytes = 256 * 1024;

/** Of questions: repeating them is harmless, so nothing about them is ambiguous. */
export const certainlyNotSent: Certainty = 'try_later';

/** An account whose credentials are a key and its secret. */
export interface KeyedAccount extends ProviderAccount {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** Sentences for the documented refusals: the vendor examined the request and refused it. */
const refusals: Readonly<Record<number, string>> = {
  400: 'The fax provider did not accept the request.',
  401: 'The fax provider refused the API key or secret.',
  402: 'The account at the fax provider has no credit.',
  403: 'The fax provider does not allow this.',
  404: 'The fax provider has no record of this fax or address.',
  422: 'The fax provider found the request invalid.',
};

/** The sentence of a documented refusal, or undefined. */
export function refusalSentence(status: number): string | undefined {
  return refusals[status];
}

/** `words` are the provider's, made plain with the account's secrets left out. */
export function refused(
  account: KeyedAccount,
  status: number,
  sentence: string,
  message: string,
): TransportError {
  const words = plainText(message, 160, [account.apiKey, account.apiSecret]);
  return new TransportError(`${account.backend} refused: status ${status} ${words}`.trim(), {
    certainty: 'not_accepted',
    category: 'refused',
    accountProblem: accountProblemOf(status, sentence),
    publicMessage: words === '' ? sentence : `${sentence} It said: “${words}”`,
  });
}

/** A request for a token is refused with other statuses as well. */
function accountProblemOf(status: number, sentence: string): AccountProblem | null {
  if (status === 401 || sentence === refusals[401]) return 'refused';
  return status === 402 ? 'no_credit' : null;
}

/** 429: nothing was carried out. */
export function rateLimited(account: ProviderAccount, answer: Pick<HttpAnswer, 'headers'>): TransportError {
  const retryAfterMs = retryAfterOf(answer.headers);
  const pause = retryAfterMs === null ? 'a pause' : `a pause of ${formatWait(retryAfterMs)}`;
  return new TransportError(`${account.backend}: status 429`, {
    certainty: 'try_later',
    category: 'provider_unavailable',
    publicMessage: `There were too many requests. The fax provider asks for ${pause}.`,
    retryAfterMs,
  });
}

function formatWait(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes < 2) return 'a minute';
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** Maps a 5xx answer: the provider's own fault, which does not show whether the request was carried out. */
export function brokenAnswer(account: ProviderAccount, status: number, certainty: Certainty): TransportError {
  const posted = certainty === 'unknown';
  return new TransportError(`${account.backend}: status ${status}`, {
    certainty,
    category: posted ? 'transport_ambiguous' : 'provider_unavailable',
    publicMessage: posted
      ? 'The fax provider reported an error on its side; it may have accepted the fax.'
      : 'The fax provider reported an error on its side.',
  });
}

/** An answer that arrived and cannot be used. */
export function unusableAnswer(
  account: ProviderAccount,
  detail: string,
  certainty: Certainty,
): TransportError {
  return new TransportError(`${account.backend}: unusable answer, ${detail}`, {
    certainty,
    category: 'response_unusable',
    publicMessage:
      certainty === 'unknown'
        ? 'The fax provider’s answer could not be read; it may have accepted the fax.'
        : 'The fax provider’s answer could not be read.',
  });
}

/** No usable answer came. Only what certainly never left this computer is `try_later`. Other errors stay. */
export function failureOf(account: ProviderAccount, failure: unknown, ambiguous: Certainty): unknown {
  if (!(failure instanceof HttpFailure)) return failure;
  if (failure.reason === 'oversized' || failure.reason === 'unreadable') {
    return unusableAnswer(account, failure.reason, ambiguous);
  }
  const certainty = failure.wrote ? ambiguous : 'try_later';
  const category: ErrorCategory = certainty === 'unknown' ? 'transport_ambiguous' : 'provider_unavailable';
  return new TransportError(`${account.backend}: ${failure.message}`, {
    certainty,
    category,
    publicMessage: failure.wrote ? lostSentence(certainty) : unreachedSentence(failure),
    cause: failure,
  });
}

function unreachedSentence({ cause }: HttpFailure): string {
  const code = errorCode(cause);
  if (!code.startsWith(PROXY_REFUSED)) return 'The fax provider could not be reached.';
  return code === `${PROXY_REFUSED}407`
    ? 'The proxy refused its user name or password, so the fax provider could not be reached.'
    : `The proxy answered ${code.slice(PROXY_REFUSED.length)}, so the fax provider could not be reached.`;
}

function lostSentence(certainty: Certainty): string {
  return certainty === 'unknown'
    ? 'The connection was lost before the fax provider answered; it may have accepted the fax.'
    : 'The fax provider did not answer.';
}

/** Nothing, and above all no key, leaves for an address that does not qualify. */
export function addressRefused(account: ProviderAccount, problem: string): TransportError {
  return new TransportError(`${account.backend}: base address refused`, {
    certainty: 'try_later',
    category: 'provider_unavailable',
    publicMessage: problem,
  });
}

/** The prepared document cannot be opened now, so no connection was made. */
export function documentUnreadable(account: ProviderAccount, cause: unknown): TransportError {
  return new TransportError(`${account.backend}: the document could not be opened`, {
    certainty: 'try_later',
    category: 'artifact_unavailable',
    publicMessage: 'The document could not be opened.',
    cause,
  });
}

/** The media type of an answer without its parameters, lowercase; null when it names none. */
export function mediaTypeOf(answer: Pick<HttpAnswer, 'headers'>): string | null {
  const type = (answer.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  return type || null;
}
