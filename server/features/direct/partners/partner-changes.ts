import type { AuditOperation } from '../../../../shared/audit-operations.ts';
import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { Actor } from '../../access/service.ts';
import { recordedActor } from '../../audit/service.ts';
import { noSuchPartner, stale } from '../errors.ts';
import { lockPartner, type PartnerChange, updatePartner } from '../store/partner-store.ts';
import type { PartnerRow } from '../types.ts';
import type { PartnerParts } from './parts.ts';

/** ID and version of a partner as they were read. */
export type PartnerRead = Pick<PartnerRow, 'id' | 'version'>;

/** A change of a partner, and who made it. */
interface RecordedPartnerChange {
  readonly actor: Actor;
  readonly operation: AuditOperation;
  readonly details?: Record<string, unknown>;
}

/** Actor of what a partner does by a signed statement. */
export function partnerActor({ id, organization }: PartnerRow): Actor {
  return { id, name: organization, credentialKind: 'none', policyVersion: null, requestId: null };
}

/** Finds a partner for a change. Throws 404, and 409 for one that changed since that version; null fits any. */
export async function requirePartner(
  { db }: Pick<PartnerParts, 'db'>,
  tx: WriteTx,
  { id, version }: { readonly id: string; readonly version: number | null },
): Promise<PartnerRow> {
  const row = await lockPartner(tx, db.capabilities, id);
  if (!row) throw noSuchPartner();
  if (version !== null && row.version !== version) throw stale();
  return row;
}

/**
 * Changes a partner and notifies consoles after the commit. Returns it as it is then. `recorded` is null for what the security
 * audit does not name, such as a wrong code. Throws 409.
 */
export async function changePartner(
  parts: Pick<PartnerParts, 'clock' | 'db' | 'audit' | 'events'>,
  tx: WriteTx,
  before: PartnerRow,
  change: Omit<PartnerChange, 'updated_at'>,
  recorded: RecordedPartnerChange | null,
): Promise<PartnerRow> {
  const changed = { ...change, updated_at: isoTime(parts.clock.now()) };
  if (!(await updatePartner(tx, before, changed))) throw stale();
  const row = { ...before, ...changed, version: before.version + 1 };
  await settlePartner(parts, tx, row, recorded);
  return row;
}

/** Records a change that was written, and notifies consoles after the commit. */
export async function settlePartner(
  { audit, db, events }: Pick<PartnerParts, 'db' | 'audit' | 'events'>,
  tx: WriteTx,
  { id, version, organization, fax_number }: PartnerRow,
  recorded: RecordedPartnerChange | null,
): Promise<void> {
  if (recorded !== null) {
    const { actor, operation, details = {} } = recorded;
    await audit.record(tx, {
      ...recordedActor(actor),
      operation,
      target: { kind: 'direct_partner', id },
      outcome: 'done',
      details: { organization, fax_number, ...details },
    });
  }
  db.onCommit(tx, () => events.publish('partner.changed', { id, version }));
}
