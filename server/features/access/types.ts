import type { Permission } from '../../../shared/permissions.ts';
import type { PrincipalKind } from '../../../shared/states.ts';
import type { Actor } from '../audit/service.ts';

export type { Actor };

/** What a principal may do on each resource. */
export type Grants = ReadonlyMap<string, ReadonlySet<Permission>>;

/** Where somebody holds a permission: on everything, or in mailboxes and on single received documents. */
export interface Scope {
  readonly everything: boolean;
  /** Empty when it is on everything, as are the documents. */
  readonly mailboxIds: readonly string[];
  readonly documentIds: readonly string[];
}

/** One line of what a key may do at most. */
export interface CeilingEntry {
  permission: string;
  resource_id: string;
}

/** Who makes a change, with what they hold. */
export interface ActorWithGrants extends Actor {
  /** The key they came with, or that their session began with. */
  readonly keyId: string | null;
  holds(permission: Permission, resourceId?: string): boolean;
}

/** What the gateway does by itself. */
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
  /** A password was set by its owner, not given to them. */
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
  /** Who was shown its secret last, or took it over; without an id the command line beside the data folder. */
  maker: { id: string | null; name: string };
  /** When the maker was disabled: seven days later the key stops. */
  makerLeftAt: string | null;
  ceiling: readonly CeilingEntry[];
  state: 'active' | 'review';
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
  /** Whose headers about the caller are believed. */
  trustedProxies(): readonly string[];
  sessionIdleMinutes(): number;
  /** `FAX_ORGANIZATION`; null while it is not set. */
  organization(): string | null;
  /** National numbers belong to it. ISO 3166 alpha-2. */
  country(): string;
}

/** A part of a list; `cursor` comes from the part before. */
export interface PageWanted {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** An item to change, as it was last read. */
export interface ItemRead {
  readonly id: string;
  readonly version: number;
  /** Policy version of that read. */
  readonly expectedVersion: number;
}

export interface Changed<T> {
  readonly result: T;
  readonly policyVersion: number;
}
