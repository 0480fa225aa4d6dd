import type { Permission } from '../../shared/permissions.ts';
import { t } from '../texts/index.ts';
import type { IconName } from '../ui/icon.tsx';

export interface Screen {
  /**
   * Its optional parts bear names that no other screen has: what a link leaves out is filled in from the address that
   * stands there, and an id of one screen must never come to another.
   */
  readonly path:
    | '/send'
    | '/inbox/{-$receivedId}'
    | '/work/{-$workId}'
    | '/sent/{-$sentId}'
    | '/contacts/{-$contactId}'
    | '/costs/{-$costsPage}'
    | '/access/{-$part}/{-$id}'
    | '/cases/{-$caseId}'
    | '/settings/{-$settingsPage}'
    | '/system/{-$systemPage}';
  readonly name: string;
  readonly icon: IconName;
  /** Any of them opens the screen. */
  readonly needs: readonly Permission[];
  /** Daily work above the line, administration below it. */
  readonly part: 'daily' | 'administration';
}

const SCREENS: readonly Screen[] = [
  { path: '/send', name: t.shell.send, icon: 'send', needs: ['fax:send'], part: 'daily' },
  {
    path: '/inbox/{-$receivedId}',
    name: t.shell.inbox,
    icon: 'inbox',
    needs: ['inbound:list'],
    part: 'daily',
  },
  { path: '/work/{-$workId}', name: t.shell.work, icon: 'work', needs: ['work:read'], part: 'daily' },
  { path: '/sent/{-$sentId}', name: t.shell.sent, icon: 'sent', needs: ['fax:read'], part: 'daily' },
  {
    path: '/contacts/{-$contactId}',
    name: t.shell.contacts,
    icon: 'contacts',
    needs: ['contacts:read'],
    part: 'daily',
  },
  {
    path: '/costs/{-$costsPage}',
    name: t.shell.costs,
    icon: 'costs',
    needs: ['routing:read'],
    part: 'administration',
  },
  {
    path: '/access/{-$part}/{-$id}',
    name: t.shell.access,
    icon: 'access',
    needs: [
      'users:read',
      'groups:read',
      'roles:read',
      'grants:read',
      'keys:manage',
      'sessions:read',
      'mailboxes:read',
      'tunnels:pair',
      'audit:read',
    ],
    part: 'administration',
  },
  {
    path: '/settings/{-$settingsPage}',
    name: t.shell.settings,
    icon: 'settings',
    needs: ['settings:read'],
    part: 'administration',
  },
  {
    path: '/system/{-$systemPage}',
    name: t.shell.system,
    icon: 'system',
    needs: ['diagnostics:read', 'logs:read', 'mailboxes:read'],
    part: 'administration',
  },
  // Behind the nine with a digit, which keep theirs.
  { path: '/cases/{-$caseId}', name: t.shell.cases, icon: 'group', needs: ['fax:read'], part: 'daily' },
];

export function screensFor(permissions: readonly Permission[]): readonly Screen[] {
  return SCREENS.filter(({ needs }) => needs.some((permission) => permissions.includes(permission)));
}

/** The screen an address belongs to. */
export function screenAt(pathname: string): Screen | undefined {
  return SCREENS.find(({ path }) => {
    const fixed = path.replace(/\/\{.*$/u, '');
    return pathname === fixed || pathname.startsWith(`${fixed}/`);
  });
}
