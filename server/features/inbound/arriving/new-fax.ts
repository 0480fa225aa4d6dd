import type { WriteTx } from '../../../db/database.ts';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import { type FaxAbout, NO_ABOUT } from '../../../platform/fax-about.ts';
import { newId } from '../../../platform/ids.ts';
import { mailboxFor } from '../../access/service.ts';
import type { InboundParts } from '../parts.ts';
import { faxSearchText } from '../search-text.ts';
import { isBlocked } from '../store/blocked-store.ts';
import type { CheckedReport, FaxRow } from '../types.ts';
import { sealSource } from './document-source.ts';
import { endsEarly } from './missing-pages.ts';
import { type SourceNames, sourceWords } from './source-name.ts';

/** Builds the row of a fax that a source reported, and whose document is still to be had. */
export async function reportedRow(
  parts: SourceNames & Pick<InboundParts, 'clock' | 'seal'>,
  tx: WriteTx,
  reported: CheckedReport,
): Promise<FaxRow> {
  const { report, account } = reported;
  const id = newId();
  const at = isoTime(parts.clock.now());
  const failed = report.state === 'failed' && !reported.hasDocument;
  const numbers = {
    from_number: report.from,
    to_number: report.to,
    provider_fax_id: report.providerId,
  };
  return {
    id,
    backend: account.backend,
    provider_account: account.accountId,
    source_system: null,
    ...numbers,
    search_text: faxSearchText({ ...numbers, ...NO_ABOUT }),
    status: failed ? 'failed' : 'waiting',
    version: 1,
    to_inferred: reported.toInferred ? 1 : 0,
    mailbox_id: await mailboxFor(tx, report.to),
    reported_pages: report.pages,
    pages: null,
    size_bytes: null,
    sha256: null,
    media_type: null,
    document: null,
    is_test: report.isTest ? 1 : 0,
    recovered: reported.recovered ? 1 : 0,
    conflicts: 0,
    incomplete: endsEarly(reported) ? 1 : 0,
    received_at: at,
    updated_at: at,
    source_received_at: report.completedAt,
    source_complete: report.state === 'complete' ? 1 : 0,
    retry_at: failed ? null : at,
    failures: 0,
    problem: failed ? failedAt(sourceWords(parts, account).The) : null,
    captured: reported.source === null ? null : sealSource(parts.seal, id, reported.source),
    turns: null,
    ...NO_ABOUT,
    junk: (await isBlocked(tx, report.from)) ? 1 : 0,
    test: 0,
  };
}

const failedAt = (source: string) => `${source} reports that it could not receive this fax completely.`;

/** Fields that differ between faxes that come with their document. */
type FaxWithDocument = Pick<
  FaxRow,
  'id' | 'backend' | 'provider_account' | 'provider_fax_id' | 'from_number' | 'to_number' | 'mailbox_id'
> &
  Partial<Pick<FaxRow, 'source_system' | 'reported_pages' | 'source_received_at' | 'is_test' | 'test'>> &
  Partial<FaxAbout>;

/** Builds the row of a fax that comes with its document, which the same transaction files. */
export function rowWithDocument(clock: Clock, fax: FaxWithDocument): FaxRow {
  const at = isoTime(clock.now());
  return {
    source_system: null,
    reported_pages: null,
    source_received_at: null,
    is_test: 0,
    test: 0,
    ...NO_ABOUT,
    ...fax,
    search_text: faxSearchText({ ...NO_ABOUT, ...fax }),
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
    turns: null,
    // Decided when the document is filed.
    junk: 0,
  };
}
