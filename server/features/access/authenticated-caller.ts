import {
  hasEffectOn,
  INSTALLATION,
  type Permission,
  TEST_KEY_PERMISSIONS,
} from '../../../shared/permissions.ts';
import { documentOfResource, mailboxOfResource } from '../../../shared/resources.ts';
import { PERSON_SOURCES, type SessionSource } from '../../../shared/states/access.ts';
import type { Caller } from '../../http/caller.ts';
import type { PageBinding } from './authentication/page-token.ts';
import { NotAllowedError } from './errors.ts';
import type { ActorWithGrants, CeilingEntry, Grants, Scope } from './types.ts';

interface CallerSession extends PageBinding {
  readonly id: string;
  readonly sourceKind: SessionSource;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
  readonly csrfToken: string;
}

const NOTHING: ReadonlySet<Permission> = new Set();
const NO_GRANTS: Grants = new Map();

interface CallerFacts {
  readonly principal: Caller['principal'];
  readonly credential: Caller['credential'];
  readonly policyVersion: number;
  readonly grants: Grants;
  readonly session: CallerSession | null;
  /** The key of the request, or the one its session began with. */
  readonly keyId: string | null;
  /** Ceiling of that key; null without a key. */
  readonly ceiling: readonly CeilingEntry[] | null;
  /** True for a test key. */
  readonly isTest: boolean;
  readonly passwordChangeRequired: boolean;
  readonly twoFactorSetupRequired: boolean;
  /** Name of the assistant program that acts for them; null for none. */
  readonly assistant?: string | null;
}

/** Outside of any request, with what of the grants is in force. */
export function createAuthenticatedCaller(facts: CallerFacts): AuthenticatedCaller {
  const isUnfinished = facts.passwordChangeRequired || facts.twoFactorSetupRequired;
  const grants = isUnfinished ? NO_GRANTS : inForce(facts);
  return new AuthenticatedCaller({ ...facts, grants }, null);
}

export type { AuthenticatedCaller };

/** A caller whose credential was checked, with what this room's own routes need beyond the public shape. */
class AuthenticatedCaller implements Caller {
  readonly principal: Caller['principal'];
  readonly credential: Caller['credential'];
  readonly policyVersion: number;
  readonly requestId: string | null;
  readonly permissions: ReadonlySet<Permission>;
  readonly grants: Grants;
  readonly session: CallerSession | null;
  readonly keyId: string | null;
  readonly ceiling: readonly CeilingEntry[] | null;
  readonly isTest: boolean;
  readonly passwordChangeRequired: boolean;
  readonly twoFactorSetupRequired: boolean;
  readonly assistant: string | null;

  constructor(facts: CallerFacts, requestId: string | null) {
    const { id, kind, displayName, version } = facts.principal;
    this.principal = { id, kind, displayName, version };
    this.credential = facts.credential;
    this.policyVersion = facts.policyVersion;
    this.requestId = requestId;
    this.session = facts.session;
    this.keyId = facts.keyId;
    this.ceiling = facts.ceiling;
    this.isTest = facts.isTest;
    this.passwordChangeRequired = facts.passwordChangeRequired;
    this.twoFactorSetupRequired = facts.twoFactorSetupRequired;
    this.grants = facts.grants;
    this.assistant = facts.assistant ?? null;
    this.permissions = this.grants.get(INSTALLATION) ?? NOTHING;
  }

  /** The same caller in one request. */
  inRequest(requestId: string): AuthenticatedCaller {
    return new AuthenticatedCaller(this, requestId);
  }

  /** The same caller, for whom an assistant program of this name acts. */
  inAssistant(name: string): AuthenticatedCaller {
    const credential = { ...this.credential, kind: 'assistant' } as const;
    const facts: CallerFacts = Object.assign({}, this, { credential, assistant: name });
    return new AuthenticatedCaller(facts, this.requestId);
  }

  /** The same caller in a console terminal: they cannot do there what needs the session of a browser. */
  inTerminal(terminalId: string): AuthenticatedCaller {
    const credential = { kind: 'terminal', id: terminalId } as const;
    const facts: CallerFacts = Object.assign({}, this, { credential, session: null });
    return new AuthenticatedCaller(facts, this.requestId);
  }

