import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { UNKNOWN_NUMBER } from '../../../shared/api/inbound-shapes.ts';
import { type InboundFax, inboundQuery } from '../../api/inbound.ts';
import { queryClient } from '../../api/queries.ts';
import { t } from '../../texts/index.ts';
import { formatCount, formatFully, usePhoneFormat } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { isEmpty, newDraft, randomId, suggestedName } from './draft/draft.ts';
import type { DraftStore } from './draft/draft-store.ts';

/**
 * Passes on the fax that another screen began: the draft gets its number, and keeps its documents. A request to send a
 * received fax again becomes a new draft with a page of text, and the draft before it is saved for later.
 */
export function useGivenFax(drafts: DraftStore): void {
  const { to, again } = useSearch({ from: '/framed/send' });
  const navigate = useNavigate();
  const phone = usePhoneFormat();
  const take = useEffectEvent((number: string, faxId: string | undefined) => {
    if (faxId === undefined) drafts.change((now) => ({ ...now, to: phone(number) }));
    else void requestResend(drafts, { number, faxId, phone });
  });
  useEffect(() => {
    if (to === undefined) return;
    take(to, again);
    void navigate({ to: '/send', search: {}, replace: true });
  }, [to, again, navigate]);
}

type Phone = (number: string) => string;

async function requestResend(
  drafts: DraftStore,
  { number, faxId, phone }: { number: string; faxId: string; phone: Phone },
): Promise<void> {
  await drafts.loaded;
  const { draft } = drafts.get();
  const words = t.inbox.missing;
  const text = await queryClient.fetchQuery(inboundQuery(faxId)).then(
    (fax) => requestText(fax, phone),
    () => words.request,
  );
  const to = phone(number);
  const isThere = draft.to === to && draft.files.length === 1 && draft.files[0]?.name === words.fileName;
  if (isThere) return;
  if (!isEmpty(draft)) {
    const name = suggestedName(draft);
    try {
      await drafts.saveForLater(name);
    } catch {
      announce(words.draftInTheWay, 'assertive');
      return;
    }
    announce(t.send.drafts.saved(name));
  }
  const content = new Blob([text], { type: 'text/plain' });
  const file = { id: randomId(), name: words.fileName, title: '', content };
  drafts.change(() => ({ ...newDraft(), to, files: [file] }));
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
