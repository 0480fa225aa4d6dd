import { FIXED_MESSAGES } from '../../../../shared/api/errors.ts';
import { ApiError, sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/index.ts';
import { contentOf, type Draft } from '../draft/draft.ts';

export interface SendingProblem {
  /** Beside which part of the form it is said. */
  readonly place: 'to' | 'documents' | 'more' | 'send';
  readonly sentence: string;
  /** `unknown`: the fax may have been taken. `other`: an earlier form of this draft was. */
  readonly kind: 'refused' | 'unknown' | 'other';
}

/** Where a failed try belongs on the form, in words. */
export function problemOf(error: unknown, draft: Draft): SendingProblem | null {
  if (error === null || error === undefined) return null;
  if (!(error instanceof ApiError) || error.status >= 500) return unknownOutcome(error);
  if (error.status === 401) return { place: 'send', sentence: t.signIn.ended, kind: 'refused' };
  if (error.status === 409) return conflict(error, draft);
  return { place: placeOf(error), sentence: error.detail, kind: 'refused' };
}

function unknownOutcome(error: unknown): SendingProblem {
  // A full disk is told for certain: nothing was recorded.
  const isCertain = error instanceof ApiError && error.status === 507;
  if (isCertain) return { place: 'send', sentence: error.detail, kind: 'refused' };
  const sentence = error instanceof ApiError ? sentenceOf(error) : t.send.unknownOutcome;
  return { place: 'send', sentence, kind: 'unknown' };
}

function conflict(error: ApiError, draft: Draft): SendingProblem {
  if (error.detail === FIXED_MESSAGES.otherRequest)
    return { place: 'send', sentence: t.send.earlierWasSent, kind: 'other' };
  const isStaleForm = draft.options.queueOnly && error.detail !== FIXED_MESSAGES.noProvider;
  return { place: isStaleForm ? 'more' : 'send', sentence: error.detail, kind: 'refused' };
}

function placeOf({ status, detail }: ApiError): SendingProblem['place'] {
  if (status === 413 || status === 415) return 'documents';
  if (detail === FIXED_MESSAGES.badNumber) return 'to';
  if (/\btime\b|\bdays ahead\b|\bmailbox\b/u.test(detail)) return 'more';
  return status === 400 ? 'documents' : 'send';
}

/** A try was made whose answer never came, e.g. because the page was closed: said when the draft is opened again. */
export function wasLeftOpen(draft: Draft): 'same' | 'changed' | null {
  if (draft.tried === null) return null;
  return draft.tried === contentOf(draft) ? 'same' : 'changed';
}
