import type { AuditOperation } from '../../../shared/audit-operations.ts';
import { isUniqueViolation, type WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { requestedNumber } from '../../platform/phone-number.ts';
import { actorOf, type Caller, mailboxLabels } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { changedNames, fieldsOf, NEW_CONTACT, numbersOf, rowOf } from './contact-row.ts';
import {
  badNumber,
  badVoiceNumber,
  noSuchContact,
  numberTaken,
  stale,
  unknownMailbox,
  unknownRoute,
} from './errors.ts';
import { keepOptOut } from './opt-outs.ts';
import type { ContactsParts } from './parts.ts';
import { type KeyColumns, keyColumns } from './shared-key.ts';
import { deleteContact, findContact, insertContacts, updateContact } from './store/contact-store.ts';
import { removeLineMemory } from './store/line-memory-store.ts';
import type { ContactFields, ContactPatch, ContactRow, NewContact } from './types.ts';
import { maySee, seesMailbox } from './visibility.ts';

/** ID and version of a contact as it was read. */
export type ContactRead = Pick<ContactRow, 'id' | 'version'>;

/** The numbers as they were typed. Throws 400 for a number that is none and 409 for one that another contact has. */
export async function createContact(
  parts: ContactsParts,
  caller: Caller,
  { shared_key = null, ...typed }: NewContact,
): Promise<ContactRow> {
  const at = isoTime(parts.clock.now());
  const fields = { ...NEW_CONTACT, ...typedFields(parts, typed) } as ContactFields;
  const id = newId();
  const key = await keyColumns(parts, id, shared_key);
  const row = { id, ...rowOf(fields, at, null), ...key, version: 1, created_at: at, updated_at: at };
  return refuseTakenNumber(
    parts.db.transaction(async (tx) => {
      await checkRoute(parts, tx, fields.preferred_route);
      await checkMailbox(tx, caller, fields.owner_mailbox_id);
      await insertContacts(tx, [row]);
      await settle(parts, tx, caller, { operation: 'contact.create', row });
      if (row.shared_key !== null) await notifyOfKey(parts, tx, row);
      return row;
    }),
  );
}

/** Throws 400, 404, and 409 for a contact that changed since that version or a number that another one has. */
export async function changeContact(
  parts: ContactsParts,
  caller: Caller,
  { id, version }: ContactRead,
  { shared_key, ...patch }: ContactPatch,
): Promise<ContactRow> {
  const given = typedFields(parts, patch);
  const key = shared_key === undefined ? null : await keyColumns(parts, id, shared_key);
  return refuseTakenNumber(
    parts.db.transaction(async (tx) => {
      const before = await loadContact(tx, caller, { id, version });
      const fields = { ...fieldsOf(before), ...given };
      const changed = [...changedNames(fieldsOf(before), fields), ...changedKey(before, key)];
      if (changed.length === 0) return before;
      if (changed.includes('preferred_route')) await checkRoute(parts, tx, fields.preferred_route);
      if (changed.includes('owner_mailbox_id')) await checkMailbox(tx, caller, fields.owner_mailbox_id);
      const at = isoTime(parts.clock.now());
      const change = { ...rowOf(fields, at, before.opted_out_at), ...key, updated_at: at };
      if (!(await updateContact(tx, { id, version }, change))) throw stale();
      const row = { ...before, ...change, version: version + 1 };
      const details = { fields: changed };
      await settle(parts, tx, caller, { operation: 'contact.change', row, before, details });
      const opensPages = OPENING.some((name) => changed.includes(name));
      if (opensPages && row.shared_key !== null) await notifyOfKey(parts, tx, row);
      return row;
    }),
  );
}

/** For good. Answers the contact as it was. Throws 404, and 409 for one that changed since that version. */
export async function removeContact(
  parts: ContactsParts,
  caller: Caller,
  { id, version }: ContactRead,
): Promise<ContactRow> {
  return parts.db.transaction(async (tx) => {
    const before = await loadContact(tx, caller, { id, version });
    if (!(await deleteContact(tx, { id, version }))) throw stale();
    for (const number of numbersOf(before)) await removeLineMemory(tx, number);
    await keepOptOut(parts, tx, caller, before);
    const row = { ...before, version: version + 1 };
    await settle(parts, tx, caller, { operation: 'contact.remove', row });
    return before;
  });
}

/** The next call to its number is made with the best settings. Answers the contact; throws 404. */
export async function forgetLineMemory(
  parts: ContactsParts,
  caller: Caller,
  id: string,
): Promise<ContactRow> {
  return parts.db.transaction(async (tx) => {
    const row = await findContact(tx, id);
    if (!row || !maySee(caller, row)) throw noSuchContact();
    let isForgotten = false;
    for (const number of numbersOf(row)) if (await removeLineMemory(tx, number)) isForgotten = true;
    if (isForgotten) await settle(parts, tx, caller, { operation: 'contact.forget_line', row });
    return row;
  });
}

/** Records one change of many contacts, without their contents. */
export async function recordBulkChange(
  { audit }: ContactsParts,
  tx: WriteTx,
  caller: Caller,
  done: { operation: AuditOperation; details: Record<string, unknown> },
): Promise<void> {
  const target = { kind: 'contact', id: null };
  await audit.record(tx, { ...recordedActor(actorOf(caller)), ...done, target, outcome: 'done' });
}

/** Notifies of a key that may open pages received from the numbers of the contact. */
export async function notifyOfKey(
  { keyListener }: ContactsParts,
  tx: WriteTx,
  row: ContactRow,
): Promise<void> {
  for (const number of numbersOf(row)) await keyListener().changed(tx, { contactId: row.id, number });
}

/** Returns the field of the key where it changes. The same key typed again changes nothing. */
function changedKey(before: KeyColumns, key: KeyColumns | null): ['shared_key'] | [] {
  return key === null || key.shared_key_fingerprint === before.shared_key_fingerprint ? [] : ['shared_key'];
}

/** Throws 400 for a route that is not there, or not any more. */
async function checkRoute({ routes }: ContactsParts, tx: WriteTx, id: string | null): Promise<void> {
  if (id !== null && !(await routes.namesOf(tx, [id])).has(id)) throw unknownRoute();
}

/** Throws 400 for a mailbox that is not there, or that the caller does not see. */
async function checkMailbox(tx: WriteTx, caller: Caller, id: string | null): Promise<void> {
  if (id !== null && !(seesMailbox(caller, id) && (await mailboxLabels(tx, [id])).has(id)))
    throw unknownMailbox();
}

/** Throws 404 for a contact that the caller does not see, and 409 for one that changed since that version. */
export async function loadContact(
  tx: WriteTx,
  caller: Caller,
  { id, version }: ContactRead,
): Promise<ContactRow> {
  const row = await findContact(tx, id);
  if (!row || !maySee(caller, row)) throw noSuchContact();
  if (row.version !== version) throw stale();
  return row;
}

/** Records the change, by the ID alone, and notifies consoles once it is committed. */
export async function settle(
  { audit, events, db }: ContactsParts,
  tx: WriteTx,
  caller: Caller,
  {
    operation,
    row,
    before = row,
    details = {},
  }: { operation: AuditOperation; row: ContactRow; before?: ContactRow; details?: object },
): Promise<void> {
  const { id, version } = row;
  await audit.record(tx, {
    ...recordedActor(actorOf(caller)),
    operation,
    target: { kind: 'contact', id },
    outcome: 'done',
    details: { ...details },
  });
  // Consoles that showed it before read it again as well, and find it gone.
  const owners = [...new Set([before.owner_mailbox_id, row.owner_mailbox_id])];
  db.onCommit(tx, () => events.publish('contact.changed', { id, version, owners }));
}

/** Fields whose change may open pages that were received from a number of the contact. */
const OPENING = ['shared_key', 'fax_number', 'other_fax_numbers'] as const;

/** Returns the given fields, their numbers in E.164 form. */
function typedFields(
  { country }: ContactsParts,
  patch: Omit<ContactPatch, 'shared_key'>,
): Partial<ContactFields> {
  const given: Partial<ContactFields> = Object.fromEntries(
    Object.entries(patch).filter(([, value]) => value !== undefined),
  );
  const numberOf = (typed: string, refusal: typeof badNumber) => {
    const number = requestedNumber(typed, country());
    if (number === null) throw refusal();
    return number;
  };
  const { fax_number, other_fax_numbers: others, voice_number } = given;
  return {
    ...given,
    ...(fax_number !== undefined && { fax_number: numberOf(fax_number, badNumber) }),
    ...(others !== undefined && { other_fax_numbers: others.map((one) => numberOf(one, badNumber)) }),
    ...(voice_number !== undefined &&
      voice_number !== null && { voice_number: numberOf(voice_number, badVoiceNumber) }),
  };
}

async function refuseTakenNumber<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isUniqueViolation(error) ? numberTaken() : error;
  }
}
