import type { INBOUND_CHECKS } from '../../../shared/api/inbound-shapes.ts';
import type { Backend } from '../../../shared/states.ts';
import type { InboundFaxTable } from '../../db/schema/inbound.ts';

export type { Scope } from '../access/service.ts';

export type FaxRow = InboundFaxTable;
export type Check = (typeof INBOUND_CHECKS)[number];

/** The telephone engine as the source of a fax. */
export interface EngineSource {
  readonly backend: 'sip';
  readonly accountId: string;
  /** Where its image lies within the data folder. */
  readonly image: string;
}

/** A document that was checked and is stored. */
export interface KeptDocument {
  /** Name in the storage. */
  readonly name: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly pages: number;
  readonly mediaType: 'application/pdf';
}

/** A received fax at the moment its document was filed. */
export interface FiledFax {
  readonly id: string;
  readonly backend: Backend;
  readonly fromNumber: string | null;
  readonly toNumber: string | null;
  readonly mailboxId: string | null;
  readonly isTest: boolean;
  /** ISO 8601 UTC. */
  readonly filedAt: string;
  readonly document: KeptDocument;
}
