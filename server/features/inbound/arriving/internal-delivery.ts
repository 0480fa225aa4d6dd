import { INTERNAL_BACKEND } from '../../../../shared/backends.ts';
import type { WriteTx } from '../../../db/database.ts';
import { hasRule, mailboxFor } from '../../access/service.ts';
import { recordEvidence, SYSTEM } from '../changes.ts';
import type { InboundParts } from '../parts.ts';
import { findFax, insertFax } from '../store/fax-store.ts';
import type { InternalFax, StoredDocument } from '../types.ts';
import { type FilingParts, fileNow } from './file-document.ts';
import { documentName } from './keep-document.ts';
import { rowWithDocument } from './new-fax.ts';

/** Delivers faxes to a number of the installation itself: they come in without a call, with the PDF that was sent. */
export interface InternalDelivery {
  /** Returns true while receiving is on. */
  isOn(): boolean;
  /** Returns true when an inbound rule names the number (E.164). */
  takes(to: string): Promise<boolean>;
  /**
   * Stores the PDF of a fax durably, under the same name each time. Throws errors of the disk as they are; then
   * nothing is stored.
   */
  store(fax: InternalFax): Promise<StoredDocument>;
  /** Makes the received fax and files its document, in the transaction that ends the sent one. */
  file(tx: WriteTx, stored: StoredDocument, fax: InternalFax): Promise<void>;
  /** Returns true when the received fax with that id exists. */
  isFiled(id: string): Promise<boolean>;
}

export function createInternalDelivery(
  parts: FilingParts & Pick<InboundParts, 'storage' | 'settings'>,
): InternalDelivery {
  return {
    isOn: () => parts.settings.enabled(),
    takes: (to) => hasRule(parts.db.read, to),
    async store({ id, document: { path, ...facts } }) {
      const name = documentName(id, facts.sha256);
      // It was prepared here and compared with its fingerprint, so it is not inspected again.
      await parts.storage.copy(name, path);
      return { faxId: id, document: { name, ...facts, mediaType: 'application/pdf' } };
    },
    file: (tx, stored, fax) => file(parts, tx, stored, fax),
    isFiled: async (id) => (await findFax(parts.db.read, id))?.backend === INTERNAL_BACKEND,
  };
}

async function file(
  parts: FilingParts,
  tx: WriteTx,
  { document }: StoredDocument,
  { id, sentFaxId, from, to, about }: InternalFax,
): Promise<void> {
  const row = rowWithDocument(parts.clock, {
    id,
    backend: INTERNAL_BACKEND,
    provider_account: INTERNAL_BACKEND,
    provider_fax_id: sentFaxId,
    from_number: from,
    to_number: to,
    mailbox_id: await mailboxFor(tx, to),
    reported_pages: document.pages,
    ...about,
  });
  if (!(await insertFax(tx, row))) throw new Error(`the fax ${sentFaxId} was delivered already`);
  const recorded = { actor: SYSTEM, checkedBy: 'internal' } as const;
  const text = `This installation sent the fax to its own number and delivered it without a call. The sent fax has the ID ${sentFaxId}.`;
  await recordEvidence(parts, tx, id, { kind: 'internal', ...recorded, text });
  const stored = (await findFax(tx, id)) ?? row;
  await fileNow(parts, tx, stored, document, { ...recorded, text: 'The document that was sent was stored.' });
}
