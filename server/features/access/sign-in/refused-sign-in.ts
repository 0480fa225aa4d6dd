import type { Database } from '../../../db/database.ts';
import type { SecurityAudit } from '../../audit/service.ts';
import { readPolicy } from '../store/policy.ts';
import type { Visitor } from './begin-session.ts';

/** Records a refused sign-in; `principal` is null when it was not recognized. */
export function recordRefusedSignIn(
  parts: { db: Database; audit: SecurityAudit },
  principal: { id: string; displayName: string } | null,
  { visitor, reason }: { visitor: Visitor; reason?: string },
): Promise<void> {
  return parts.db.transaction(async (tx) => {
    const { version } = await readPolicy(tx);
    await parts.audit.record(tx, {
      actor: { id: principal?.id ?? null, name: principal?.displayName ?? 'Unknown' },
      credentialKind: 'none',
      operation: 'session.begin',
      target: { kind: 'principal', id: principal?.id ?? null },
      outcome: 'refused',
      policyVersion: version,
      requestId: visitor.requestId,
      details: { address: visitor.address, ...(reason === undefined ? {} : { reason }) },
    });
  });
}
