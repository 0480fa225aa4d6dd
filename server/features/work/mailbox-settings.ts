import type { z } from 'zod';
import type { WorkSettingsAnswer, WorkSettingsChange } from '../../../shared/api/work-settings.ts';
import type { ReadDb, WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import {
  actorOf,
  type Caller,
  enabledMailboxes,
  mailboxLabels,
  mailboxResource,
  principalNames,
} from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { OWNER_PERMISSIONS } from './acts.ts';
import { assigneeRefused, itemChanged, noSuchMailbox } from './errors.ts';
import type { WorkParts } from './parts.ts';
import { findMailboxRow, mailboxRows, putMailboxRow } from './store/mailbox-store.ts';
import type { MailboxRow, Person } from './types.ts';

type Answer = z.infer<typeof WorkSettingsAnswer>;
type Change = z.infer<typeof WorkSettingsChange>['mailboxes'][number];

/** Settings of a mailbox before any change. */
const UNCHANGED = { acknowledge_hours: null, backup_principal_id: null, version: 1 } as const;

/** The targets and backup people of all mailboxes, by label. */
export async function readSettings(parts: WorkParts): Promise<Answer> {
  const { read } = parts.db;
  const labels = await mailboxLabels(read);
  const ids = [...labels.keys()];
  const enabled = new Set((await enabledMailboxes(read, ids, ids.length)).map(({ id }) => id));
  const rows = await mailboxRows(read);
  const backups = [...rows.values()].flatMap(({ backup_principal_id }) => backup_principal_id ?? []);
  const names = await principalNames(read, backups);
  const mailboxes: Answer['mailboxes'] = [];
  for (const [mailbox_id, label] of labels) {
    const { acknowledge_hours, backup_principal_id: id, version } = rows.get(mailbox_id) ?? UNCHANGED;
    mailboxes.push({
      mailbox_id,
      label,
      enabled: enabled.has(mailbox_id),
      acknowledge_hours,
      backup: id === null ? null : { id, name: names.get(id) ?? 'A former person' },
      version,
      people: await peopleOf(parts, read, mailbox_id),
    });
  }
  return { acknowledge_hours: parts.settings.acknowledgeHours(), mailboxes };
}

/** All or nothing. Throws 404 for an unknown mailbox, 400 for a person who cannot own its items, 409 for a stale version. */
export async function changeSettings(
  parts: WorkParts,
  caller: Caller,
  changes: readonly Change[],
): Promise<Answer> {
  await parts.db.transaction(async (tx) => {
    const labels = await mailboxLabels(
      tx,
      changes.map(({ mailbox_id }) => mailbox_id),
    );
    for (const change of changes) {
      const label = labels.get(change.mailbox_id);
      if (label === undefined) throw noSuchMailbox();
      await changeOne(parts, tx, caller, { ...change, label });
    }
  });
  return readSettings(parts);
}

async function changeOne(
  parts: WorkParts,
  tx: WriteTx,
  caller: Caller,
  { label, ...wanted }: Change & { label: string },
): Promise<void> {
  const before = (await findMailboxRow(tx, wanted.mailbox_id)) ?? UNCHANGED;
  if (before.version !== wanted.version) throw itemChanged();
  const backup = await backupOf(parts, tx, wanted, before);
  const updated_at = isoTime(parts.clock.now());
  if (!(await putMailboxRow(tx, { ...wanted, version: wanted.version + 1, updated_at }))) throw itemChanged();
  await parts.audit.record(tx, {
    ...recordedActor(actorOf(caller)),
    operation: 'work_settings.change',
    target: { kind: 'mailbox', id: wanted.mailbox_id },
    outcome: 'done',
    details: {
      mailbox: label,
      acknowledge_hours: { from: before.acknowledge_hours, to: wanted.acknowledge_hours },
      backup: { from: backup.before, to: backup.after },
    },
  });
}

/** Returns the names of the backup person before and after; a new one must be able to own the items of the mailbox. */
async function backupOf(
  parts: WorkParts,
  tx: WriteTx,
  { mailbox_id, backup_principal_id: id }: Change,
  before: Pick<MailboxRow, 'backup_principal_id'>,
): Promise<{ before: string | null; after: string | null }> {
  const names = await principalNames(tx, [id ?? '', before.backup_principal_id ?? '']);
  const nameOf = (one: string | null) => (one === null ? null : (names.get(one) ?? null));
  const isNew = id !== null && id !== before.backup_principal_id;
  if (isNew && !(await peopleOf(parts, tx, mailbox_id)).some((person) => person.id === id))
    throw assigneeRefused(nameOf(id));
  return { before: nameOf(before.backup_principal_id), after: nameOf(id) };
}

async function peopleOf(parts: WorkParts, db: ReadDb, mailboxId: string): Promise<Person[]> {
  const people = await parts.access.holders(db, OWNER_PERMISSIONS, [mailboxResource(mailboxId)]);
  return people.map(({ id, displayName }) => ({ id, name: displayName }));
}
