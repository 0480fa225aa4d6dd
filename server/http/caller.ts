import type { Request } from 'express';
import type { RouteDefinition } from '../../shared/api/route.ts';
import type { CallerCredential } from '../../shared/credential-kinds.ts';
import type { ErrorCode, FixedErrorCode } from '../../shared/errors/all.ts';
import type { Permission } from '../../shared/permissions.ts';
import type { PrincipalKind } from '../../shared/states/access.ts';
import { RefusalError } from '../platform/errors.ts';

/**
 * Principal of a request, with its credential and current permissions. It is passed from the route to the services, so
 * that every check uses the same permissions.
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
  /** Version of the access rules from which the permissions were read. */
  readonly policyVersion: number;
  /** ID of the request; null outside a request. */
  readonly requestId: string | null;
  /** True for a test key, which creates and sees only test faxes. */
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

/** A request that was refused, with its caller. */
export interface RefusedRequest {
  readonly caller: Caller;
  readonly route: RouteDefinition;
  /** Parameters of the path, as they were received. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly code: ErrorCode;
  readonly requestId: string;
}

/** Authentication of requests, by the access room. */
export interface Authenticator {
  /**
   * Returns the caller. Throws a 401 refusal without a valid credential, and a 403 refusal for a session cookie without
   * its CSRF token. A request of a passive route does not count as a use of its session. `isRecheck` is true for a later
   * check of the same request, which does not count as a use of any credential.
   */
  authenticate(
    request: Request,
    options: {
      requestId: string;
      route: Pick<RouteDefinition, 'method' | 'path' | 'passive' | 'answer'>;
      isRecheck?: boolean;
    },
  ): Promise<Caller>;
  /** Subscribes to changes of permissions, sessions and keys that this gateway has seen. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  /** Records a refused request of an audited route in the security audit, in its own transaction. Never throws. */
  recordRefusal(refused: RefusedRequest): Promise<void>;
}
