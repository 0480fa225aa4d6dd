import type { Database } from '../../db/database.ts';
import type { Clock } from '../../platform/clock.ts';
import type { KeyedHash } from '../../platform/keyed-hash.ts';
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

/** Where a device reaches the gateway. */
export interface BaseUrls {
  /** From the same network, or the same computer. */
  readonly local: string;
  /** No release has tunnels. */
  readonly tunnel: null;
  readonly public: string | null;
}

/** Who asks for a code, and with what they came. */
export interface CodeMaker {
  readonly principalId: string;
  readonly keyId: string | null;
}

/** What a device comes with. */
export interface PairingAttempt {
  readonly code: string;
  /** What the device calls itself. */
  readonly deviceName: string | null;
}

export interface Visitor {
  readonly address: string;
  readonly requestId: string;
}
