import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { type DesktopCommand, type DesktopTray, SCREEN_OF_COMMAND } from '../../shared/desktop.ts';
import { LIMITS } from '../../shared/limits.ts';
import { client } from '../api/client.ts';
import { useInboundCounts } from '../api/inbound.ts';
import { useAttentionCount } from '../api/outbound.ts';
import { installationQuery, type Me, queryClient, useInstallation, usePermission } from '../api/queries.ts';
import { useConnection } from '../api/use-connection.ts';
import { t } from '../texts/index.ts';
import { formatCount, formatUpTo } from '../ui/format.ts';
import { type Light, useLight } from './light.ts';
import { useWorkNews } from './my-work-news.ts';
import { QUIET_TRAY, showQuietTray } from './quiet-tray.ts';
import { endSession } from './session.ts';
import { useOpenHelp } from './use-open-help.ts';
import { useMyWorkCounts } from './work-due.tsx';

/** Ties the screens to the window they stand in: menu, tray and notices. Does nothing in a browser. */
export function DesktopLink({ me }: { me: Me }) {
  const bridge = window.faxdesk;
  const personId = me.principal.id;
  const router = useRouter();
  const navigate = useNavigate();
  const latestHelp = useRef(useOpenHelp());
  const installation = useInstallation();
  const light = useLight();
  const isLost = useConnection().lostSince !== null;
  const unread = useInboundCounts()?.unread ?? 0;
  const attention = useAttentionCount();
  const { open: myItems, due: dueItems } = useMyWorkCounts();
  const newItems = useWorkNews().filter(({ kind }) => kind !== 'overdue').length;
  const mayToggle = usePermission('settings:write');
  useEffect(() => {
    if (!bridge) return;
    // Before commands are taken, of which some may be another person's.
    void bridge.setPerson?.(personId);
    return bridge.onCommand(
      (command) =>
        void runCommand(command, {
          open: (path) => router.history.push(router.basepath + path),
          openHelp: () => latestHelp.current(),
        }),
    );
  }, [bridge, router, navigate, personId]);
  useEffect(() => {
    if (!bridge || !installation || !light) return;
    const { sending } = installation;
    void bridge.setTray({
      ...trayOf(light, { unread, attention, myItems, dueItems, newItems }),
      // Nobody knows while the gateway does not answer.
      sending: mayToggle && !isLost ? sending.enabled : null,
    });
  }, [bridge, installation, light, isLost, unread, attention, myItems, dueItems, newItems, mayToggle]);
  // The next person may not be allowed to see or change any of it.
  useEffect(() => showQuietTray, []);
  return null;
}

/** Maximum length of a tooltip, which the application checks. */
const MAX_TOOLTIP = 200;

interface TrayCounts {
  readonly unread: number;
  readonly attention: number;
  /** Undefined for who may see no work items. */
  readonly myItems: number | undefined;
  readonly dueItems: number;
  /** Items that became theirs or were taken from them, not looked at yet. */
  readonly newItems: number;
}

/** Faults come first, then items that need the person, then news, then what somebody should set right. */
function trayOf({ tone, word, sentence }: Light, counts: TrayCounts): DesktopTray {
  const { unread, attention, myItems, dueItems, newItems } = counts;
  const isBroken = tone === 'danger';
  const words = [
    ...(dueItems > 0
      ? [t.shell.myItems(formatUpTo(myItems ?? 0, LIMITS.counted), formatUpTo(dueItems, LIMITS.counted))]
      : []),
    ...(newItems > 0 ? [t.shell.newItems(formatCount(newItems))] : []),
    ...(attention > 0
      ? [t.shell.titleAttention(formatUpTo(attention, LIMITS.counted), attention === 1)]
      : []),
    ...(unread > 0 ? [t.shell.newFaxes(formatUpTo(unread, LIMITS.receivedCounted))] : []),
    ...(tone === 'ok' ? [] : [word]),
  ];
  const quiet = tone === 'warn' ? 'attention' : 'normal';
  return {
    ...QUIET_TRAY,
    state: isBroken
      ? 'broken'
      : attention + dueItems + newItems > 0
        ? 'attention'
        : unread > 0
          ? 'new'
          : quiet,
    newFaxes: unread,
    attention,
    ...(myItems !== undefined && { myItems, dueItems, newItems }),
    tooltip: isBroken ? brokenText(word, sentence) : words.join(', ') || t.shell.product,
  };
}

/** A fault of the provider is in its sentence; of a lost connection only the word says since when. */
function brokenText(word: string, sentence: string | null): string {
  const text = sentence === null || sentence === t.shell.lostSentence ? word : sentence;
  return text.slice(0, MAX_TOOLTIP);
}

interface Ways {
  readonly open: (path: string) => void;
  readonly openHelp: () => void;
}

async function runCommand(command: DesktopCommand, { open, openHelp }: Ways): Promise<void> {
  if (typeof command === 'object') return open(command.open);
  switch (command) {
    case 'new-fax':
    case 'open-inbox':
    case 'open-work':
    case 'open-sent':
    case 'open-contacts':
    case 'open-settings':
      return open(SCREEN_OF_COMMAND[command]);
    case 'open-help':
      return openHelp();
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
