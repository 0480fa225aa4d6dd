import type { z } from 'zod';
import type { holdsRoutes } from '../../../shared/api/holds.ts';
import { isoTime, storedTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { requestedNumber } from '../../platform/phone-number.ts';
import { actorOf, type Caller, mailboxLabels } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { badNumber, noSuchMailbox, refused } from './errors.ts';
import type { HoldsParts } from './parts.ts';
import { insertHold, listOpen, lockHolds } from './store.ts';
import type { HoldRow } from './types.ts';

export type HoldRequest = z.infer<typeof holdsRoutes.createLegalHold.body>;

/** Each list reads the open holds, so there are few. */
const MAX_OPEN = 100;
const NO_SUCH_FAX = 'One of the faxes does not exist, or you cannot see it.';

type Covered = Pick<
  HoldRow,
  'kind' | 'case_id' | 'numbers' | 'contact_id' | 'contact_name' | 'mailbox_id' | 'since' | 'until'
>;

/** Places a hold and returns its row. Throws 400, 404 and 409 refusals. */
export async function placeHold(parts: HoldsParts, caller: Caller, request: HoldRequest): Promise<HoldRow> {
  const covered = await coveredFaxes(parts, caller, request);
  const faxIds = [...new Set(request.fax_ids ?? [])];
  const actor = actorOf(caller);
  const row: HoldRow = {
    id: newId(),
    name: request.name,
    reason: request.reason,
    ...covered,
    placed_at: isoTime(parts.clock.now()),
    placed_by_id: actor.id,
    placed_by: actor.name,
    released_at: null,
    released_by_id: null,
    released_by: null,
    release_note: null,
    version: 1,
  };
  await parts.db.transaction(async (tx) => {
    // A removal that is under way ends first: what it leaves is kept from now on.
    await lockHolds(tx, parts.db.capabilities);
    const present = await parts.faxes().existingAmong(tx, faxIds);
    if (faxIds.some((id) => !present.has(id))) throw refused(NO_SUCH_FAX);
    if ((await listOpen(tx)).length >= MAX_OPEN)
      throw refused(`There are ${MAX_OPEN} open legal holds already. Release one first.`);
    await insertHold(tx, row, faxIds);
    await parts.audit.record(tx, {
      ...recordedActor(actor),
      operation: 'legal_hold.place',
      target: { kind: 'legal_hold', id: row.id },
      outcome: 'done',
      details: { name: row.name, reason: row.reason, ...factsOf(row, faxIds) },
    });
  });
  return row;
}

function factsOf(row: HoldRow, faxIds: readonly string[]) {
  const { kind, case_id, contact_name, mailbox_id, since, until } = row;
  const numbers = (JSON.parse(row.numbers) as string[]).join(', ');
  const given = { case: case_id, contact: contact_name, numbers, mailbox: mailbox_id, since, until };
  const named = Object.entries(given).filter(([, value]) => value !== null && value !== '');
  return { kind, ...Object.fromEntries(named), ...(faxIds.length > 0 && { faxes: faxIds.join(', ') }) };
}

/** Checks the records that the request names. */
async function coveredFaxes(parts: HoldsParts, caller: Caller, request: HoldRequest): Promise<Covered> {
  const { fax_ids: faxIds, case_id: caseId, number, contact_id: contactId, mailbox_id: mailboxId } = request;
  const since = storedTime(request.since) ?? null;
  const until = storedTime(request.until) ?? null;
  if ([faxIds, caseId, number, contactId, mailboxId].filter((given) => given !== undefined).length > 1)
    throw refused('Name only one of faxes, case, number, contact and mailbox. Place a legal hold for each.');
  if (since !== null && until !== null && since >= until)
    throw refused('The time range ends before it begins.');
  const nothing: Covered = {
    kind: 'period',
    case_id: null,
    numbers: '[]',
    contact_id: null,
    contact_name: null,
    mailbox_id: null,
    since,
    until,
  };
  if (faxIds !== undefined) {
    if (since !== null || until !== null) throw refused('Name either faxes or a time range.');
    const found = await parts.faxes().readableAmong(caller, faxIds);
    if (faxIds.some((id) => !found.has(id))) throw refused(NO_SUCH_FAX);
    return { ...nothing, kind: 'faxes' };
  }
  if (caseId !== undefined) return { ...nothing, kind: 'case', case_id: caseId };
  if (number !== undefined) {
    const wanted = requestedNumber(number, parts.country());
    if (wanted === null) throw badNumber();
    return { ...nothing, kind: 'number', numbers: JSON.stringify([wanted]) };
  }
  if (contactId !== undefined) {
    const contact = await parts.contacts.get(caller, contactId);
    const numbers = JSON.stringify([...new Set([contact.fax_number, ...contact.other_fax_numbers])]);
    return { ...nothing, kind: 'contact', contact_id: contactId, contact_name: contact.name, numbers };
  }
  if (mailboxId !== undefined) {
    const labels = await mailboxLabels(parts.db.read, [mailboxId]);
    if (!labels.has(mailboxId)) throw noSuchMailbox();
    return { ...nothing, kind: 'mailbox', mailbox_id: mailboxId };
  }
  if (since === null && until === null)
    throw refused(
      'Name the faxes of the legal hold: faxes, a case, a number, a contact, a mailbox or a time range.',
    );
  return nothing;
}
