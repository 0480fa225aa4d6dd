import type { WorkItemTable } from '../../server/db/schema/work.ts';
import { NEW_ITEM } from '../../server/features/work/create-item.ts';
import { listKey } from '../../server/features/work/store/list-key.ts';
import { newId } from '../../server/platform/ids.ts';

/** A work item as its table holds it, without a history; what a test does not care about is filled in. */
export function workRow(given: Partial<WorkItemTable> & { inbound_fax_id: string }): WorkItemTable {
  const at = '2026-11-21T09:00:00.000Z';
  const row = {
    id: newId(),
    ...NEW_ITEM,
    mailbox_id: null,
    from_number: '+12025550199',
    to_number: '+12025550100',
    pages: 1,
    sha256: '0'.repeat(64),
    is_test: 0,
    available_at: at,
    updated_at: at,
    duplicate_of: null,
    due_at: null,
    due_hours: null,
    due_source: null,
    awaited_until: null,
    ...given,
  } as const;
  return { ...row, list_key: listKey(row) };
}
