import { isoTime } from '../../platform/clock.ts';
import type { InboundParts } from './parts.ts';
import { faxSearchText } from './search-text.ts';
import type { FaxRow } from './types.ts';

/** Fields that differ between faxes that come with their document. */
export type FaxWithDocument = Pick<
  FaxRow,
  'id' | 'backend' | 'provider_account' | 'provider_fax_id' | 'from_number' | 'to_number' | 'mailbox_id'
> &
  Partial<Pick<FaxRow, 'source_system' | 'reported_pages' | 'source_received_at' | 'is_test'>>;

/** The row of a fax that comes with its document, which the same transaction files. */
export function rowWithDocument({ clock }: Pick<InboundParts, 'clock'>, fax: FaxWithDocument): FaxRow {
  const at = isoTime(clock.now());
  return {
    source_system: null,
    reported_pages: null,
    source_received_at: null,
    is_test: 0,
    ...fax,
    search_text: faxSearchText(fax),
    status: 'waiting',
    version: 1,
    to_inferred: 0,
    pages: null,
    size_bytes: null,
    sha256: null,
    media_type: null,
    document: null,
    recovered: 0,
    conflicts: 0,
    incomplete: 0,
    received_at: at,
    updated_at: at,
    source_complete: 1,
    retry_at: null,
    failures: 0,
    problem: null,
    captured: null,
  };
}
