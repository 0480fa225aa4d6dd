import type { Database, ReadDb, WriteTx } from '../../../db/database.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { assertMayFile } from '../authority/may-change.ts';
import { changedFields, type Patch, patched } from '../changed-fields.ts';
import { AccessConflictError, MissingError } from '../errors.ts';
import { assertNameFree } from '../names.ts';
import type { ChangePolicy } from '../policy-change.ts';
import { findMailbox, listMailboxes, type StoredMailbox, updateMailbox } from '../store/mailbox-pages.ts';
import { insertMailbox, mailboxLabels } from '../store/mailboxes.ts';
import { readPolicy } from '../store/policy.ts';
import type { ActorWithGrants, ChangeResult, ItemVersion, PageRequest } from '../types.ts';

interface MailboxFields {
  readonly label: string;
  readonly enabled: boolean;
  /** ID of the cover page of faxes sent for it; null for none. */
  readonly cover_id: string | null;
}

/**
 * Mailboxes that received faxes are filed in. Refusals: 403 a mailbox whose faxes the actor does not see, 404, 409
 * stale or taken.
 */
export interface Mailboxes {
  list(
    page: PageRequest,
  ): Promise<{ items: StoredMailbox[]; next_cursor: string | null; policyVersion: number }>;
  create(
    actor: ActorWithGrants,
    mailbox: MailboxFields & { expectedVersion: number },
  ): Promise<ChangeResult<StoredMailbox>>;
  change(
    actor: ActorWithGrants,
    item: ItemVersion,
    patch: Patch<MailboxFields>,
  ): Promise<ChangeResult<StoredMailbox>>;
}

export function createMailboxes(parts: {
  db: Database;
  clock: Clock;
  changePolicy: ChangePolicy;
}): Mailboxes {
  const { db, changePolicy } = parts;
  const now = () => isoTime(parts.clock.now());
  return {
    async list(page) {
      const { version: policyVersion } = await readPolicy(db.read);
      return { ...(await listMailboxes(db.read, page)), policyVersion };
    },

    create: (actor, { expectedVersion, ...fields }) =>
      changePolicy({
        actor,
        operation: 'mailbox.create',
        expectedVersion,
        work: (tx) => create(tx, fields, now()),
        describe: ({ id }) => ({ target: { kind: 'mailbox', id }, details: fields }),
      }),

    async change(actor, item, patch) {
      const changed = await changePolicy({
        actor,
        operation: 'mailbox.change',
        expectedVersion: item.expectedVersion,
        work: async (tx) => {
          await mailboxOf(tx, item.id);
          assertMayFile(actor, item.id);
          return change(tx, item, patch, now());
        },
        describe: ({ before, after }) => ({
          target: { kind: 'mailbox', id: item.id },
          details: { mailbox: after.label, ...changedFields(fieldsOf(before), fieldsOf(after)) },
        }),
      });
      return { ...changed, result: changed.result.after };
    },
  };
}

/** Throws a 404 refusal. */
export async function mailboxOf(db: ReadDb, id: string): Promise<StoredMailbox> {
  const mailbox = await findMailbox(db, id);
  if (!mailbox) throw new MissingError('no_such_mailbox');
  return mailbox;
}

const fieldsOf = ({ label, enabled, cover_id }: StoredMailbox): MailboxFields => ({
  label,
  enabled: enabled === 1,
  cover_id,
});
const rowOf = ({ label, enabled, cover_id }: MailboxFields) =>
  ({ label, enabled: enabled ? 1 : 0, cover_id }) as const;

async function labels(db: ReadDb): Promise<{ id: string; name: string }[]> {
  return [...(await mailboxLabels(db))].map(([id, name]) => ({ id, name }));
}

async function create(tx: WriteTx, fields: MailboxFields, now: string): Promise<StoredMailbox> {
  assertNameFree(await labels(tx), fields.label);
  const row = { id: newId(), ...rowOf(fields), version: 1, created_at: now, updated_at: now };
  await insertMailbox(tx, row);
  return { ...row, numbers: [] };
}

async function change(
  tx: WriteTx,
  { id, version }: ItemVersion,
  patch: Patch<MailboxFields>,
  now: string,
): Promise<{ before: StoredMailbox; after: StoredMailbox }> {
  const before = await mailboxOf(tx, id);
  const next = patched(fieldsOf(before), patch);
  if (next.label !== before.label) assertNameFree(await labels(tx), next.label, id);
  if (!(await updateMailbox(tx, { id, version, now }, rowOf(next)))) throw new AccessConflictError();
  return { before, after: await mailboxOf(tx, id) };
}
