import type { Certainty, TransportError } from '../../../features/outbound/transport-port.ts';
import type { HttpAnswer } from '../../../platform/http-client.ts';
import { brokenAnswer, rateLimited, refusalSentence, refused, unusableAnswer } from '../failures.ts';
import { parsedJson } from '../wire-values.ts';
import type { CloudtwoAccount } from './account.ts';
import { errorOf } from './error-body.ts';
import { acceptedFaxOf } from './wire.ts';

/**
 * Returns the JSON of a successful answer; throws TransportError otherwise. `ambiguous` is the certainty of an answer
 * that does not show whether the request was carried out.
 */
export function successOf(answer: HttpAnswer, account: CloudtwoAccount, ambiguous: Certainty): unknown {
  const body = bodyOf(answer);
  if (answer.status === 200 && body !== null) return body;
  throw refusalOf(answer, account, ambiguous);
}

/** Maps an unsuccessful answer to an error. */
export function refusalOf(
  answer: HttpAnswer,
  account: CloudtwoAccount,
  ambiguous: Certainty,
): TransportError {
  const { status } = answer;
  // A refusing status around a fax contradicts itself.
  const claimsSuccess = acceptedFaxOf(bodyOf(answer)) !== null;
  const sentence = refusalSentence(status);
  if (sentence !== undefined && !claimsSuccess)
    return refused(account, status, sentence, errorOf(bodyOf(answer))?.words ?? '');
  if (status === 429 && !claimsSuccess) return rateLimited(account, answer);
  if (status >= 500) return brokenAnswer(account, status, ambiguous);
  return unusableAnswer(account, `status ${status}`, ambiguous);
}

/**
 * Returns true when the vendor answered that there is no such fax: 404 with an error body of its own that names no
 * other status. A 404 from a host in between does not prove that.
 */
export function isUnknown(answer: HttpAnswer): boolean {
  if (answer.status !== 404) return false;
  const error = errorOf(bodyOf(answer));
  return error !== null && (error.status ?? 404) === 404;
}

function bodyOf(answer: HttpAnswer): unknown {
  return parsedJson(answer.body.toString('utf8'));
}
