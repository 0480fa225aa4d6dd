import type { Request } from 'express';
import type { RouteDefinition } from '../../shared/api/route.ts';
import type { CallerCredential } from '../../shared/credential-kinds.ts';
import type { ErrorCode, FixedErrorCode } from '../../shared/errors/all.ts';
import type { Permission } from '../../shared/permissions.ts';
import type { PrincipalKind } from '../../shared/states/access.ts';
import { RefusalError } from '../platform/errors.ts';

/**
 * Principal of a request, with its credential and present permissions. It is passed from the route through the
 * services, so that every check uses the same one.
 */
export interface Caller {
  readonly principal: {
    readonly id: string;
    readonly kind: PrincipalKind;
    readonly displayName: string;
    readonly version: number;
  };
  readonly credential: {
    readonly kind: CallerCredential;
    /** ID of the key or session; of the principal for an intake channel. Rate limits count by it. */
    readonly id: string;
  };
  /** Of the rules that the caller's rights were read by. */
  readonly policyVersion: number;
  /** Of the request; null outside of one. */
  readonly requestId: string | null;
  /** True for a test key: what it makes is a test, and it sees tests only. */
  readonly isTest: boolean;
  /** Permissions on the whole installation. */
  readonly permissions: ReadonlySet<Permission>;
  /** Returns true when the caller has the permission on the resource (the installation when left out). */
  holds(permission: Permission, resourceId?: string): boolean;
  /** Returns true when the caller has the permission on at least one resource. */
  holdsAnywhere(permission: Permission): boolean;
}

/** Thrown when a recognized caller is refused: 403. */
export class CallerRefusedError extends RefusalError {
  override name = 'CallerRefusedError';
  readonly caller: Caller;
  constructor(caller: Caller, code: FixedErrorCode) {
    super(code);
    this.caller = caller;
  }
}

/** Request that was refused to a caller. */
export interface RefusedRequest {
  readonly caller: Caller;
  readonly route: RouteDefinition;
  /** Of the address, as they came. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly code: ErrorCode;
  readonly requestId: string;
}

/** The access room's part in every request. */
export interface Authenticator {
  /**
   * Throws a 401 refusal without a good credential, and a 403 when a cookie comes without its CSRF token. A request of a
   * passive route does not count as a use of its session; the second check of one request (`again`) counts as no use at all.
   */
  authenticate(
    request: Request,
    options: {
      requestId: string;
      route: Pick<RouteDefinition, 'method' | 'path' | 'passive' | 'answer'>;
      again?: boolean;
    },
  ): Promise<Caller>;
  /** Calls `listener` as soon as this gateway learns that rights, sessions or keys changed; the answer ends that. */
  onChange(listener: () => void): () => void;
  /** Puts a refused request of an audited route into the security audit, in a transaction of its own. Never throws. */
  recordRefusal(refused: RefusedRequest): Promise<void>;
}
