import type { Backend } from '../../../shared/states.ts';
import type { ProviderAccount } from '../../adapters/providers/port.ts';
import type { ReceivingProvider } from '../../adapters/providers/receiving-port.ts';
import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { FiledFax, IncompleteFax, MovedFax, SourcedFax } from './types.ts';

/**
 * What else happens when a document is filed, in the transaction that makes it so: a document never exists without
 * it. Queries only; `onFiled` runs once for each fax.
 */
export interface FiledHandler {
  onFiled(tx: WriteTx, fax: FiledFax): Promise<void>;
  /** A fax whose document is filed was moved to another mailbox, in the same way. */
  onMoved?(tx: WriteTx, fax: MovedFax): Promise<void>;
  /** Of a fax whose document is filed it was found that pages may be missing, in the same way; once for each fax. */
  onIncomplete?(tx: WriteTx, fax: IncompleteFax): Promise<void>;
}

/** The entries of received faxes in the work queue, which a room above this one keeps. */
export interface WorkItems {
  /** By the id of the fax, of those that have one. Works inside a transaction. */
  idsOf(db: ReadDb, faxIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/**
 * Where the documents of faxes are that no provider has. A room above this one fills it, and records such a fax with
 * `record`; what it names there as its source is handed back here.
 */
export interface DocumentSource {
  /** The `backend` of its faxes. */
  readonly backend: Backend;
  /** How the evidence calls it, e.g. `Telephone engine`. */
  readonly name: string;
  /**
   * Files the document of a fax by `keepDocument`, and only then clears away what it has of it. Called while the fax waits,
   * and after an `offer`, also when a document is filed: the same one again is no harm, another one is set aside. Answers
   * whether it still has something, which the fax then goes on naming until it is offered again and gone. Throws a
   * RefusalError whose sentence says what keeps the fax waiting, and errors of the disk as they are; then nothing is lost.
   */
  take(fax: SourcedFax): Promise<'gone' | 'left'>;
}

/** A provider through which faxes are received, with the account that the present settings give it. */
export interface Receiver {
  readonly backend: string;
  /** The vendor's name, as people know it. */
  readonly name: string;
  readonly provider: ReceivingProvider;
  /** Whether it notifies of received faxes; when not, they are only looked for. */
  readonly notifies: boolean;
  /** What has to stand in the address that it notifies; null when nothing. */
  addressCredentials(): { readonly user: string; readonly password: string } | null;
  /** Whether its notifications can be told from forgeries as it is set; when not, they are refused. */
  isVerifiable(): boolean;
  /** The account, or the sentence that says what is missing. */
  account(): ProviderAccount | string;
}
