import type { PersonSource } from '../../../../shared/states/access.ts';
import type { WriteTx } from '../../../db/database.ts';
import type { PrincipalTable } from '../../../db/schema/access.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { SecurityAudit } from '../../audit/service.ts';
import { type BegunSession, beginSession, NEVER, type Visitor } from './begin-session.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import type { PendingSignIns } from './pending-sign-ins.ts';
import type { Factor } from './second-factor.ts';

export interface BeginParts {
  readonly clock: Clock;
  readonly audit: SecurityAudit;
  readonly browsers: KnownBrowsers;
  readonly pending: PendingSignIns;
}

/** Begins the session of an authenticated person, in a browser that is remembered from then on. */
export async function beginOfPerson(
  parts: BeginParts,
  tx: WriteTx,
  {
    person,
    sourceKind,
    secondFactor,
    visitor,
  }: {
    person: PrincipalTable;
    sourceKind: PersonSource;
    secondFactor: Factor | null;
    visitor: Visitor;
  },
): Promise<BegunSession> {
  await parts.pending.end(tx, person.id, visitor.pendingToken);
  const facts = {
    principal: { id: person.id, displayName: person.display_name },
    sourceKind,
    secondFactor,
    browser: await parts.browsers.remember(tx, person.id, visitor.browserToken, sourceKind),
    keyId: null,
    keyExpiresMs: NEVER,
    passwordChangeRequired: person.password_change_required === 1,
  };
  return await beginSession(parts, tx, facts, visitor);
}
