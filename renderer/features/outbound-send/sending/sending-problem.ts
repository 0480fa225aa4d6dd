import type { ErrorCode } from '../../../../shared/errors/all.ts';
import { ApiError, sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/index.ts';
import { contentOf, type Draft } from '../draft/draft.ts';

export interface SendingProblem {
  /** Part of the form that it is shown beside. */
  readonly part: 'to' | 'guard' | 'documents' | 'more' | 'send';
  readonly sentence: string;
  /** `unknown`: the fax may have been taken. `other`: an earlier form of this draft was. */
  readonly kind: 'refused' | 'unknown' | 'other';
}

/** Returns the sentence for a failed try, and the part of the form it belongs to. */
export function problemOf(error: unknown): SendingProblem | null {
  if (error === null || error === undefined) return null;
  if (!(error instanceof ApiError) || error.status >= 500) return unknownOutcome(error);
  if (error.status === 401) return { part: 'send', sentence: t.signIn.ended, kind: 'refused' };
  if (error.status === 409) return conflict(error);
  return { part: partOf(error), sentence: error.detail, kind: 'refused' };
}

function unknownOutcome(error: unknown): SendingProblem {
  // With a full disk it is certain that nothing was recorded.
  const isCertain = error instanceof ApiError && error.is('disk_full');
  if (isCertain) return { part: 'send', sentence: error.detail, kind: 'refused' };
  const sentence = error instanceof ApiError ? sentenceOf(error) : t.send.unknownOutcome;
  return { part: 'send', sentence, kind: 'unknown' };
}

function conflict(error: ApiError): SendingProblem {
  if (error.is('idempotency_key_reused'))
    return { part: 'send', sentence: t.send.earlierWasSent, kind: 'other' };
  return { part: partOf(error), sentence: error.detail, kind: 'refused' };
}

/** Part of the form for each reason of a refusal; any other belongs to the form as a whole. */
const PARTS: Readonly<Partial<Record<ErrorCode, SendingProblem['part']>>> = {
  invalid_fax_number: 'to',
  number_blocked: 'guard',
  guard_refused: 'guard',
  document_invalid: 'documents',
  document_too_large: 'documents',
  document_unsupported: 'documents',
  too_large: 'documents',
  too_many_parts: 'documents',
  wrong_files: 'documents',
  file_needed: 'documents',
  wrong_titles: 'documents',
  preview_files_gone: 'documents',
  which_mailbox: 'more',
  unknown_mailbox: 'more',
  mailbox_refused: 'more',
  no_mailbox: 'more',
  send_time_past: 'more',
  send_time_too_far: 'more',
  send_by_past: 'more',
  send_by_too_early: 'more',
  send_by_before_hours: 'more',
  no_cheap_hours: 'more',
  sending_is_on: 'more',
};

function partOf({ code }: ApiError): SendingProblem['part'] {
  return PARTS[code as ErrorCode] ?? 'send';
}

/**
 * Compares the draft with its last try that got no response, e.g. because the page was closed; shown when the draft is
 * opened again. `number` is its number in E.164. Null when there is no such try.
 */
export function compareWithLastTry(draft: Draft, number: string | null): 'same' | 'changed' | null {
  if (draft.tried === null) return null;
  return draft.tried === contentOf(draft, number) ? 'same' : 'changed';
}
