import type { HttpAnswer } from '../../../platform/http-client.ts';
import { brokenAnswer, limited, refusalSentence, refused, unusableAnswer } from '../failures.ts';
import type { Certainty, ProviderError } from '../port.ts';
import { parsedJson } from '../wire-values.ts';
import type { CloudtwoAccount } from './account.ts';
import { acceptedFaxOf, errorSchema } from './wire.ts';

/**
 * The JSON of a successful answer. Throws ProviderError otherwise. `ambiguous` is the certainty of whatever does not tell
 * whether the request was carried out.
 */
export function successOf(answer: HttpAnswer, account: CloudtwoAccount, ambiguous: Certainty): unknown {
  const body = bodyOf(answer);
  if (answer.status === 200 && body !== null) return body;
  throw refusalOf(answer, account, ambiguous);
}

/** What an answer means that is no success. */
export function refusalOf(answer: HttpAnswer, account: CloudtwoAccount, ambiguous: Certainty): ProviderError {
  const { status } = answer;
  // A refusing status around a fax contradicts itself.
  const claimsSuccess = acceptedFaxOf(bodyOf(answer)) !== null;
  const sentence = refusalSentence(status);
  if (sentence !== undefined && !claimsSuccess) return refused(account, status, sentence, wordsOf(answer));
  if (status === 429 && !claimsSuccess) return limited(account, answer);
  if (status >= 500) return brokenAnswer(account, status, ambiguous);
  return unusableAnswer(account, `status ${status}`, ambiguous);
}

/** True for the documented "no such thing": a 404 of anybody else between us says nothing. */
export function isUnknown(answer: HttpAnswer): boolean {
  return answer.status === 404 && errorSchema.safeParse(bodyOf(answer)).success;
}

function bodyOf(answer: HttpAnswer): unknown {
  return parsedJson(answer.body.toString('utf8'));
}

/** The message, with what it names as wrong. */
function wordsOf(answer: HttpAnswer): string {
  const error = errorSchema.safeParse(bodyOf(answer)).data;
  const violations = error?.details?.fieldViolations ?? [];
  const named = violations.map(({ field, description }) => `${field}: ${description}`);
  return [error?.message ?? '', ...named].filter((words) => words !== '').join('; ');
}
