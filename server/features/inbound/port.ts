import type { Backend } from '../../../shared/backends.ts';
import type { ProviderAccount } from '../../adapters/providers/provider-port.ts';
import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { OutboundService } from '../outbound/service.ts';
import type { ReceivingProvider } from './receiving-port.ts';
import type {
  DecodedFax,
  DescribedFax,
  FiledFax,
  IncompleteFax,
  JunkedFax,
  MovedFax,
  ReturnedFax,
  SourcedFax,
} from './types.ts';

/**
 * Handler that runs in the transaction that files a document: a document never exists without its effects. Queries
 * only; `onFiled` runs once for each fax.
 */
export interface FiledHandler {
  onFiled(tx: WriteTx, fax: FiledFax): Promise<void>;
  /** A fax whose document is filed was moved to another mailbox, in the same way. */
  onMoved?(tx: WriteTx, fax: MovedFax): Promise<void>;
  /** Called in the same way, once for each fax, when pages of a filed document turn out to be possibly missing. */
  onIncomplete?(tx: WriteTx, fax: IncompleteFax): Promise<void>;
  /** The pages of a filed fax were looked at for a document, whatever was found; runs again after each look. */
  onDecoded?(tx: WriteTx, fax: DecodedFax): Promise<void>;
  /** People changed what a fax is about, in the same way; its document may not be filed yet. */
  onDescribed?(tx: WriteTx, fax: DescribedFax): Promise<void>;
  /** A person moved a filed fax to Junk, in the same way. Throws a refusal of what the person may not end. */
  onJunked?(tx: WriteTx, fax: JunkedFax): Promise<void>;
  /** A person took a filed fax out of Junk, in the same way. */
  onReturned?(tx: WriteTx, fax: ReturnedFax): Promise<void>;
}

/** Answers to received faxes, from the room of sent faxes. */
export type SentAnswers = Pick<OutboundService, 'answersTo'>;

/** The entries of received faxes in the work queue, which a room above this one keeps. */
export interface WorkItems {
  /** Returns the ids by the id of the fax, of those that have one. Works inside a transaction. */
  idsOf(db: ReadDb, faxIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/**
 * Source of the documents of faxes that do not come from a provider. A higher room implements it, and records such a
 * fax with `record`; the source named there is passed back here.
 */
export interface DocumentSource {
  /** The `backend` of its faxes. */
  readonly backend: Backend;
  /** Name in the evidence, e.g. `Telephone engine`. */
  readonly name: string;
  /**
   * Files the document of a fax by `keepDocument`, and only then removes it at the source. Called while the fax waits,
   * and after an `offer`, also when a document is filed: the same one again does no harm, another one is set aside.
   * Returns `left` when the source still has something, which the fax then names until it is offered again and gone.
   * Throws a RefusalError whose sentence says why the fax still waits, and errors of the disk as they are; then nothing
   * is lost.
   */
  take(fax: SourcedFax): Promise<'gone' | 'left'>;
  /** Returns true while faxes can come in through it; left out where people hand documents in. */
  receives?(): boolean;
}

/** A provider through which faxes are received, with the account that the present settings give it. */
export interface Receiver {
  readonly backend: string;
  /** Vendor's name, for people. */
  readonly name: string;
  readonly provider: ReceivingProvider;
  /** True when it notifies of received faxes; when not, they are only polled for. */
  readonly notifies: boolean;
  /** Credentials that belong into the address for its notifications; null for none. */
  addressCredentials(): { readonly user: string; readonly password: string } | null;
  /** Returns true when its notifications can be verified as configured; when not, they are refused. */
  isVerifiable(): boolean;
  /** Returns the account, or a sentence that says what is missing. */
  account(): ProviderAccount | string;
}
