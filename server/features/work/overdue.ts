import type { WriteTx } from '../../db/database.ts';
import { type Schedule, schedule } from '../../jobs/schedule.ts';
import { isoTime } from '../../platform/clock.ts';
import { principalNames } from '../access/service.ts';
import { assignees } from './acts.ts';
import { change } from './change.ts';
import { ItemChangedError } from './create-item.ts';
import type { WorkParts } from './parts.ts';
import { findItem, listLapsed } from './store/item-store.ts';
import { findMailboxRow } from './store/mailbox-store.ts';
import type { ItemRow } from './types.ts';
import { deleteOldUndo } from './undo.ts';
import { afterMissWithBackup, type Backup, isLapsed } from './work-state.ts';

const EVERY_MS = 60_000;
const BATCH = 50;

/**
 * Records the items that were not acknowledged by their due time, and assigns each to the backup person of its mailbox:
 * once for each item, however late it runs and on how many gateways.
 */
export function defineOverdue(parts: WorkParts): Schedule {
  const { db, queue, clock } = parts;
  return schedule({
    kind: 'work.overdue',
    everyMs: () => EVERY_MS,
    run: () => handleLapsed(parts),
    db,
    queue,
    clock,
  });
}

async function handleLapsed(parts: WorkParts): Promise<void> {
  await parts.db.transaction((tx) => deleteOldUndo(parts, tx));
  for (let handled = 0; ; ) {
    const now = isoTime(parts.clock.now());
    const ids = await listLapsed(parts.db.read, { now, limit: BATCH });
    await parts.db.transaction(async (tx) => {
      for (const id of ids) await handle(parts, tx, id, now);
    });
    handled += ids.length;
    if (ids.length < BATCH) {
      if (handled > 0) parts.logger.info({ items: handled }, 'work items passed their due time');
      return;
    }
  }
}

async function handle(parts: WorkParts, tx: WriteTx, id: string, now: string): Promise<void> {
  const row = await findItem(tx, id);
  // A person or another gateway was faster.
  if (!row || !isLapsed(row, now)) return;
  const outcome = afterMissWithBackup(row, await backupOf(parts, tx, row), now);
  if (!(await change(parts, tx, row, outcome)))
    throw new ItemChangedError(`the work item ${id} was changed meanwhile`);
}

async function backupOf(parts: WorkParts, tx: WriteTx, row: ItemRow): Promise<Backup> {
  if (row.mailbox_id === null) return { kind: 'no_mailbox' };
  const id = (await findMailboxRow(tx, row.mailbox_id))?.backup_principal_id ?? null;
  if (id === null) return { kind: 'none' };
  const person = (await assignees(parts, tx, row)).find((able) => able.id === id);
  if (person) return { kind: 'person', person };
  return { kind: 'unable', name: (await principalNames(tx, [id])).get(id) ?? 'The backup person' };
}
