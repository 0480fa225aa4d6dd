import type { WriteTx } from '../../../db/database.ts';
import type { Caller } from '../../access/service.ts';
import { actorOf } from '../../access/service.ts';
import { recordedActor } from '../../audit/service.ts';
import { holdsOn } from '../../holds/service.ts';
import { documentGone, keptForLegalHold, notReceivedYet } from '../errors.ts';
import { heldFactsOf } from '../legal-hold.ts';
import type { InboundParts } from '../parts.ts';
import { findFax } from '../store/fax-store.ts';
import { chooseContact, findOriginal } from '../store/original-store.ts';
import type { FaxRow } from '../types.ts';
import { assertMay } from '../visibility.ts';
import { decodeNow } from './decode-queue.ts';

type Parts = Pick<InboundParts, 'db' | 'queue' | 'clock' | 'audit' | 'contacts' | 'holds'>;

/**
 * Looks at the pages of a fax again for a person, also with the key of a contact that they chose. Throws 404 for a fax
 * without a document and for a contact that does not exist, and 409 where a legal hold keeps the original that there is.
 */
export async function decodeAgain(
  parts: Parts,
  caller: Caller,
  { id, contactId }: { id: string; contactId: string | null },
): Promise<void> {
  if (contactId !== null) await parts.contacts.sharedKeyOfContact(contactId);
  await parts.db.transaction(async (tx) => {
    const row = assertMay(caller, 'inbound:document', await findFax(tx, id));
    if (row.status !== 'received') throw notReceivedYet();
    if (row.document === null) throw documentGone();
    await assertMayReplaceOriginal(parts, tx, row);
    await decodeNow(parts, tx, id);
    if (contactId !== null) await chooseContact(tx, id, contactId);
    await parts.audit.record(tx, {
      ...recordedActor(actorOf(caller)),
      operation: 'inbound.decode',
      target: { kind: 'inbound_fax', id },
      outcome: 'done',
      details: contactId === null ? {} : { contact: contactId },
    });
  });
}

/** Throws a 409 refusal for a fax whose recovered original a legal hold keeps: another result would replace it. */
async function assertMayReplaceOriginal({ holds }: Parts, tx: WriteTx, row: FaxRow): Promise<void> {
  const original = await findOriginal(tx, row.id);
  if (!original || original.document === null) return;
  const [hold] = holdsOn(await holds.open(tx), heldFactsOf(row));
  if (hold !== undefined) throw keptForLegalHold(hold.name);
}
