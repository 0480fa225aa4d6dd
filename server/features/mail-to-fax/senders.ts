import type { z } from 'zod';
import type { MailSender } from '../../../shared/api/mail-to-fax.ts';
import type { AuditOperation } from '../../../shared/audit-operations.ts';
import { hasEffectOn, INSTALLATION } from '../../../shared/permissions.ts';
import type { ReadDb, WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import {
  actorOf,
  assertMayGrant,
  BOOTSTRAP_ID,
  type Caller,
  enabledMailbox,
  type Grants,
  mailboxLabels,
  mailboxResource,
  principalNames,
} from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { noSuchMailbox, noSuchPerson, noSuchSender, senderRefused, sendsMore } from './errors.ts';
import type { MailToFaxParts } from './parts.ts';
import { deleteSender, findSender, insertSender, listSenders } from './store/sender-store.ts';
import type { SenderRow } from './types.ts';

export type SenderAnswer = z.infer<typeof MailSender>;

/** Sender to add, and the principal it sends for; the mailbox by id or label. */
export interface SenderInput {
  readonly address: string;
  readonly principal_id: string;
  readonly mailbox?: string | null | undefined;
}

export async function readSenders({ db }: Pick<MailToFaxParts, 'db'>): Promise<SenderAnswer[]> {
  return present(db.read, await listSenders(db.read));
}

const MAY_NOT_SEND =
  'That person or integration cannot send faxes. Give them the permission first, then add the address.';
const NOT_FOR_MAILBOX =
  'That person or integration cannot send faxes for this mailbox. Give them the permission first, then add the address.';

const covers = (resource: string, mailboxId: string) =>
  resource === INSTALLATION || resource === mailboxResource(mailboxId);

const sendingResources = (grants: Grants) =>
  [...grants.keys()].filter(
    (resource) => grants.get(resource)?.has('fax:send') && hasEffectOn('fax:send', resource),
  );

/**
 * Lets an address send faxes for a person or an integration. This passes on their permission to send, so the caller
 * must hold it too, also where they may send once everything is enabled. The permission is checked again for each
 * message: without it, nothing is sent until it is given again. Throws 403, 404 and 409 refusals.
 */
export async function addSender(
  parts: MailToFaxParts,
  caller: Caller,
  { address, principal_id, mailbox: named = null }: SenderInput,
): Promise<SenderAnswer> {
  const { db, access, clock } = parts;
  const { answer } = await db.transaction(async (tx) => {
    const principal = await access.findPrincipal(tx, principal_id);
    if (!principal || principal.id === BOOTSTRAP_ID) throw noSuchPerson();
    const sendsAt = sendingResources(await access.effectiveGrants(tx, principal.id));
    if (sendsAt.length === 0) throw senderRefused(MAY_NOT_SEND);
    for (const resource of sendingResources(await access.possibleGrants(tx, principal.id)))
      assertMayGrant(actorOf(caller), ['fax:send'], resource);
    const mailbox = named === null ? null : await enabledMailbox(tx, named);
    if (named !== null && mailbox === null) throw noSuchMailbox();
    if (mailbox !== null && !sendsAt.some((resource) => covers(resource, mailbox.id)))
      throw senderRefused(NOT_FOR_MAILBOX);
    const row: SenderRow = {
      id: newId(),
      address,
      principal_id,
      mailbox_id: mailbox?.id ?? null,
      created_by_name: caller.principal.displayName,
      created_at: isoTime(clock.now()),
    };
    if (!(await insertSender(tx, row)))
      throw senderRefused(
        'This address already sends faxes. Remove it first to let it send for someone else.',
      );
    await record(parts, tx, caller, { operation: 'mail_sender.add', row, person: principal.displayName });
    const [answer] = await present(tx, [row]);
    return { answer };
  });
  return answer as SenderAnswer;
}

/**
 * Removes a sender and returns it as it was. Removing needs the permission to send as well, as adding does, unless its
 * principal may no longer send anyway. Throws 403 and 404 refusals.
 */
export async function removeSender(parts: MailToFaxParts, caller: Caller, id: string): Promise<SenderAnswer> {
  const { answer } = await parts.db.transaction(async (tx) => {
    const row = await findSender(tx, id);
    if (!row) throw noSuchSender();
    const sendsAt = sendingResources(await parts.access.possibleGrants(tx, row.principal_id));
    if (!sendsAt.every((resource) => caller.holds('fax:send', resource))) throw sendsMore();
    const [answer] = await present(tx, [row]);
    await deleteSender(tx, id);
    const person = answer?.principal.name ?? '';
    await record(parts, tx, caller, { operation: 'mail_sender.remove', row, person });
    return { answer };
  });
  return answer as SenderAnswer;
}

async function record(
  { audit }: MailToFaxParts,
  tx: WriteTx,
  caller: Caller,
  { operation, row, person }: { operation: AuditOperation; row: SenderRow; person: string },
): Promise<void> {
  await audit.record(tx, {
    ...recordedActor(actorOf(caller)),
    operation,
    target: { kind: 'mail_sender', id: row.id },
    outcome: 'done',
    details: { address: row.address, principal: row.principal_id, person },
  });
}

async function present(db: ReadDb, rows: readonly SenderRow[]): Promise<SenderAnswer[]> {
  const names = await principalNames(
    db,
    rows.map(({ principal_id }) => principal_id),
  );
  const labels = await mailboxLabels(
    db,
    rows.flatMap(({ mailbox_id }) => mailbox_id ?? []),
  );
  return rows.map(({ id, address, principal_id, mailbox_id, created_by_name, created_at }) => ({
    id,
    address,
    principal: { id: principal_id, name: names.get(principal_id) ?? '' },
    mailbox: mailbox_id === null ? null : { id: mailbox_id, label: labels.get(mailbox_id) ?? '' },
    created_by_name,
    created_at,
  }));
}
