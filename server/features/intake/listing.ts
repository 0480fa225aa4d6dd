import type { z } from 'zod';
import type { MailDelivery } from '../../../shared/api/intake.ts';
import { MAIL_STATES, type MailState } from '../../../shared/states/intake.ts';
import type { Caller } from '../access/service.ts';
import { mayReceiveFaxEvents } from '../inbound/service.ts';
import type { IntakeParts } from './parts.ts';
import { countItems, type ItemFilter, listItems } from './store/item-store.ts';
import { recipientsOf } from './store/recipient-store.ts';
import type { ItemRow, RecipientRow } from './types.ts';

export type DeliveryAnswer = z.infer<typeof MailDelivery>;

/** Newest first, with how many there are in every state. */
export async function listDeliveries(parts: IntakeParts, caller: Caller, filter: ItemFilter) {
  const page = await listItems(parts.db.read, filter);
  return { ...page, items: await presentAll(parts, caller, page.items), counts: await countsOf(parts) };
}

export async function countsOf({ db }: Pick<IntakeParts, 'db'>): Promise<Record<MailState, number>> {
  const none = Object.fromEntries(MAIL_STATES.map((state) => [state, 0])) as Record<MailState, number>;
  for (const { state, items } of await countItems(db.read)) none[state] = items;
  return none;
}

/** Includes the facts of the fax only for callers who may see it. */
export async function presentAll(
  { db, contacts }: IntakeParts,
  caller: Caller,
  rows: readonly ItemRow[],
): Promise<DeliveryAnswer[]> {
  const recipients = Map.groupBy(
    await recipientsOf(
      db.read,
      rows.map(({ id }) => id),
    ),
    ({ item_id }) => item_id,
  );
  const known = rows.filter((row) => maySeeFax(caller, row));
  const names = await contacts.namesOf(
    caller,
    known.flatMap(({ from_number }) => from_number ?? []),
  );
  return rows.map((row) => ({
    ...presentRow(row, recipients.get(row.id) ?? []),
    fax: maySeeFax(caller, row) ? faxOf(row, names.get(row.from_number ?? '') ?? null) : null,
  }));
}

const maySeeFax = (caller: Caller, { fax_id: id, mailbox_id }: ItemRow) =>
  // A fax of a test key is never e-mailed.
  mayReceiveFaxEvents(caller, { id, mailbox_id, test: 0 });

function faxOf(
  { from_number, to_number, pages, filed_at }: ItemRow,
  contact: { readonly id: string; readonly name: string } | null,
) {
  return { from_number, contact, to_number, pages, filed_at };
}

function presentRow(row: ItemRow, recipients: readonly RecipientRow[]): Omit<DeliveryAnswer, 'fax'> {
  const { id, fax_id, connector_id, connector_name, state, problem, failures, retry_at } = row;
  const { message_id, version, recorded_at, updated_at } = row;
  return {
    id,
    fax_id,
    connector: { id: connector_id, name: connector_name },
    state,
    sentence: problem,
    recipients: recipients.map(({ address, state: its, sentence, at }) => ({
      address,
      state: its,
      sentence,
      at,
    })),
    failures,
    retry_at,
    message_id,
    version,
    recorded_at,
    updated_at,
  };
}
