import type { InboundEvidenceKind } from '../../../shared/history-kinds.ts';
import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import type { InboundParts } from './parts.ts';
import { addEvidence } from './store/evidence-store.ts';
import { changeFax, type FaxChanges } from './store/fax-store.ts';
import type { Check, FaxRow } from './types.ts';

/** Entry of a change in the evidence of its fax. */
export interface EvidenceEntry {
  readonly kind: InboundEvidenceKind;
  readonly checkedBy?: Check;
  readonly actor: string;
  /** One sentence for a person. */
  readonly text: string;
  readonly notification?: string | null;
  readonly sha256?: string | null;
  readonly sizeBytes?: number | null;
}

/** Actor of what the gateway does on its own. */
export const SYSTEM = 'Faxdesk';

/** Dependencies of every change of a fax. */
export type ChangeParts = Pick<InboundParts, 'db' | 'clock' | 'seal' | 'events'>;

/**
 * Thrown when another change of the fax came between reading and writing. Its code is the one for which a transaction is
 * retried.
 */
class FaxChangedError extends Error {
  override name = 'FaxChangedError';
  readonly code = '40001';
}

/**
 * Changes a fax and records the reason, in one transaction with everything else about it; notifies consoles after the
 * commit.
 */
export async function change(
  parts: ChangeParts,
  tx: WriteTx,
  row: FaxRow,
  changes: FaxChanges,
  entry: EvidenceEntry | null,
): Promise<FaxRow> {
  const changed = await changeFax(tx, row, { ...changes, updated_at: isoTime(parts.clock.now()) });
  if (!changed) throw new FaxChangedError(`the fax ${row.id} was changed meanwhile`);
  if (entry) await recordEvidence(parts, tx, row.id, entry);
  notifyOnCommit(parts, tx, changed);
  return changed;
}

export async function recordEvidence(
  parts: Pick<InboundParts, 'clock' | 'seal'>,
  tx: WriteTx,
  faxId: string,
  entry: EvidenceEntry,
): Promise<void> {
  await addEvidence(tx, parts.seal, faxId, {
    kind: entry.kind,
    occurred_at: isoTime(parts.clock.now()),
    checked_by: entry.checkedBy ?? 'none',
    actor: entry.actor,
    text: entry.text,
    notification: entry.notification ?? null,
    sha256: entry.sha256 ?? null,
    size_bytes: entry.sizeBytes ?? null,
  });
}

export function notifyOnCommit(parts: Pick<InboundParts, 'db' | 'events'>, tx: WriteTx, row: FaxRow): void {
  parts.db.onCommit(tx, () => notifyConsoles(parts, row));
}

export function notifyConsoles(parts: Pick<InboundParts, 'events'>, row: FaxRow): void {
  const { id, version, mailbox_id, test } = row;
  parts.events.publish('inbound.changed', { id, version, mailbox_id, test });
}
