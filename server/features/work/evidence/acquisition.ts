import type { RecordedFax } from '../../inbound/types.ts';
import type { ImportRecord } from '../port.ts';
import type { ItemRow } from '../types.ts';
import type { Acquisition, MissingPart } from './manifest.ts';

/** Returns the recorded acquisition of the document, and the parts of it that are missing or were altered. */
export function acquisitionOf(
  { fax, evidence }: RecordedFax,
  imported: ImportRecord | null,
  item: Pick<ItemRow, 'available_at' | 'sha256'>,
): { acquisition: Acquisition; missing: MissingPart[] } {
  const acquisition: Acquisition = {
    source: fax.backend,
    account: fax.provider_account,
    source_system: imported?.sourceSystem ?? fax.source_system,
    operation_id: imported?.operationId ?? fax.provider_fax_id,
    revision: imported?.revision ?? null,
    from_number: fax.from_number,
    to_number: fax.to_number,
    to_inferred: fax.to_inferred === 1,
    reported_pages: fax.reported_pages,
    incomplete: fax.incomplete === 1,
    problem: fax.problem,
    source_received_at: fax.source_received_at,
    recorded_at: fax.received_at,
    acquired_at: item.available_at,
    import_id: imported?.id ?? null,
    imported_at: imported?.importedAt ?? null,
    recovered: fax.recovered === 1,
    events: (evidence ?? []).map((row) => ({
      kind: row.kind,
      occurred_at: row.occurred_at,
      checked_by: row.checked_by,
      actor: row.actor,
      text: row.text,
      report: row.notification === null ? null : (JSON.parse(row.notification) as unknown),
      sha256: row.sha256,
      size_bytes: row.size_bytes,
    })),
  };
  const missing: MissingPart[] = [];
  if (evidence === null) missing.push(altered('The report from the source was altered in the database.'));
  if (fax.sha256 !== item.sha256)
    missing.push(altered('The received fax refers to a different document than its work item.'));
  if (imported && imported.sha256 !== item.sha256)
    missing.push(altered('The import refers to a different document than the work item.'));
  return { acquisition, missing };
}

const altered = (text: string): MissingPart => ({ part: 'acquisition', reason: 'altered', text });
