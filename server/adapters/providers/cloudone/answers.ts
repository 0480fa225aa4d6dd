import type { HttpAnswer, HttpFailure } from '../../../platform/http-client.ts';
import { type Certainty, type ProviderAccount, ProviderError, type ProviderErrorCategory } from '../port.ts';
import { plainText } from './plain-text.ts';
import { envelopeSchema } from './wire.ts';

/** What the documented answers mean for a request: the vendor looked at it and said no. */
const refusals: Readonly<Record<number, string>> = {
  400: 'The fax provider did not accept the request.',
  401: 'The fax provider refused the API key or secret.',
  402: 'The account at the fax provider has no credit.',
  403: 'The fax provider does not allow this.',
  404: 'The fax provider does not know this fax or address.',
  422: 'The fax provider found the request invalid.',
};

type Envelope = { success: boolean; message: string; data: unknown };

/** The envelope of an answer, or null when the body is not one. */
export function envelopeOf(answer: HttpAnswer): Envelope | null {
  try {
    const envelope = envelopeSchema.parse(JSON.parse(answer.body.toString('utf8')));
    return { success: envelope.success, message: envelope.message ?? '', data: envelope.data };
  } catch {
    return null;
  }
}

/**
 * `data` of a successful answer. Throws ProviderError otherwise. `ambiguous` is the certainty of whatever does not tell
 * whether the request was carried out.
 */
export function dataOf(answer: HttpAnswer, account: ProviderAccount, ambiguous: Certainty): unknown {
  const envelope = envelopeOf(answer);
  if (answer.status === 200 && envelope?.success === true) return envelope.data;
  const words =
    envelope === null ? '' : plainText(envelope.message, 160, [account.apiKey, account.apiSecret]);
  // A refusing status around a body that claims success contradicts itself.
  const claimsSuccess = envelope?.success === true;
  if (answer.status === 200 && envelope !== null) {
    throw refused(answer.status, 'The fax provider refused the request.', words);
  }
  const sentence = refusals[answer.status];
  if (sentence !== undefined && !claimsSuccess) throw refused(answer.status, sentence, words);
  if (answer.status === 429 && !claimsSuccess) throw limited();
  if (answer.status >= 500) throw brokenAnswer(answer.status, ambiguous);
  throw unusableAnswer(`status ${answer.status}`, ambiguous);
}

function refused(status: number, sentence: string, words: string): ProviderError {
  return new ProviderError(`cloudone refused: status ${status} ${words}`.trim(), {
    certainty: 'refused',
    category: 'refused',
    publicMessage: words === '' ? sentence : `${sentence} It said: “${words}”`,
  });
}

function limited(): ProviderError {
  return new ProviderError('cloudone: status 429', {
    certainty: 'not_accepted',
    category: 'provider_unavailable',
    publicMessage: 'The fax provider asks for a pause: too many requests.',
  });
}

function brokenAnswer(status: number, certainty: Certainty): ProviderError {
  const posted = certainty === 'unknown';
  return new ProviderError(`cloudone: status ${status}`, {
    certainty,
    category: posted ? 'transport_ambiguous' : 'provider_unavailable',
    publicMessage: posted
      ? 'The fax provider reported a fault of its own; it may have accepted the fax.'
      : 'The fax provider reported a fault of its own.',
  });
}

/** An answer that arrived and cannot be used. */
export function unusableAnswer(detail: string, certainty: Certainty): ProviderError {
  return new ProviderError(`cloudone: unusable answer, ${detail}`, {
    certainty,
    category: 'response_unusable',
    publicMessage:
      certainty === 'unknown'
        ? 'The answer of the fax provider could not be used; it may have accepted the fax.'
        : 'The answer of the fax provider could not be used.',
  });
}

/** No usable answer came. Only what certainly never left this computer is `not_accepted`. */
export function failureOf(failure: HttpFailure, ambiguous: Certainty): ProviderError {
  if (failure.reason === 'oversized' || failure.reason === 'unreadable') {
    return unusableAnswer(failure.reason, ambiguous);
  }
  const certainty = failure.wrote ? ambiguous : 'not_accepted';
  const category: ProviderErrorCategory =
    certainty === 'unknown' ? 'transport_ambiguous' : 'provider_unavailable';
  return new ProviderError(`cloudone: ${failure.message}`, {
    certainty,
    category,
    publicMessage: failure.wrote ? lostSentence(certainty) : 'The fax provider could not be reached.',
    cause: failure,
  });
}

function lostSentence(certainty: Certainty): string {
  return certainty === 'unknown'
    ? 'The connection was lost before the fax provider answered; it may have accepted the fax.'
    : 'The fax provider did not answer.';
}
