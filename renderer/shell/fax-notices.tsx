import { useCallback, useEffect } from 'react';
import type { DesktopBridge } from '../../shared/desktop.ts';
import { client } from '../api/client.ts';
import { type Change, useChanges } from '../api/live.ts';
import type { Me } from '../api/queries.ts';
import type { Fax } from '../parts/fax-state.ts';
import { t } from '../texts/index.ts';
import { formatCount } from '../ui/format.ts';

const MAX_UNCONFIRMED = 5;

/** Faxes of which the person was notified, with the version. */
const notified = new Map<string, number>();
/** Received faxes of which the person was notified, or that came while the person looked. */
const notifiedReceived = new Set<string>();

/**
 * Notifies a person who does not look at the desktop window that a fax came in, or that one of theirs failed or needs an
 * answer. Does nothing in a browser.
 */
export function FaxNotices({ me }: { me: Me }) {
  const { id } = me.principal;
  useEffect(() => {
    if (window.faxdesk) void notifyOfUnconfirmed(window.faxdesk, id).catch(() => undefined);
  }, [id]);
  const listen = useCallback(
    (change: Change) => {
      const bridge = window.faxdesk;
      if (!bridge) return;
      if (change.kind === 'reset') void notifyOfUnconfirmed(bridge, id).catch(() => undefined);
      if (change.id === null) return;
      if (change.kind === 'fax.changed') void notifyOf(bridge, change.id, id).catch(() => undefined);
      if (change.kind === 'inbound.changed') void notifyOfReceived(bridge, change.id).catch(() => undefined);
    },
    [id],
  );
  useChanges(listen);
  return null;
}

/** A gateway that crashed leaves faxes that need confirmation, and changes during a break come without events. */
async function notifyOfUnconfirmed(bridge: DesktopBridge, personId: string): Promise<void> {
  if (await bridge.isInFront()) return;
  const { items } = await client.outbound.listFaxes({
    query: { state: ['reconciliation_required'], created_by: personId, limit: MAX_UNCONFIRMED },
  });
  for (const { id } of items) await notifyOf(bridge, id, personId);
}

async function notifyOf(bridge: DesktopBridge, faxId: string, personId: string): Promise<void> {
  if (await bridge.isInFront()) return;
  // Read on each change: a response under way may be older than the change.
  const fax = await client.outbound.getFax({ params: { id: faxId } });
  if (fax.created_by.id !== personId || notified.get(fax.id) === fax.delivery_version) return;
  const words = noticeText(fax);
  if (!words) return;
  notified.set(fax.id, fax.delivery_version);
  const { noticesNameSender } = await bridge.preferences();
  const body = noticesNameSender ? words.named : words.body;
  await bridge.showNotice({ title: words.title, body, open: `/send/${fax.id}` });
}

/** The number is named only where the person chose that notices may: others may see the screen. */
function noticeText({
  delivery_state,
  ask_again_at,
  to,
}: Fax): { title: string; body: string; named: string } | null {
  const words = t.send.notice;
  switch (delivery_state) {
    case 'reconciliation_required':
      if (ask_again_at !== null) return null;
      return { title: words.unconfirmed, body: words.unconfirmedBody, named: words.unconfirmedTo(to) };
    case 'failed':
      return { title: words.failed, body: words.failedBody, named: words.failedTo(to) };
    default:
      return null;
  }
}

/** A fax whose pages are here. Marking it as unread later makes it no new one. */
async function notifyOfReceived(bridge: DesktopBridge, faxId: string): Promise<void> {
  if (notifiedReceived.has(faxId)) return;
  const fax = await client.inbound.getInbound({ params: { id: faxId } });
  // A fax that comes out of Junk is a new arrival.
  if (fax.status !== 'received' || fax.junk || notifiedReceived.has(faxId)) return;
  notifiedReceived.add(faxId);
  if (fax.read_at !== null || (await bridge.isInFront())) return;
  const { noticesNameSender } = await bridge.preferences();
  const words = t.inbox.notice;
  const came = t.inbox.pages(formatCount(fax.pages ?? 1), fax.pages === 1);
  const pages = fax.incomplete ? words.incomplete(came) : came;
  const body = noticesNameSender ? words.named(fax.fr, fax.mailbox, pages) : words.body(fax.mailbox, pages);
  await bridge.showNotice({ title: words.title, body, open: `/inbox/${fax.id}` });
}
