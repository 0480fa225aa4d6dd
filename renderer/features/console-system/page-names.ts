import type { Permission } from '../../../shared/permissions.ts';
import { t } from '../../texts/administration.ts';

const NAMES = [
  { page: 'health', label: t.system.health.title, needs: 'diagnostics:read' },
  { page: 'computers', label: t.system.computers.title, needs: 'settings:read' },
  { page: 'backups', label: t.system.backups.title, needs: 'diagnostics:read' },
  { page: 'data-key', label: t.system.dataKey.title, needs: 'owner:recover' },
  { page: 'deliveries', label: t.system.deliveries.title, needs: 'mailboxes:read' },
  { page: 'printouts', label: t.system.printouts.title, needs: 'mailboxes:read' },
  { page: 'messages', label: t.system.messages.title, needs: 'mailboxes:read' },
  { page: 'archives', label: t.system.archives.title, needs: 'work:export' },
  { page: 'holds', label: t.system.holds.title, needs: 'holds:manage' },
  { page: 'notices', label: t.system.notices.title, needs: 'diagnostics:read' },
  { page: 'log', label: t.system.logs.title, needs: 'logs:read' },
  { page: 'terminal', label: t.system.terminal.title, needs: 'host:terminal' },
  { page: 'interface', label: t.system.api.title, needs: null },
] as const satisfies readonly { page: string; label: string; needs: Permission | null }[];

/** A page of the System screen, as its address names it. */
export type SystemPage = (typeof NAMES)[number]['page'];

/** Returns the pages that are visible with these permissions, in the order of the screen. */
export function systemPagesFor(permissions: readonly Permission[]) {
  return NAMES.filter(({ needs }) => needs === null || permissions.includes(needs));
}
