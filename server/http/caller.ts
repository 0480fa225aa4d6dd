import type { Request } from 'express';
import type { Permission } from '../../shared/permissions.ts';
import type { PrincipalKind } from '../../shared/states.ts';

/**
 * Who is calling, with what, and what they may do now. It travels from the route through the services, so that everybody
 * asks the same one.
 */
export interface Caller {
  readonly principal: {
    readonly id: string;
    readonly kind: PrincipalKind;
    readonly displayName: string;
    readonly version: number;
  };
  readonly credential: {
    readonly kind: 'key' | 'session' | 'installation_key' | 'none';
    /** Names the key or session; rate limits count by it. */
    readonly id: string;
  };
  /** Of the rules that the caller's rights were read by. */
  readonly policyVersion: number;
  /** Of the request; null outside of one. */
  readonly requestId: string | null;
  /** What the caller may do on the whole installation. */
  readonly permissions: ReadonlySet<Permission>;
  /** Whether the caller may do this on the resource (the installation when left out). */
  holds(permission: Permission, resourceId?: string): boolean;
  /** Whether the caller may do this on at least one resource. */
  holdsAnywhere(permission: Permission): boolean;
}

/** The access room's part in every request. */
export interface Authenticator {
  /**
   * Throws a 401 refusal without a good credential, and a 403 when a cookie comes without its CSRF token. A passive
   * request does not count as a use of its session.
   */
  authenticate(request: Request, options: { requestId: string; passive: boolean }): Promise<Caller>;
}
