import type { Database, WriteTx } from '../../../db/database.ts';
import type { PrincipalTable } from '../../../db/schema/access.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { randomToken } from '../../../platform/ids.ts';
import type { SecurityAudit } from '../../audit/service.ts';
import {
  endPending,
  findPending,
  forgetEntries,
  insertPending,
  keepUnfinished,
  type PasswordEntries,
  repeatPending,
  unfinishedEntries,
} from '../store/pending-sign-ins.ts';
import { readPolicy } from '../store/policy.ts';
import type { Visitor } from './begin-session.ts';

/** Maximum time between the password and the second factor. */
export const PENDING_MS = 10 * 60_000;
const TOKEN_BITS = 256;

/** Reason why a sign-in with the right password went no further. */
export type MissingFactorReason = 'code_missing' | 'code_wrong' | 'passkey_wrong' | 'too_many_codes';

/**
 * Sign-ins with the right password that wait for the second factor, each identified by a random token in a cookie. An
 * unfinished one may have been an intruder's, so the person is notified.
 */
export interface PendingSignIns {
  /** Records one more entry of the right password without the second factor. Returns the token of the pending sign-in. */
  recordEntry(person: PrincipalTable, visitor: Visitor, why: MissingFactorReason): Promise<string>;
  /** The person of a pending sign-in; null when there is none, or it took too long. */
  personOf(token: string | null): Promise<string | null>;
  /** Ends one after its second factor was accepted, in that transaction: no notice is needed. */
  end(tx: WriteTx, principalId: string, token: string | null): Promise<void>;
  /** Returns the unfinished sign-ins to show to the person; null for none. */
  unfinished(principalId: string): Promise<PasswordEntries | null>;
  /** Forgets those until `lastAt` (ISO 8601 UTC). */
  dismiss(principalId: string, lastAt: string): Promise<void>;
}

export function createPendingSignIns(parts: {
  db: Database;
  clock: Clock;
  audit: SecurityAudit;
}): PendingSignIns {
  const { db, clock } = parts;
  const now = () => isoTime(clock.now());
  return {
    recordEntry: (person, visitor, why) =>
      db.transaction(async (tx) => {
        await recordMissing(parts.audit, tx, { person, visitor, why });
        await keepUnfinished(tx, person.id, now());
        return await startPending(tx, { principalId: person.id, visitor, nowMs: clock.now() });
      }),

    async personOf(token) {
      if (token === null) return null;
      return (await findPending(db.read, sha256Hex(token), now()))?.principal_id ?? null;
    },

    async end(tx, principalId, token) {
      if (token !== null) await endPending(tx, sha256Hex(token), principalId);
    },

    unfinished: (principalId) => unfinishedEntries(db.read, principalId),
    dismiss: (principalId, lastAt) => db.transaction((tx) => forgetEntries(tx, principalId, lastAt)),
  };
}

async function startPending(
  tx: WriteTx,
  { principalId, visitor, nowMs }: { principalId: string; visitor: Visitor; nowMs: number },
): Promise<string> {
  const { address, pendingToken } = visitor;
  const now = isoTime(nowMs);
  if (pendingToken !== null) {
    const entry = { tokenHash: sha256Hex(pendingToken), principalId, address, now };
    if (await repeatPending(tx, entry)) return pendingToken;
  }
  const token = randomToken(TOKEN_BITS);
  await insertPending(tx, {
    token_hash: sha256Hex(token),
    principal_id: principalId,
    count: 1,
    last_at: now,
    last_address: address,
    expires_at: isoTime(nowMs + PENDING_MS),
  });
  return token;
}

async function recordMissing(
  audit: SecurityAudit,
  tx: WriteTx,
  { person, visitor, why }: { person: PrincipalTable; visitor: Visitor; why: MissingFactorReason },
): Promise<void> {
  const { version } = await readPolicy(tx);
  await audit.record(tx, {
    actor: { id: person.id, name: person.display_name },
    credentialKind: 'none',
    operation: 'session.password_only',
    target: { kind: 'principal', id: person.id },
    outcome: 'refused',
    policyVersion: version,
    requestId: visitor.requestId,
    details: { address: visitor.address, reason: why },
  });
}
