import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { NumberCheck } from '../../../../shared/api/outbound-shapes.ts';
import { client } from '../../../api/client.ts';
import { isRefused } from '../../../api/sentence.ts';
import { type GuardFinding, openFinding } from '../../../parts/guard/guard.ts';
import type { PreviewState } from '../../../parts/previews/preview-store.ts';
import { useSettled } from '../../../parts/use-settled.ts';
import { usePhoneReader } from '../../../ui/phone-reader.ts';
import type { ReadNumber } from '../../../ui/phone-rules.ts';
import { type Draft, documentOf, resendOf } from '../draft/draft.ts';
import { compareWithLastTry } from '../sending/sending-problem.ts';

export interface Recipient {
  readonly read: ReadNumber;
  /** The rules by which numbers are read are there. */
  readonly hasRules: boolean;
  /** The typed number by the rules alone, E.164; null while it is none. */
  readonly number: string | null;
  /** The number, E.164, once the gateway reads it in the same way: what is shown is where the fax goes. */
  readonly to: string | null;
  /** The gateway's check of the number; null until it arrives. */
  readonly check: z.infer<typeof NumberCheck> | null;
  /** Error of the check. */
  readonly failure: unknown;
  readonly askAgain: () => void;
  /** The check is under way, perhaps once again. */
  readonly isChecking: boolean;
  /** Findings of the wrong-number guard about the number and the documents, the gravest first. */
  readonly findings: readonly GuardFinding[];
  /** The finding that keeps the fax from being sent; null for none. */
  readonly open: GuardFinding | null;
  /** No country has its code, and nobody said yet that it is right. */
  readonly asksForCode: boolean;
}

const SETTLE_MS = 200;

/** Returns the recipient of the draft: parsed by the numbering rules at once, checked by the gateway a moment later. */
export function useRecipient(draft: Draft, country: string, preview: PreviewState): Recipient {
  const reader = usePhoneReader();
  const read = reader?.readNumber(draft.to, country) ?? unread(draft.to);
  const to = read.kind === 'number' ? read.to : null;
  const settled = useSettled(to, SETTLE_MS);
  const isSettled = to !== null && settled === to;
  const asked = useNumberCheck(draft, isSettled ? to : null, preview);
  const check = isSettled ? (asked.data ?? null) : null;
  const findings = (check?.findings ?? []).filter(
    // The document that may have gone with a try whose answer was lost: its key lets it become one fax only.
    (finding) => finding.check !== 'same_document' || compareWithLastTry(draft, to) !== 'same',
  );
  const open = to === null ? null : openFinding(findings, draft, { to, document: documentOf(draft) });
  return {
    read,
    hasRules: reader !== null,
    number: to,
    to: check?.to === to ? to : null,
    check,
    failure: check === null && isSettled ? asked.error : null,
    askAgain: () => void asked.refetch(),
    isChecking: asked.isFetching,
    findings,
    open,
    asksForCode:
      read.kind === 'number' &&
      read.hasUnknownCode === true &&
      check?.first_time === true &&
      open?.action !== 'refuse' &&
      draft.allowed !== to,
  };
}

/** Checks the number, with the documents once the gateway has them for the preview. */
function useNumberCheck(draft: Draft, to: string | null, { preview, phase, files }: PreviewState) {
  const document = documentOf(draft);
  const hasAll = phase !== 'failed' && document !== '' && document === files.join();
  const previewId = hasAll ? (preview?.preview_id ?? null) : null;
  const resent = resendOf(draft);
  return useQuery({
    queryKey: ['number-check', to, previewId === null ? null : document, resent],
    enabled: to !== null,
    staleTime: 0,
    // Its number is the same: what was found about it stays in place.
    placeholderData: (before: Recipient['check'] | undefined, query) =>
      query?.queryKey[1] === to ? (before ?? undefined) : undefined,
    queryFn: async ({ signal }) => {
      const query = { to: to ?? '', ...(resent === null ? {} : { resend_of: resent }) };
      if (previewId === null) return client.outbound.checkNumber({ query, signal });
      return client.outbound
        .checkNumber({ query: { ...query, preview_id: previewId }, signal })
        .catch((error: unknown) => {
          if (!isRefused(error, 'preview_expired')) throw error;
          return client.outbound.checkNumber({ query, signal });
        });
    },
  });
}

/** Before the rules of all countries are there. */
function unread(text: string): ReadNumber {
  return { kind: text.trim() === '' ? 'empty' : 'beginning' };
}
