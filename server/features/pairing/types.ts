import type { Database } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import type { KeyedHash } from '../../platform/hash.ts';
import type { AccessService } from '../access/service.ts';
import type { SecurityAudit } from '../audit/service.ts';

export interface PairingParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
  readonly access: Pick<AccessService, 'changePolicy' | 'insertOwnKey' | 'grantsNow' | 'limit'>;
  readonly hashCode: KeyedHash;
  readonly baseUrls: () => BaseUrls;
}

/** Addresses at which a device reaches the gateway. */
export interface BaseUrls {
  /** From the same network, or the same computer. */
  readonly local: string;
  /** No release has tunnels. */
  readonly tunnel: null;
  readonly public: string | null;
}

/** Principal that requests a code, with its credential. */
export interface CodeMaker {
  readonly principalId: string;
  readonly keyId: string | null;
}

/** Pairing request of a device. */
export interface PairingAttempt {
  readonly code: string;
  /** Name that the device gives itself. */
  readonly deviceName: string | null;
}

export interface Visitor {
  readonly address: string;
  readonly requestId: string;
}
