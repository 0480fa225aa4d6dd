import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type DesktopCommand, type DesktopTray, SCREEN_OF_COMMAND } from '../../shared/desktop.ts';
import { client } from '../api/client.ts';
import { useInboundCounts } from '../api/inbound.ts';
import { useAttentionCount } from '../api/outbound.ts';
import {
  type Installation,
  installationQuery,
  queryClient,
  useInstallation,
  usePermission,
} from '../api/queries.ts';
import { t } from '../texts/index.ts';
import { formatCount } from '../ui/format.ts';
import { endSession } from './session.ts';
import { useMyWorkCounts } from './work-due.tsx';

/** Ties the screens to the window they stand in: menu, tray and notices. Does nothing in a browser. */
export function DesktopLink() {
  const bridge = window.faxdesk;
  const router = useRouter();
  const navigate = useNavigate();
  const installation = useInstallation();
  const unread = useInboundCounts()?.unread ?? 0;
  const attention = useAttentionCount();
  const { open: myItems, due: dueItems } = useMyWorkCounts();
  const mayToggle = usePermission('settings:write');
  useEffect(() => {
    if (!bridge) return;
    return bridge.onCommand(
      (command) => void runCommand(command, (path) => router.history.push(router.basepath + path)),
    );
  }, [bridge, router, navigate]);
  useEffect(() => {
    if (!bridge || !installation) return;
    const { sending } = installation;
    void bridge.setTray({
      ...trayOf(installation, { unread, attention, myItems, dueItems }),
      sending: mayToggle ? sending.enabled : null,
    });
  }, [bridge, installation, unread, attention, myItems, dueItems, mayToggle]);
  useEffect(() => {
    // Whoever comes next may not be allowed to see or change any of it.
    return () => void bridge?.setTray(QUIET_TRAY);
  }, [bridge]);
  return null;
}

const QUIET_TRAY: DesktopTray = {
  state: 'normal',
  sending: null,
  newFaxes: 0,
  tooltip: t.shell.product,
};

interface TrayCounts {
  readonly unread: number;
  readonly attention: number;
  /** Undefined for who may see no work items. */
  readonly myItems: number | undefined;
  readonly dueItems: number;
}

/** Faults come first, then items that need the person, then news. */
function trayOf({ sending, receiving }: Installation, counts: TrayCounts): DesktopTray {
  const { unread, attention, myItems, dueItems } = counts;
  const words = [
    ...(dueItems > 0 ? [t.shell.myItems(formatCount(myItems ?? 0), formatCount(dueItems))] : []),
    ...(attention > 0 ? [t.shell.titleAttention(formatCount(attention), attention === 1)] : []),
    ...(unread > 0 ? [t.shell.newFaxes(formatCount(unread))] : []),
  ];
  const broken = [receiving, sending].find(({ state }) => state === 'unreachable');
  return {
    ...QUIET_TRAY,
    state: broken ? 'broken' : attention + dueItems > 0 ? 'attention' : unread > 0 ? 'new' : 'normal',
    newFaxes: unread,
    attention,
    ...(myItems !== undefined && { myItems, dueItems }),
    tooltip: broken?.sentence ?? (words.join(', ') || t.shell.product),
  };
}

async function runCommand(command: DesktopCommand, open: (path: string) => void): Promise<void> {
  if (typeof command === 'object') return open(command.open);
  switch (command) {
    case 'new-fax':
    case 'open-inbox':
    case 'open-work':
    case 'open-sent':
    case 'open-contacts':
    case 'open-settings':
      return open(SCREEN_OF_COMMAND[command]);
    case 'lock':
      return endSession('locked by hand');
    case 'toggle-sending':
      return toggleSending();
  }
}

async function toggleSending(): Promise<void> {
  const { sending } = await queryClient.fetchQuery(installationQuery);
  await client.settings.write({ body: { changes: { FAX_DISABLED: sending.enabled } } });
}
