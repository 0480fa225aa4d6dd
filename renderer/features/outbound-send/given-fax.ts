import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { UNKNOWN_NUMBER } from '../../../shared/api/inbound-shapes.ts';
import { type InboundFax, inboundQuery } from '../../api/inbound.ts';
import { printedQuery } from '../../api/printing.ts';
import { queryClient } from '../../api/queries.ts';
import { randomId } from '../../api/random-id.ts';
import { t } from '../../texts/index.ts';
import { formatCount, formatFully, usePhoneFormat } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { type Draft, isEmpty, newDraft, suggestedName } from './draft/draft.ts';
import type { DraftStore } from './draft/draft-store.ts';
import type { Mailbox } from './mailboxes.ts';
import { addToDraft, nameOf, recipientOf } from './printed/printed-documents.ts';
import { type EarlierFax, isDraftOf, type ResendProblem, readEarlierFax } from './resend/earlier-fax.ts';
import { isDraftFor, type ReceivedRequest, readReceivedFax } from './resend/received-fax.ts';

interface GivenFax {
  /** True while a fax that another screen began is loaded: the draft of before must not be sent meanwhile. */
  readonly isTaking: boolean;
  /** The part of a fax that is sent again that could not be filled in; null when nothing is missing. */
  readonly problem: ResendProblem | null;
  readonly forget: () => void;
}

/**
 * Passes on the fax that another screen began: the draft gets its number, and keeps its documents. A fax that is sent
 * again, and a request to send a received one again, become a new draft, and the draft before it is saved for later.
 */
export function useGivenFax(drafts: DraftStore, mailboxes: readonly Mailbox[] | undefined): GivenFax {
  const { to, again, resend, from, answer, forward, printed } = useSearch({ from: '/framed/send' });
  const navigate = useNavigate();
  const format = usePhoneFormat();
  // Until the rules of all countries are there, a number is shown as a gap, which must not get into the draft.
  const phone: Phone = (number) => format(number).trim() || number;
  const [isTaking, setTaking] = useState(false);
  const [problem, setProblem] = useState<ResendProblem | null>(null);
  const take = useEffectEvent(async (work: () => Promise<ResendProblem | null>) => {
    setTaking(true);
    setProblem(null);
    setProblem(await work());
    setTaking(false);
  });
  const begin = useEffectEvent(() => {
    if (resend !== undefined)
      void take(() => takeEarlierFax(drafts, { id: resend, fromPage: from ?? 1, phone, mailboxes }));
    else if (answer !== undefined)
      void take(() => takeReceivedFax(drafts, { id: answer, isAnswer: true, phone }));
    else if (forward !== undefined)
      void take(() => takeReceivedFax(drafts, { id: forward, isAnswer: false, phone }));
    else if (printed !== undefined) void take(() => takePrinted(drafts, { id: printed, phone }));
    else if (to !== undefined && again !== undefined)
      void take(async () => requestResend(drafts, { number: to, faxId: again, phone }));
    else if (to !== undefined) drafts.change((now) => ({ ...now, to: phone(to) }));
  });
  const isReceived = answer !== undefined || forward !== undefined;
  const isGiven = to !== undefined || resend !== undefined || isReceived || printed !== undefined;
  useEffect(() => {
    if (!isGiven) return;
    begin();
    void navigate({ to: '/send', search: {}, replace: true });
  }, [isGiven, navigate]);
  return {
    isTaking: isTaking || resend !== undefined || again !== undefined || isReceived || printed !== undefined,
    problem,
    forget: () => setProblem(null),
  };
}

type Phone = (number: string) => string;

/** Returns a sentence about the fields that could not be filled in; null when nothing is missing. */
async function takeEarlierFax(
  drafts: DraftStore,
  request: EarlierFax & { readonly mailboxes: readonly Mailbox[] | undefined; readonly phone: Phone },
): Promise<ResendProblem | null> {
  await drafts.loaded;
  if (isDraftOf(drafts.get().draft, request)) return null;
  const { draft, problem } = await readEarlierFax(request);
  if (draft === null) return problem;
  if (await replaceDraft(drafts, draft, t.send.resend.draftInTheWay)) return problem;
  return { title: t.send.resend.notFilledIn, sentence: t.send.resend.draftInTheWay };
}

/** Begins an answer to a received fax, or passes its pages on. Returns a sentence about the fields that could not be filled in, or null. */
async function takeReceivedFax(
  drafts: DraftStore,
  request: ReceivedRequest & { readonly phone: Phone },
): Promise<ResendProblem | null> {
  await drafts.loaded;
  if (isDraftFor(drafts.get().draft, request)) return null;
  const { draft, problem } = await readReceivedFax(request);
  if (draft === null) return problem;
  if (await replaceDraft(drafts, draft, t.send.answer.draftInTheWay)) return problem;
  return { title: t.send.resend.notFilledIn, sentence: t.send.answer.draftInTheWay };
}

/** Begins a fax with the pages of a printed document. Where a fax is begun already, or it is no one's, the document waits above the form. */
async function takePrinted(
  drafts: DraftStore,
  { id, phone }: { readonly id: string; readonly phone: Phone },
): Promise<null> {
  await drafts.loaded;
  const items = await queryClient.fetchQuery(printedQuery).catch(() => []);
  const printed = items.find((each) => each.id === id);
  if (!printed?.mine || !isEmpty(drafts.get().draft)) return null;
  // After a failure the button of the document tries it again.
  await addToDraft(drafts, printed, recipientOf(printed, phone)).then(
    (refusal) => refusal === null && announce(t.send.printed.added(nameOf(printed))),
    () => undefined,
  );
  return null;
}

async function requestResend(
  drafts: DraftStore,
  { number, faxId, phone }: { number: string; faxId: string; phone: Phone },
): Promise<null> {
  await drafts.loaded;
  const { draft } = drafts.get();
  const words = t.inbox.missing;
  const text = await queryClient.fetchQuery(inboundQuery(faxId)).then(
    (fax) => requestText(fax, phone),
    () => words.request,
  );
  const to = phone(number);
  const isThere = draft.to === to && draft.files.length === 1 && draft.files[0]?.name === words.fileName;
  if (isThere) return null;
  const content = new Blob([text], { type: 'text/plain' });
  const file = { id: randomId(), name: words.fileName, title: '', content };
  await replaceDraft(drafts, { ...newDraft(), to, files: [file] }, words.draftInTheWay);
  return null;
}

/** Saves the present draft for later and begins another one. Where it cannot be saved, announces `refusal` and returns false. */
async function replaceDraft(drafts: DraftStore, next: Draft, refusal: string): Promise<boolean> {
  const { draft } = drafts.get();
  if (!isEmpty(draft)) {
    const name = suggestedName(draft);
    try {
      await drafts.saveForLater(name);
    } catch {
      announce(refusal, 'assertive');
      return false;
    }
    announce(t.send.drafts.saved(name));
  }
  drafts.change(() => next);
  return true;
}

/** Returns the text for the sender: which fax is incomplete, and where to send it again. */
function requestText(fax: InboundFax, phone: Phone): string {
  const words = t.inbox.missing;
  const to = fax.to === UNKNOWN_NUMBER ? null : phone(fax.to);
  const pages = fax.pages ?? 0;
  const came = words.came(formatFully(fax.received_at), formatCount(pages), pages === 1);
  return [
    words.request,
    '',
    came,
    to === null ? words.sendAll : words.sendAllTo(to),
    '',
    words.thanks,
    '',
  ].join('\n');
}
