import type { InboundEvidenceKind } from '../../../shared/history-kinds.ts';
import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import type { InboundEvents, InboundParts } from './parts.ts';
import { addEvidence } from './store/evidence-store.ts';
import { changeFax, type FaxChanges } from './store/fax-store.ts';
import type { Check, FaxRow } from './types.ts';
import type { ReceivedFaxAccess } from './visibility.ts';

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

export const SYSTEM = 'Faxdesk';

type Sources = Pick<InboundParts, 'sources' | 'receivers'>;

type FromSource = Pick<FaxRow, 'backend'> & Partial<Pick<FaxRow, 'source_system'>>;

/**
 * Returns the name of the source of a fax: the vendor of a provider, the system of an import, or the name of another
 * source.
 */
export function sourceNameOf(
  { sources, receivers }: Sources,
  { backend, source_system }: FromSource,
): string {
  if (source_system) return source_system;
  return receivers[backend]?.name ?? sources.get(backend)?.name ?? 'Provider';
}

/** The same within a sentence, of which it may be the beginning: `Phaxio`, `the telephone engine`. */
export function sourceWords(parts: Sources, row: FromSource): { the: string; The: string } {
  const name = sourceNameOf(parts, row);
  if (row.source_system || row.backend in parts.receivers) return { the: name, The: name };
  return { the: `the ${name.toLowerCase()}`, The: `The ${name.toLowerCase()}` };
}

/**
 * Thrown when another change of the fax came between reading and writing. Its code is the one at which a transaction is
 * repeated.
 */
export class FaxChangedError extends Error {
  override name = 'FaxChangedError';
  readonly code = '40001';
}

/**
 * Changes a fax and records the reason, in one transaction with everything else about it; notifies consoles after the
 * commit.
 */
export async function change(
  parts: InboundParts,
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
  parts: InboundParts,
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

export function notifyOnCommit(parts: InboundParts, tx: WriteTx, row: FaxRow): void {
  parts.db.onCommit(tx, () => notifyConsoles(parts, row));
}

export function notifyConsoles(parts: InboundParts, row: FaxRow): void {
  parts.announcer.publish('inbound.changed', inboundEvent(row));
}

/** Returns the event about a fax for consoles. */
export function inboundEvent(
  fax: ReceivedFaxAccess & { readonly version: number },
): InboundEvents['inbound.changed'] {
  const { id, version, mailbox_id } = fax;
  return { id, version, mailbox_id };
}