  /**
   * True for a temporary password, or one that still needs a required second factor: it only allows completing the
   * sign-in.
   */
  get isUnfinished(): boolean {
    return this.passwordChangeRequired || this.twoFactorSetupRequired;
  }

  holds(permission: Permission, resourceId: string = INSTALLATION): boolean {
    if (this.permissions.has(permission)) return true;
    return this.grants.get(resourceId)?.has(permission) ?? false;
  }

  holdsAnywhere(permission: Permission): boolean {
    if (this.permissions.has(permission)) return true;
    for (const held of this.grants.values()) if (held.has(permission)) return true;
    return false;
  }
}

/** Returns the grants that have an effect; those of a test key whatever its ceiling names. */
function inForce({ grants, isTest }: Pick<CallerFacts, 'grants' | 'isTest'>): Grants {
  const isAllowed = (permission: Permission) => !isTest || TEST_KEY_PERMISSIONS.includes(permission);
  const keep = (id: string, held: ReadonlySet<Permission>) =>
    new Set([...held].filter((permission) => hasEffectOn(permission, id) && isAllowed(permission)));
  return new Map([...grants].map(([id, held]) => [id, keep(id, held)]));
}

/** True when the caller must set a password or a second factor before anything else. */
export const isUnfinished = (caller: Caller): boolean =>
  caller instanceof AuthenticatedCaller && caller.isUnfinished;

/** Returns true when the caller, who has finished signing in, may do less than before rights changed. */
export function hasLostAuthority(before: Caller, after: Caller): boolean {
  if (before === after) return false;
  const { grants } = authenticatedCaller(before);
  if (isUnfinished(after) || grants === authenticatedCaller(after).grants) return false;
  return [...grants].some(([id, held]) => [...held].some((permission) => !after.holds(permission, id)));
}

/** The caller as this room made it. Throws for one made elsewhere. */
export function authenticatedCaller(caller: Caller): AuthenticatedCaller {
  if (caller instanceof AuthenticatedCaller) return caller;
  throw new Error('the access routes need callers of the access room');
}

/** True when a person signed in as themselves, and not with a key. */
export const isOwnSession = ({ session }: Pick<AuthenticatedCaller, 'session'>): boolean =>
  PERSON_SOURCES.some((source) => source === session?.sourceKind);

/** The caller, who must be a person who signed in as themselves. Throws a 403 refusal. */
export function ownCaller(caller: Caller): AuthenticatedCaller {
  const known = authenticatedCaller(caller);
  if (!isOwnSession(known)) throw new NotAllowedError('password_session_needed');
  return known;
}

/** The key that the caller came with, or that their session began with. */
export const keyOf = (caller: Caller): string | null =>
  caller instanceof AuthenticatedCaller ? caller.keyId : null;

/** Returns the ceiling of that key; null without a key. */
export const ceilingOf = (caller: Caller): readonly CeilingEntry[] | null =>
  caller instanceof AuthenticatedCaller ? caller.ceiling : null;

/** Returns the name of a caller in histories, with the assistant that acts for them. */
function nameOf(caller: Caller): string {
  const { displayName } = caller.principal;
  const program = caller instanceof AuthenticatedCaller ? caller.assistant : null;
  return program === null ? displayName : `${displayName} (assistant ${program})`;
}

export function actorOf(caller: Caller): ActorWithGrants {
  return {
    id: caller.principal.id,
    name: nameOf(caller),
    credentialKind: caller.credential.kind,
    policyVersion: caller.policyVersion,
    requestId: caller.requestId,
    keyId: keyOf(caller),
    holds: (permission, resourceId) => caller.holds(permission, resourceId),
  };
}

/** Returns the scope in which the caller holds a permission, for conditions in queries. */
export function visibleTo(caller: Caller, permission: Permission): Scope {
  if (caller.holds(permission)) return { everything: true, mailboxIds: [], documentIds: [] };
  const grants = caller instanceof AuthenticatedCaller ? [...caller.grants] : [];
  const resourceIds = grants.filter(([, held]) => held.has(permission)).map(([id]) => id);
  return {
    everything: false,
    mailboxIds: resourceIds.flatMap((id) => mailboxOfResource(id) ?? []),
    documentIds: resourceIds.flatMap((id) => documentOfResource(id) ?? []),
  };
}
