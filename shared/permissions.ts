/** Every permission there is, with the words and in the order of the roles screen. */
export const PERMISSIONS = {
  'fax:send': 'Send faxes',
  'fax:read': 'See sent faxes and their state',
  'fax:document': 'Open the documents of sent faxes',
  'fax:refresh': 'Ask the provider for the state of a fax',
  'fax:reconcile': 'Confirm the outcome of a fax that needs confirmation',
  'inbound:list': 'List received faxes',
  'inbound:read': 'Read the details of received faxes',
  'inbound:document': 'Open received documents',
  'work:read': 'See the work queue',
  'work:manage': 'Assign and finish work',
  'work:export': 'Export evidence archives',
  'work:import': 'Import documents from other systems',
  'senders:block': 'Block senders for the whole office',
  'holds:manage': 'See, place and release legal holds',
  'contacts:read': 'See contacts',
  'contacts:manage': 'Change contacts',
  'routing:read': 'See delivery routes and costs',
  'routing:manage': 'Change delivery routes, rate cards and spending limits',
  'keys:manage': 'Create, change and revoke API keys',
  'webhooks:manage': 'See and change webhooks',
  'users:read': 'See people and integrations',
  'users:manage': 'Change people and integrations',
  'groups:read': 'See groups',
  'groups:manage': 'Change groups',
  'roles:read': 'See roles',
  'roles:manage': 'Change roles',
  'grants:read': 'See role assignments',
  'grants:manage': 'Change role assignments',
  'mailboxes:read': 'See mailboxes and number rules',
  'mailboxes:manage': 'Change mailboxes and number rules',
  'sessions:read': 'See the sessions of others',
  'sessions:revoke': 'End the sessions of others',
  'settings:read': 'See the settings',
  'settings:write': 'Change the settings',
  'providers:read': 'See the providers and the call log',
  'providers:write': 'Change and test the providers',
  'diagnostics:read': 'See health and metrics',
  'logs:read': 'Read the logs',
  'audit:read': 'Read the security audit',
  'tunnels:pair': 'Pair mobile devices',
  'host:restart': 'Restart the gateway',
  'host:terminal': 'Use the console terminal',
  'owner:recover': 'Recover ownership',
} as const;

export type Permission = keyof typeof PERMISSIONS;

export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as Permission[];

/** Permissions, beside settings, that removing a backup or deciding which are kept takes: those to open its documents. */
export const BACKUP_PERMISSIONS: readonly Permission[] = ['fax:document', 'inbound:document'];

/** Permissions, beside `work:export`, to export an archive and to remove its faxes: it has every document and the security audit. */
export const ARCHIVE_PERMISSIONS: readonly Permission[] = ['audit:read', ...BACKUP_PERMISSIONS];

/** Headings by the word before the colon. */
const GROUPS: Readonly<Record<string, string>> = {
  fax: 'Faxes',
  inbound: 'Received faxes',
  work: 'Work',
  senders: 'Blocked senders',
  holds: 'Legal holds',
  contacts: 'Contacts',
  routing: 'Delivery routes',
  keys: 'API keys',
  webhooks: 'Webhooks',
  users: 'People and integrations',
  groups: 'Groups',
  roles: 'Roles',
  grants: 'Role assignments',
  mailboxes: 'Mailboxes',
  sessions: 'Sessions',
  settings: 'Settings',
  providers: 'Providers',
  diagnostics: 'Health',
  logs: 'Logs',
  audit: 'Security audit',
  tunnels: 'Mobile devices',
  host: 'Host',
  owner: 'Ownership',
};

/**
 * All that a test key can have: faxes, and nothing that belongs to people or to the installation. A test fax has no work
 * item, and a test key changes no setting, contact or right.
 */
export const TEST_KEY_PERMISSIONS: readonly Permission[] = [
  'fax:send',
  'fax:read',
  'fax:document',
  'fax:refresh',
  'fax:reconcile',
  'inbound:list',
  'inbound:read',
  'inbound:document',
];

const kindOf = (permission: Permission) => permission.slice(0, permission.indexOf(':'));

/** The heading of a permission on the roles screen. */
export function permissionGroup(permission: Permission): string {
  return GROUPS[kindOf(permission)] ?? kindOf(permission);
}

/** Returns true when a permission can be held on a mailbox or a document; the others apply to the installation only. */
export function isForDocuments(permission: Permission): boolean {
  return ['fax', 'inbound', 'work'].includes(kindOf(permission));
}

/** Returns true when a permission has any effect on the resource, whatever a role contains. */
export function hasEffectOn(permission: Permission, resourceId: string): boolean {
  return resourceId === INSTALLATION || isForDocuments(permission);
}

export function isPermission(text: string): text is Permission {
  return Object.hasOwn(PERMISSIONS, text);
}

/** The resource that covers every other one. */
export const INSTALLATION = 'installation';
/** Documents in no mailbox: nothing but the installation covers them. */
export const LEGACY = 'legacy';

export interface BuiltInRole {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
}

const NOT_FOR_ADMINISTRATORS: readonly Permission[] = ['host:restart', 'host:terminal', 'owner:recover'];

/** Read-only roles that every installation has. */
export const BUILT_IN_ROLES: readonly BuiltInRole[] = [
  {
    id: 'role_owner',
    name: 'Owner',
    description: 'Everything. One enabled owner always remains.',
    permissions: ALL_PERMISSIONS,
  },
  {
    id: 'role_administrator',
    name: 'Administrator',
    description: 'Everything except the host itself and creating owners.',
    permissions: ALL_PERMISSIONS.filter((permission) => !NOT_FOR_ADMINISTRATORS.includes(permission)),
  },
  {
    id: 'role_fax_operator',
    name: 'Fax Operator',
    description: 'Sends, receives and files faxes.',
    permissions: [
      'fax:send',
      'fax:read',
      'fax:document',
      'fax:refresh',
      'fax:reconcile',
      'inbound:list',
      'inbound:read',
      'inbound:document',
      'work:read',
      'work:manage',
      'senders:block',
      'contacts:read',
      'contacts:manage',
    ],
  },
  {
    id: 'role_fax_viewer',
    name: 'Fax Viewer',
    description: 'Reads faxes and the work queue.',
    permissions: [
      'fax:read',
      'fax:document',
      'inbound:list',
      'inbound:read',
      'inbound:document',
      'work:read',
      'contacts:read',
    ],
  },
  {
    id: 'role_auditor',
    name: 'Auditor',
    description: 'Reads records and the security audit. Cannot open documents.',
    permissions: [
      'audit:read',
      'fax:read',
      'inbound:list',
      'inbound:read',
      'work:read',
      'work:export',
      'settings:read',
      'users:read',
      'groups:read',
      'roles:read',
      'grants:read',
      'mailboxes:read',
      'sessions:read',
    ],
  },
];
