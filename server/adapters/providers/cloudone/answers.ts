import type { Certainty, TransportError } from '../../../features/outbound/transport-port.ts';
import type { HttpAnswer } from '../../../platform/http-client.ts';
import { brokenAnswer, rateLimited, refusalSentence, refused, unusableAnswer } from '../failures.ts';
import type { CloudoneAccount } from './account.ts';
import { envelopeSchema } from './wire.ts';

interface Envelope {
  readonly success: boolean;
  readonly message: string;
  readonly data: unknown;
  /** Of a list: how many entries it has in all, or null. */
  readonly total: number | null;
}

/** The envelope of an answer, or null when the body is not one. */
function envelopeOf(answer: Pick<HttpAnswer, 'body'>): Envelope | null {
  try {
    const envelope = envelopeSchema.parse(JSON.parse(answer.body.toString('utf8')));
    const total = envelope.paging?.total ?? null;
    return { success: envelope.success, message: envelope.message ?? '', data: envelope.data, total };
  } catch {
    return null;
  }
}

/**
 * Returns the envelope of a successful answer; throws TransportError otherwise. `ambiguous` is the certainty of an
 * answer that does not show whether the request was carried out.
 */
export function successOf(answer: HttpAnswer, account: CloudoneAccount, ambiguous: Certainty): Envelope {
  const envelope = envelopeOf(answer);
  if (answer.status === 200 && envelope?.success === true) return envelope;
  throw refusalOf(answer, account, ambiguous);
}

/** Maps an unsuccessful answer to an error. */
export function refusalOf(
  answer: HttpAnswer,
  account: CloudoneAccount,
  ambiguous: Certainty,
): TransportError {
  const { status } = answer;
  const envelope = envelopeOf(answer);
  const words = envelope?.message ?? '';
  // A refusing status around a body that claims success contradicts itself.
  const claimsSuccess = envelope?.success === true;
  if (status === 200 && envelope !== null && !claimsSuccess)
    return refused(account, status, 'The fax provider refused the request.', words);
  const sentence = refusalSentence(status);
  if (sentence !== undefined && !claimsSuccess) return refused(account, status, sentence, words);
  if (status === 429 && !claimsSuccess) return rateLimited(account, answer);
  if (status >= 500) return brokenAnswer(account, status, ambiguous);
  return unusableAnswer(account, `status ${status}`, ambiguous);
}

/** True for the documented "no such thing": a 404 of anybody else between us says nothing. */
export function isUnknown(answer: Pick<HttpAnswer, 'status' | 'body'>): boolean {
  return answer.status === 404 && envelopeOf(answer)?.success === false;
}
