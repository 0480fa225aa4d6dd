import type { Permission } from '../../../shared/permissions.ts';
import type { PrincipalKind, QuickSignInSetting } from '../../../shared/states/access.ts';
import type { Actor } from '../audit/service.ts';

export type { Actor };

/** Permissions of a principal on each resource. */
export type Grants = ReadonlyMap<string, ReadonlySet<Permission>>;

/** Scope of a permission: everything, or mailboxes and single received documents. */
export interface Scope {
  readonly everything: boolean;
  /** Empty when it is on everything, as are the documents. */
  readonly mailboxIds: readonly string[];
  readonly documentIds: readonly string[];
}

/** Entry of a key's ceiling. */
export interface CeilingEntry {
  permission: string;
  resource_id: string;
}

/** The actor of a change, with their grants. */
export interface ActorWithGrants extends Actor {
  /** The key they came with, or that their session began with. */
  readonly keyId: string | null;
  holds(permission: Permission, resourceId?: string): boolean;
}

/** Actor of automatic changes by the gateway. */
export const GATEWAY_ACTOR: Actor = {
  id: null,
  name: 'Gateway',
  credentialKind: 'none',
  policyVersion: null,
  requestId: null,
};

/** Whoever can run the command line against the data folder holds everything already. */
export const LOCAL_OPERATOR: ActorWithGrants = {
  ...GATEWAY_ACTOR,
  name: 'Local operator',
  credentialKind: 'command_line',
  keyId: null,
  holds: () => true,
};

export interface Principal {
  id: string;
  kind: PrincipalKind;
  login: string | null;
  displayName: string;
  enabled: boolean;
  /** True when its owner set the password, rather than receiving it. */
  hasOwnPassword: boolean;
  passwordChangeRequired: boolean;
  /** Signs in with a code as well. */
  hasTwoFactor: boolean;
  version: number;
}

/** A key without its secret. */
export interface KeyMeta {
  keyId: string;
  principalId: string;
  name: string | null;
  note: string | null;
  owner: string | null;
  /** The person who last saw its secret, or took it over; without an ID the command line beside the data folder. */
  maker: { id: string | null; name: string };
  /** Time at which the maker was disabled: seven days later the key stops. */
  makerLeftAt: string | null;
  ceiling: readonly CeilingEntry[];
  state: 'active' | 'review';
  /** True for a test key: its faxes are handed to nobody. */
  isTest: boolean;
  version: number;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

/** Values in force now; read at every use. */
export interface AccessSettings {
  publicApiUrl(): string | null;
  allowedOrigins(): readonly string[];
  allowInsecureHttpSessions(): boolean;
  /** Proxies whose forwarding headers are trusted. */
  trustedProxies(): readonly string[];
  quickSignIn(): QuickSignInSetting;
  sessionIdleMinutes(): number;
  /** `FAX_ORGANIZATION`; null while it is not set. */
  organization(): string | null;
  /** National numbers belong to it. ISO 3166 alpha-2. */
  country(): string;
}

/** A part of a list; `cursor` comes from the part before. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** An item to change, as it was last read. */
export interface ItemVersion {
  readonly id: string;
  readonly version: number;
  /** Policy version of that read. */
  readonly expectedVersion: number;
}

export interface ChangeResult<T> {
  readonly result: T;
  readonly policyVersion: number;
}

/** Mailbox of an earlier release. */
export interface EarlierMailbox {
  readonly id: string;
  readonly label: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Number rule of an earlier release. */
export interface EarlierRule {
  readonly id: string;
  /** E.164. */
  readonly toNumber: string;
  readonly mailboxId: string;
  readonly createdAt: string;
}

/** Hash functions of API keys that earlier releases stored. */
export type EarlierHashKind = 'scrypt' | 'pbkdf2';

/** API key of an earlier release, with the hash of its secret as it was stored. */
export interface EarlierKey {
  readonly keyId: string;
  readonly name: string | null;
  readonly note: string | null;
  readonly owner: string | null;
  readonly secretHash: string;
  readonly hashKind: EarlierHashKind;
  /** Permissions that it keeps, on the installation. */
  readonly scopes: readonly Permission[];
  /** Permissions that it had and that are no more, as they were written. */
  readonly removed: readonly string[];
  readonly state: 'active' | 'review';
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}
