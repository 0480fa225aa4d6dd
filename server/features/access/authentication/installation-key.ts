import type { Request } from 'express';
import { ALL_PERMISSIONS, INSTALLATION } from '../../../../shared/permissions.ts';
import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../platform/clock.ts';
import { equalInConstantTime, sha256Hex } from '../../../platform/hash.ts';
import type { SecurityAudit } from '../../audit/service.ts';
import { type AuthenticatedCaller, createAuthenticatedCaller } from '../authenticated-caller.ts';
import { readPolicy } from '../store/policy.ts';
import { BOOTSTRAP_ID } from '../store/principals.ts';
import type { Grants } from '../types.ts';
import { addressOf } from './origins.ts';

const MINUTE_MS = 60_000;
const MOST_ROUTE = 100;
const MOST_ADDRESSES = 1000;

/** What an owner may do. */
export const EVERYTHING: Grants = new Map([[INSTALLATION, new Set(ALL_PERMISSIONS)]]);

const principal = {
  id: BOOTSTRAP_ID,
  kind: 'bootstrap',
  displayName: 'Installation key',
  version: 1,
} as const;

export function installationCaller(policyVersion: number): AuthenticatedCaller {
  return createAuthenticatedCaller({
    principal,
    credential: { kind: 'installation_key', id: 'installation' },
    policyVersion,
    grants: EVERYTHING,
    session: null,
    keyId: null,
    passwordChangeRequired: false,
    twoFactorSetupRequired: false,
  });
}

/** Everybody, while the gateway runs without keys for development. */
export function developmentCaller(policyVersion: number): AuthenticatedCaller {
  return createAuthenticatedCaller({
    principal: { ...principal, displayName: 'Development' },
    credential: { kind: 'none', id: 'none' },
    policyVersion,
    grants: EVERYTHING,
    session: null,
    keyId: null,
    passwordChangeRequired: false,
    twoFactorSetupRequired: false,
  });
}

export interface InstallationKey {
  readonly isSet: boolean;
  /** Whether a presented text, given by its SHA-256, is the installation key. Takes the same time either way. */
  fits(presentedHash: string): boolean;
  /** Puts a use into the security audit: at most one record per minute and address, so that it cannot be flooded. */
  noteUse(request: Request, credentialKind: string): Promise<void>;
}

export function createInstallationKey(parts: {
  key: string | null;
  db: Database;
  clock: Clock;
  audit: SecurityAudit;
}): InstallationKey {
  const keyHash = parts.key ? sha256Hex(parts.key) : null;
  const notedMs = new Map<string, number>();
  const isDue = (address: string, now: number) => {
    const age = now - (notedMs.get(address) ?? Number.NEGATIVE_INFINITY);
    return age < 0 || age >= MINUTE_MS;
  };
  return {
    isSet: keyHash !== null,
    fits: (presentedHash) => keyHash !== null && equalInConstantTime(presentedHash, keyHash),
    async noteUse(request, credentialKind) {
      const address = addressOf(request);
      const route = `${request.method} ${request.path}`.slice(0, MOST_ROUTE);
      const now = parts.clock.now();
      if (!isDue(address, now)) return;
      for (const [other] of notedMs) if (isDue(other, now)) notedMs.delete(other);
      if (notedMs.size >= MOST_ADDRESSES) notedMs.clear();
      notedMs.set(address, now);
      try {
        await parts.db.transaction(async (tx) => {
          const { version } = await readPolicy(tx);
          await parts.audit.record(tx, {
            actor: { id: BOOTSTRAP_ID, name: principal.displayName },
            credentialKind,
            operation: 'installation_key.use',
            target: { kind: 'installation', id: INSTALLATION },
            outcome: 'done',
            policyVersion: version,
            requestId: null,
            details: { address, route },
          });
        });
      } catch (error) {
        // A use that could not be recorded is refused, and the next one is tried again.
        notedMs.delete(address);
        throw error;
      }
    },
  };
}
