import type { Request } from 'express';
import type { RouteDefinition } from '../../shared/api/route.ts';
import { type Authenticator, type Caller, CallerRefusedError, type RefusedRequest } from './caller.ts';
import type { MinuteLimit } from './rate-limit.ts';

export interface AccessCheck {
  /**
   * Identifies the caller. Throws a refusal when they may not call this route; public routes are let through. `isRecheck`
   * is for a second check of the same request, which no limit counts.
   */
  authorize(
    route: RouteDefinition,
    request: Request,
    options: { requestId: string; isRecheck?: boolean },
  ): Promise<Caller>;
  /** Puts the refused request of an audited route into the security audit. Never throws. */
  recordRefusal(refused: RefusedRequest): Promise<void>;
}

/** Nobody: the caller of a public route. */
const NOBODY: Caller = {
  principal: { id: 'nobody', kind: 'integration', displayName: 'Nobody', version: 1 },
  credential: { kind: 'none', id: 'none' },
  policyVersion: 0,
  requestId: null,
  isTest: false,
  permissions: new Set(),
  holds: () => false,
  holdsAnywhere: () => false,
};

/** Checks every request in the same order: credential (401), rate (429), permission (403). */
export function createAccessCheck(parts: {
  authenticator: Authenticator;
  limit: MinuteLimit;
  perMinute: () => number;
}): AccessCheck {
  return {
    async authorize(
      route: RouteDefinition,
      request: Request,
      { requestId, isRecheck = false }: { requestId: string; isRecheck?: boolean },
    ): Promise<Caller> {
      if (route.access === 'public') return NOBODY;
      const caller = await parts.authenticator.authenticate(request, { requestId, route, isRecheck });
      if (!isRecheck) await parts.limit.consume(caller.credential.id, parts.perMinute(), request);
      if (route.access === 'signed-in') return caller;
      const allowed = route.anywhere ? caller.holdsAnywhere(route.access) : caller.holds(route.access);
      if (!allowed) throw new CallerRefusedError(caller, 'not_allowed');
      return caller;
    },
    recordRefusal: (refused) => parts.authenticator.recordRefusal(refused),
  };
}
