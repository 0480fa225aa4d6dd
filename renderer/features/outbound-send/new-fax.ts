import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { defaultsQuery } from '../../api/desk.ts';
import { useInstallation } from '../../api/queries.ts';
import { partOfFinding } from '../../parts/guard/guard.ts';
import { usePreview } from '../../parts/previews/preview-store.ts';
import { focusPart } from '../../ui/focus/places.ts';
import { announce } from '../../ui/live-region.tsx';
import { useCover } from './cover/use-cover.ts';
import { loadDocumentList } from './documents/documents.tsx';
import { useDraft } from './draft/draft-store.ts';
import { type Mailbox, NONE, useMailboxes, withShownMailbox } from './mailboxes.ts';
import { withRefusal } from './number/guard-refusal.ts';
import { type Recipient, useRecipient } from './number/recipient.ts';
import { loadPreviewPages } from './preview/preview-pane.tsx';
import { usePreviewWords } from './preview/preview-words.ts';
import { partAtFault, unreadyReason } from './readiness.ts';
import { useSending } from './sending/sending.ts';
import type { SendingProblem } from './sending/sending-problem.ts';

/** After the first picture. */
const LOAD_LATER_MS = 500;

/** Settings and limits of the gateway for a new fax. */
export interface SendContext {
  readonly fax_disabled: boolean;
  readonly max_file_size_mb: number;
  readonly default_country: string;
  readonly number_example: string;
  readonly by_line: boolean;
  readonly mailboxes?: readonly Mailbox[] | undefined;
}

/** Everything the form shows, in one place. */
export function useNewFax(owner: string, send: SendContext) {
  const { draft: stored, saveState, isLoaded, cleared, store: drafts } = useDraft(owner);
  const mailboxes = useMailboxes(send.mailboxes, stored.options.mailbox);
  const { chosen } = mailboxes;
  const draft = useMemo(() => withShownMailbox(stored, chosen), [stored, chosen]);
  const { store: previews, ...preview } = usePreview(owner);
  const checked = useRecipient(draft, send.default_country, preview);
  const hasProvider = useInstallation()?.sending.state !== 'not_set_up';
  // Other numbers are called anyway.
  const needsNoCall = checked.check?.internal === true || checked.check?.direct === true;
  const isCalled = needsNoCall && draft.options.byCall;
  const onlyMailbox =
    send.mailboxes?.length === 1 && mailboxes.choices.length === 0 ? send.mailboxes[0]?.id : null;
  const mailbox = (chosen === NONE ? null : chosen) ?? onlyMailbox ?? null;
  const pages = preview.preview?.pages ?? 0;
  const cover = useCover(draft, { to: checked.to, mailbox, pages });
  const sending = useSending(drafts, previews, { draft, to: checked.to, cover });
  const recipient = withRefusal(checked, draft, sending);
  const reason = unreadyReason({ draft, recipient, preview, hasProvider, mailboxes, cover });
  const headerName = useQuery(defaultsQuery).data?.header_name ?? null;
  useEffect(() => {
    const { files, cleanGreys } = draft;
    const drawing = { cleanGreys, to: recipient.to, byCall: isCalled, headerName };
    if (isLoaded && !sending.isSending) previews.setInput(files, drawing);
  }, [
    previews,
    isLoaded,
    sending.isSending,
    draft.files,
    draft.cleanGreys,
    recipient.to,
    isCalled,
    headerName,
  ]);
  const isCallFree = needsNoCall && !draft.options.byCall;
  usePreviewWords(preview, isCallFree);
  useEffect(() => {
    const timer = setTimeout(() => {
      loadDocumentList();
      loadPreviewPages();
    }, LOAD_LATER_MS);
    return () => clearTimeout(timer);
  }, []);
  const refusedPart = faultOf(sending.problem, recipient);
  // The form rests until the answer is drawn.
  useEffect(() => {
    if (refusedPart !== null) focusPart(refusedPart);
  }, [refusedPart]);
  const whenReady = (send: () => void) => () => {
    if (reason === null) send();
    else {
      announce(reason, 'assertive');
      focusPart(partAtFault({ draft, recipient, mailboxes }));
    }
  };
  return {
    draft,
    saveState,
    isLoaded,
    cleared,
    drafts,
    previews,
    preview,
    recipient,
    isCallFree,
    hasProvider,
    mailboxes,
    cover,
    sending,
    reason,
    trySending: whenReady(sending.send),
    tryAsNew: whenReady(sending.sendAsNew),
  };
}

/** Returns the part of the form that the last try was refused for; null for none, and while its question is not there yet. */
function faultOf(problem: SendingProblem | null, { open, isChecking }: Recipient): string | null {
  if (problem?.part !== 'guard') return problem?.part ?? null;
  return open === null || isChecking ? null : partOfFinding(open);
}

export type NewFaxParts = ReturnType<typeof useNewFax>;
