import type { InboundFaxTable } from '../../server/db/schema/inbound.ts';
import { newId } from '../../server/platform/ids.ts';

/** A received fax as its table holds it; what a test does not care about is filled in. */
export function inboundRow(given: Partial<InboundFaxTable> = {}): InboundFaxTable {
  const id = given.id ?? newId();
  const at = given.received_at ?? '2026-11-21T09:00:00.000Z';
  return {
    id,
    backend: 'cloudone',
    provider_account: 'cloudone:0123456789ab',
    provider_fax_id: id,
    source_system: null,
    status: 'received',
    version: 2,
    from_number: '+12025550199',
    to_number: '+12025550100',
    to_inferred: 0,
    mailbox_id: null,
    reported_pages: 1,
    pages: 1,
    size_bytes: 1000,
    sha256: '0'.repeat(64),
    media_type: 'application/pdf',
    document: `inbound/${id}-000000000000.pdf`,
    is_test: 0,
    recovered: 0,
    conflicts: 0,
    incomplete: 0,
    received_at: at,
    updated_at: at,
    source_received_at: at,
    source_complete: 1,
    retry_at: null,
    failures: 0,
    problem: null,
    captured: null,
    turns: null,
    subject: null,
    reference: null,
    document_type: null,
    junk: 0,
    test: 0,
    search_text: `+12025550199 +12025550100 ${id}`,
    ...given,
  };
}
