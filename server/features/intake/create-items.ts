import { z } from 'zod';
import { IMPORT_BACKEND } from '../../../shared/backends.ts';
import type { WriteTx } from '../../db/database.ts';
import { newId } from '../../platform/ids.ts';
import type { FiledHandler } from '../inbound/port.ts';
import type { FiledFax } from '../inbound/types.ts';
import { change } from './change.ts';
import { sendNow } from './deliver-queue.ts';
import { messageId } from './message.ts';
import type { IntakeParts } from './parts.ts';
import { matchingConnectors } from './store/connector-store.ts';
import { insertItem, itemsOfFax } from './store/item-store.ts';
import { putRecipients } from './store/recipient-store.ts';
import type { ConnectorRow, ItemRow } from './types.ts';

const Addresses = z.array(z.string());

/** Returns the recipients of a connector. */
export const recipientsOfConnector = ({ recipients }: Pick<ConnectorRow, 'recipients'>): string[] =>
  Addresses.parse(JSON.parse(recipients));

/**
 * Queues every filed document for each matching connector, in the transaction that files it. Documents received by
 * another system are queued only when a setting allows it: importing an archive would otherwise mail all of it. A fax from
 * a blocked sender is queued when a person takes it out of Junk.
 */
export function itemsPerDocument(parts: IntakeParts): FiledHandler {
  const send = async (tx: WriteTx, fax: FiledFax) => {
    if (fax.backend === IMPORT_BACKEND && !parts.settings.sendsImported()) return;
    for (const connector of await matchingConnectors(tx, fax.toNumber))
      await createItem(parts, tx, fax, connector);
  };
  return {
    async onFiled(tx, fax) {
      if (!fax.isJunk && !fax.isOfTestKey) await send(tx, fax);
    },
    // A connector that has an e-mail of the fax sends no second one.
    async onReturned(tx, { fax, isDocumentKept }) {
      if (isDocumentKept) await send(tx, fax);
    },
    // An e-mail that waited for the original leaves now.
    async onDecoded(tx, { id }) {
      for (const item of await itemsOfFax(tx, id))
        if (item.state === 'received' && item.retry_at === null) await sendNow(parts, tx, item.id);
    },
    async onMoved(tx, { id, mailboxId }) {
      for (const item of await itemsOfFax(tx, id)) await change(parts, tx, item, { mailbox_id: mailboxId });
    },
  };
}

async function createItem(
  parts: IntakeParts,
  tx: WriteTx,
  fax: FiledFax,
  connector: ConnectorRow,
): Promise<void> {
  const row: ItemRow = {
    id: newId(),
    fax_id: fax.id,
    connector_id: connector.id,
    connector_name: connector.name,
    state: 'received',
    version: 1,
    problem: null,
    failures: 0,
    retry_at: null,
    message_id: messageIdOf(fax.id, connector),
    mailbox_id: fax.mailboxId,
    from_number: fax.fromNumber,
    to_number: fax.toNumber,
    pages: fax.document.pages,
    is_test: fax.isTest ? 1 : 0,
    filed_at: fax.filedAt,
    recorded_at: fax.filedAt,
    updated_at: fax.filedAt,
  };
  if (!(await insertItem(tx, row))) return;
  const waiting = { state: 'waiting', sentence: null, at: null } as const;
  await putRecipients(
    tx,
    row.id,
    recipientsOfConnector(connector).map((address) => ({ address, ...waiting })),
  );
  await sendNow(parts, tx, row.id);
  const { id, version } = row;
  parts.db.onCommit(tx, () => parts.events.publish('intake.changed', { id, version }));
}

/** Returns the Message-ID, the same on every attempt, so that a mail system can detect a repetition. */
function messageIdOf(faxId: string, { id, from_address }: ConnectorRow): string {
  return messageId(`fax.${faxId}.${id}`, from_address);
}
