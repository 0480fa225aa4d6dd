import { DIRECT_BACKEND } from '../../../shared/backends.ts';
import type { WriteTx } from '../../db/database.ts';
import { CHAIN_BEGINNING } from '../../platform/chain-digest.ts';
import { newId } from '../../platform/ids.ts';
import type { FiledHandler } from '../inbound/port.ts';
import type { FiledFax } from '../inbound/types.ts';
import { change, create } from './change.ts';
import type { WorkParts } from './parts.ts';
import { findItemOfFax, firstItemWith, lockDocument } from './store/item-store.ts';
import { findMailboxRow } from './store/mailbox-store.ts';
import { targetOf } from './target.ts';
import { type ItemRow, NOBODY } from './types.ts';

/**
 * Thrown when another change of the item came between reading and writing. Its code is the one at which a transaction
 * is repeated.
 */
export class ItemChangedError extends Error {
  override name = 'ItemChangedError';
  readonly code = '40001';
}

/** Returns true when a received fax must have a work item: not one that a partner delivered directly. */
export const needsItem = ({ backend }: Pick<FiledFax, 'backend'>): boolean => backend !== DIRECT_BACKEND;

/** Returns true when a received fax gets a work item now: one that a partner delivered directly only by the settings. */
export const getsItem = (
  { settings }: Pick<WorkParts, 'settings'>,
  fax: Pick<FiledFax, 'backend'>,
): boolean => needsItem(fax) || settings.directItems();

/**
 * Creates one item for every filed document that is not junk and that no test key asked for, in the transaction that
 * files it. The item follows its fax to another mailbox, and its history records when pages were found to be
 * missing, and what people recorded it to be about.
 */
export function itemPerDocument(parts: WorkParts): FiledHandler {
  return {
    async onFiled(tx, fax) {
      if (!getsItem(parts, fax) || fax.isJunk || fax.isOfTestKey) return;
      await createItem(parts, tx, fax);
    },
    onMoved: (tx, { id, mailboxId, actor, text }) =>
      changeItemOf(parts, tx, id, {
        changes: { mailbox_id: mailboxId },
        newEntries: [{ kind: 'moved', text, by: actor }],
      }),
    onIncomplete: (tx, { id, source, text }) =>
      changeItemOf(parts, tx, id, {
        changes: {},
        newEntries: [{ kind: 'pages_missing', text, by: { id: null, name: source } }],
      }),
    onDescribed: (tx, { id, actor, text }) =>
      changeItemOf(parts, tx, id, { changes: {}, newEntries: [{ kind: 'about', text, by: actor }] }),
  };
}

/** Changes the item of a fax, where it has one. */
export async function changeItemOf(
  parts: WorkParts,
  tx: WriteTx,
  faxId: string,
  changes: Parameters<typeof change>[3],
): Promise<void> {
  const item = await findItemOfFax(tx, faxId);
  if (item && !(await change(parts, tx, item, changes)))
    throw new ItemChangedError(`the work item ${item.id} was changed meanwhile`);
}

/** Creates the item of a filed document; `takenOutBy` names the person who took its fax out of Junk. */
export async function createItem(
  parts: WorkParts,
  tx: WriteTx,
  fax: FiledFax,
  { takenOutBy = null }: { takenOutBy?: string | null } = {},
): Promise<void> {
  const { mailboxId, filedAt } = fax;
  const mailbox = mailboxId === null ? null : await findMailboxRow(tx, mailboxId);
  const target = targetOf(filedAt, mailbox, parts.settings.acknowledgeHours());
  await lockDocument(tx, parts.db.capabilities, fax.document.sha256);
  const duplicateOf = await firstItemWith(tx, fax.document.sha256);
  const row = {
    ...NEW_ITEM,
    ...target,
    id: newId(),
    inbound_fax_id: fax.id,
    mailbox_id: mailboxId,
    from_number: fax.fromNumber,
    to_number: fax.toNumber,
    pages: fax.document.pages,
    sha256: fax.document.sha256,
    is_test: fax.isTest ? 1 : 0,
    available_at: filedAt,
    updated_at: filedAt,
    duplicate_of: duplicateOf,
  } as const;
  await create(parts, tx, row, { kind: 'created', text: createdText(row, takenOutBy) });
}

/** Initial values of an item. */
export const NEW_ITEM = {
  version: 1,
  missed_at: null,
  state_key: 'waiting',
  owner_id: NOBODY,
  assigned_at: null,
  acknowledged_by: null,
  acknowledged_at: null,
  escalated_to: null,
  escalated_at: null,
  done_by: null,
  done_at: null,
  done_note: null,
  history_count: 0,
  history_digest: CHAIN_BEGINNING,
  history_end: null,
} as const;

function createdText(
  item: Pick<ItemRow, 'is_test' | 'due_hours' | 'due_source' | 'duplicate_of'>,
  takenOutBy: string | null,
): string {
  const document = item.is_test === 1 ? 'A test fax' : 'The document';
  const hours = item.due_hours === 1 ? '1 hour' : `${item.due_hours} hours`;
  const whose = item.due_source === 'mailbox' ? 'its mailbox' : 'the installation';
  return [
    takenOutBy === null
      ? `${document} arrived and waits for an owner.`
      : `${takenOutBy} took the fax out of Junk. It waits for an owner.`,
    item.due_hours === null
      ? 'It has no acknowledgement target.'
      : `Its owner should acknowledge it within ${hours}, the target of ${whose}.`,
    item.duplicate_of === null ? '' : 'The same document arrived before.',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
