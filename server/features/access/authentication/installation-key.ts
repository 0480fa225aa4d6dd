import type { Request } from 'express';
import type { CredentialKind } from '../../../../shared/credential-kinds.ts';
import { ALL_PERMISSIONS, INSTALLATION } from '../../../../shared/permissions.ts';
import { equalInConstantTime, sha256Hex } from '../../../platform/hash.ts';
import type { CountedEvents } from '../../audit/service.ts';
import { type AuthenticatedCaller, createAuthenticatedCaller } from '../authenticated-caller.ts';
import { BOOTSTRAP_ID } from '../store/principals.ts';
import type { Grants } from '../types.ts';
import { addressOf } from './origins.ts';

/** Grants of an owner. */
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
    ceiling: null,
    isTest: false,
    passwordChangeRequired: false,
    twoFactorSetupRequired: false,
  });
}

/** Returns the caller of every request while the gateway runs without keys for development. */
export function developmentCaller(policyVersion: number): AuthenticatedCaller {
  return createAuthenticatedCaller({
    principal: { ...principal, displayName: 'Development' },
    credential: { kind: 'none', id: 'none' },
    policyVersion,
    grants: EVERYTHING,
    session: null,
    keyId: null,
    ceiling: null,
    isTest: false,
    passwordChangeRequired: false,
    twoFactorSetupRequired: false,
  });
}

export interface InstallationKey {
  readonly isSet: boolean;
  /** Returns true when a presented text, given by its SHA-256, is the installation key. Takes constant time. */
  fits(presentedHash: string): boolean;
  /**
   * Counts a use in the security audit, by route and address. Throws while the first of an hour cannot be recorded: this
   * key may do everything, so nothing is done with it that leaves no trace.
   */
  recordUse(request: Request, use: InstallationKeyUse): Promise<void>;
}

export interface InstallationKeyUse {
  readonly credentialKind: CredentialKind;
  /** The route's pattern, e.g. `GET /fax/:id`. */
  readonly route: string;
  readonly policyVersion: number;
}

export function createInstallationKey(parts: {
  key: string | null;
  counted: CountedEvents;
}): InstallationKey {
  const keyHash = parts.key ? sha256Hex(parts.key) : null;
  return {
    isSet: keyHash !== null,
    fits: (presentedHash) => keyHash !== null && equalInConstantTime(presentedHash, keyHash),
    recordUse: (request, { credentialKind, route, policyVersion }) =>
      parts.counted.count(
        {
          actor: { id: BOOTSTRAP_ID, name: principal.displayName },
          credentialKind,
          operation: 'installation_key.use',
          target: { kind: 'installation', id: INSTALLATION },
          outcome: 'done',
          policyVersion,
          requestId: null,
          details: { address: addressOf(request), route },
        },
        { isRequired: true },
      ),
  };
}
