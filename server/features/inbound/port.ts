import type { ProviderAccount } from '../../adapters/providers/port.ts';
import type { ReceivingProvider } from '../../adapters/providers/receiving-port.ts';
import type { WriteTx } from '../../db/database.ts';
import type { FiledFax } from './types.ts';

/**
 * What else happens when a document is filed, in the transaction that makes it so: a document never exists without
 * it. Queries only; it runs once for each fax.
 */
export interface FiledHandler {
  onFiled(tx: WriteTx, fax: FiledFax): Promise<void>;
}

/** A provider through which faxes are received, with the account that the present settings give it. */
export interface Receiver {
  readonly backend: string;
  readonly provider: ReceivingProvider;
  /** Whether it notifies of received faxes; when not, they are only looked for. */
  readonly notifies: boolean;
  /** The account, or the sentence that says what is missing. */
  account(): ProviderAccount | string;
}
