import type { Permission } from '../../../shared/permissions.ts';
import { accessParts as words } from '../../texts/en/access-parts.ts';
import type { IconName } from '../../ui/icon.tsx';

interface PartName {
  /** In the address. */
  readonly part: string;
  readonly label: string;
  readonly icon: IconName;
  /** Any of them shows the part. */
  readonly needs: readonly Permission[];
}

const NAMES = [
  { part: 'people', label: words.people, icon: 'person', needs: ['users:read'] },
  { part: 'integrations', label: words.integrations, icon: 'system', needs: ['users:read'] },
  { part: 'groups', label: words.groups, icon: 'group', needs: ['groups:read'] },
  { part: 'roles', label: words.roles, icon: 'shield', needs: ['roles:read'] },
  { part: 'assignments', label: words.assignments, icon: 'access', needs: ['grants:read'] },
  { part: 'keys', label: words.keys, icon: 'access', needs: ['keys:manage'] },
  { part: 'webhooks', label: words.webhooks, icon: 'bell', needs: ['webhooks:manage'] },
  { part: 'sessions', label: words.sessions, icon: 'clock', needs: ['sessions:read'] },
  { part: 'mailboxes', label: words.mailboxes, icon: 'inbox', needs: ['mailboxes:read'] },
  { part: 'devices', label: words.devices, icon: 'phone', needs: ['tunnels:pair'] },
  { part: 'audit', label: words.audit, icon: 'report', needs: ['audit:read'] },
] as const satisfies readonly PartName[];

/** A part of the Access screen, as its address names it. */
export type AccessPart = (typeof NAMES)[number]['part'];

/** Returns the parts that are visible with these permissions, in the order of the screen. */
export function partsFor(permissions: readonly Permission[]): readonly (PartName & { part: AccessPart })[] {
  return NAMES.filter(({ needs }: PartName) => needs.some((it) => permissions.includes(it)));
}

/** Props of a part: the item that is open beside its list. */
export interface PartProps {
  readonly id: string | undefined;
}
