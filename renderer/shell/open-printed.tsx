import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { isAtGateway } from '../api/at-gateway.ts';
import { type Change, useChanges } from '../api/live.ts';
import { type PrintedDocument, printedQuery } from '../api/printing.ts';
import { queryClient, usePermission } from '../api/queries.ts';
import { t } from '../texts/index.ts';
import { isCovered } from '../ui/actions.tsx';

/**
 * Opens the Send screen with what the person prints, and brings the window of the desktop application to the front, because another
 * program covers it at that moment. While a dialog is open or a text is typed on another screen, a notice leads there in its place.
 */
export function OpenPrinted() {
  return usePermission('fax:send') ? <Opener /> : null;
}

function Opener() {
  const navigate = useNavigate();
  const listen = useCallback(
    ({ kind, id, version }: Change) => {
      if (kind !== 'printed.changed' || id === null || version !== 1) return;
      void findPrinted(id)
        .then(async (printed) => {
          if (!printed || !isOfThisWindow(printed)) return;
          if (isInUse()) await showNotice(printed);
          else {
            await navigate({ to: '/send', search: { printed: id } });
            await window.faxdesk?.openWindow?.();
          }
        })
        // The Send screen lists it all the same.
        .catch(() => undefined);
    },
    [navigate],
  );
  useChanges(listen);
  return null;
}

async function findPrinted(id: string): Promise<PrintedDocument | undefined> {
  return (await queryClient.fetchQuery(printedQuery)).find((printed) => printed.id === id);
}

/**
 * True for a document of the person, and for one of no one where Faxdesk runs on this computer. In a browser the page must be in
 * sight: of several, the others stay as they are.
 */
function isOfThisWindow({ source, mine }: PrintedDocument): boolean {
  const isInSight = window.faxdesk !== undefined || document.visibilityState === 'visible';
  return source === 'printer' && isInSight && (mine || isAtGateway());
}

/** True while a dialog is open, or a text on another screen than that of the new fax would be lost. */
function isInUse(): boolean {
  if (isCovered()) return true;
  if (location.pathname.endsWith('/send')) return false;
  return [...document.querySelectorAll<HTMLTextAreaElement>('main textarea')].some(
    ({ value }) => value !== '',
  );
}

/** The notice leaves out the name: others may see the screen. */
async function showNotice({ id, pages }: PrintedDocument): Promise<void> {
  const { title, notice } = t.send.printed;
  await window.faxdesk?.showNotice({
    title: title(1, 'printed'),
    body: notice(pages),
    open: `/send?printed=${id}`,
  });
}
