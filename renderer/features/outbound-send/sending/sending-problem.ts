import type { ErrorCode } from '../../../../shared/errors/all.ts';
import { ApiError, sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/index.ts';
import { contentOf, type Draft } from '../draft/draft.ts';

export interface SendingProblem {
  /** Beside which part of the form it is said. */
  readonly part: 'to' | 'documents' | 'more' | 'send';
  readonly sentence: string;
  /** `unknown`: the fax may have been taken. `other`: an earlier form of this draft was. */
  readonly kind: 'refused' | 'unknown' | 'other';
}

/** Where a failed try belongs on the form, in words. */
export function problemOf(error: unknown): SendingProblem | null {
  if (error === null || error === undefined) return null;
  if (!(error instanceof ApiError) || error.status >= 500) return unknownOutcome(error);
  if (error.status === 401) return { part: 'send', sentence: t.signIn.ended, kind: 'refused' };
  if (error.status === 409) return conflict(error);
  return { part: partOf(error), sentence: error.detail, kind: 'refused' };
}

function unknownOutcome(error: unknown): SendingProblem {
  // A full disk is told for certain: nothing was recorded.
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

/** Where on the form the reason of a refusal is; what is not here belongs to the form as a whole. */
const PARTS: Readonly<Partial<Record<ErrorCode, SendingProblem['part']>>> = {
  invalid_fax_number: 'to',
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
  sending_is_on: 'more',
};

function partOf({ code }: ApiError): SendingProblem['part'] {
  return PARTS[code as ErrorCode] ?? 'send';
}

/**
 * A try was made whose answer never came, e.g. because the page was closed: said when the draft is opened again. `number` is
 * its number, E.164.
 */
export function wasLeftOpen(draft: Draft, number: string | null): 'same' | 'changed' | null {
  if (draft.tried === null) return null;
  return draft.tried === contentOf(draft, number) ? 'same' : 'changed';
}
