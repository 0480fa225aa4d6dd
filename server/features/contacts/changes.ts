import type { AuditOperation } from '../../../shared/audit-operations.ts';
import { isUniqueViolation, type WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { requestedNumber } from '../../platform/phone-number.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { changedNames, fieldsOf, rowOf } from './contact-row.ts';
import { badNumber, noSuchContact, numberTaken, stale, unknownRoute } from './errors.ts';
import type { ContactsParts } from './parts.ts';
import { type KeyColumns, keyColumns } from './shared-key.ts';
import { deleteContact, findContact, insertContacts, updateContact } from './store/contact-store.ts';
import { removeLineMemory } from './store/line-memory-store.ts';
import type { ContactFields, ContactPatch, ContactRow, TypedKey } from './types.ts';

/** ID and version of a contact as it was read. */
export type ContactRead = Pick<ContactRow, 'id' | 'version'>;

/** The number as it was typed. Throws 400 for a number that is none and 409 for one that another contact has. */
export async function createContact(
  parts: ContactsParts,
  caller: Caller,
  { shared_key = null, ...typed }: ContactFields & TypedKey,
): Promise<ContactRow> {
  const at = isoTime(parts.clock.now());
  const fields = { ...typed, fax_number: numberOf(parts, typed.fax_number) };
  const id = newId();
  const key = await keyColumns(parts, id, shared_key);
  const row = { id, ...rowOf(fields), ...key, version: 1, created_at: at, updated_at: at };
  return refuseTakenNumber(
    parts.db.transaction(async (tx) => {
      await checkRoute(parts, tx, fields.preferred_route);
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
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const number = patch.fax_number === undefined ? {} : { fax_number: numberOf(parts, patch.fax_number) };
  const key = shared_key === undefined ? null : await keyColumns(parts, id, shared_key);
  return refuseTakenNumber(
    parts.db.transaction(async (tx) => {
      const before = await loadContact(tx, { id, version });
      const fields = { ...fieldsOf(before), ...given, ...number };
      const changed = [...changedNames(fieldsOf(before), fields), ...changedKey(before, key)];
      if (changed.length === 0) return before;
      if (changed.includes('preferred_route')) await checkRoute(parts, tx, fields.preferred_route);
      const change = { ...rowOf(fields), ...key, updated_at: isoTime(parts.clock.now()) };
      if (!(await updateContact(tx, { id, version }, change))) throw stale();
      const row = { ...before, ...change, version: version + 1 };
      await settle(parts, tx, caller, { operation: 'contact.change', row, details: { fields: changed } });
      const opensPages = changed.includes('shared_key') || changed.includes('fax_number');
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
    const before = await loadContact(tx, { id, version });
    if (!(await deleteContact(tx, { id, version }))) throw stale();
    await removeLineMemory(tx, before.fax_number);
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
    if (!row) throw noSuchContact();
    if (await removeLineMemory(tx, row.fax_number))
      await settle(parts, tx, caller, { operation: 'contact.forget_line', row });
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

async function notifyOfKey(
  { keyListener }: ContactsParts,
  tx: WriteTx,
  { id, fax_number }: ContactRow,
): Promise<void> {
  await keyListener().changed(tx, { contactId: id, number: fax_number });
}

/** Returns the field of the key where it changes. The same key typed again changes nothing. */
function changedKey(before: KeyColumns, key: KeyColumns | null): ['shared_key'] | [] {
  return key === null || key.shared_key_fingerprint === before.shared_key_fingerprint ? [] : ['shared_key'];
}

/** Throws 400 for a route that is not there, or not any more. */
async function checkRoute({ routes }: ContactsParts, tx: WriteTx, id: string | null): Promise<void> {
  if (id !== null && !(await routes.namesOf(tx, [id])).has(id)) throw unknownRoute();
}

async function loadContact(tx: WriteTx, { id, version }: ContactRead): Promise<ContactRow> {
  const row = await findContact(tx, id);
  if (!row) throw noSuchContact();
  if (row.version !== version) throw stale();
  return row;
}

/** Records the change, by the ID alone, and notifies consoles once it is committed. */
async function settle(
  { audit, events, db }: ContactsParts,
  tx: WriteTx,
  caller: Caller,
  { operation, row, details = {} }: { operation: AuditOperation; row: ContactRow; details?: object },
): Promise<void> {
  const { id, version } = row;
  await audit.record(tx, {
    ...recordedActor(actorOf(caller)),
    operation,
    target: { kind: 'contact', id },
    outcome: 'done',
    details: { ...details },
  });
  db.onCommit(tx, () => events.publish('contact.changed', { id, version }));
}

function numberOf(parts: ContactsParts, typed: string): string {
  const number = requestedNumber(typed, parts.country());
  if (number === null) throw badNumber();
  return number;
}

async function refuseTakenNumber<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isUniqueViolation(error) ? numberTaken() : error;
  }
}
