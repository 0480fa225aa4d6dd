import { z } from 'zod';
import { FIXED_WORDS } from '../fixed-words.ts';
import { INBOUND_EVIDENCE_KINDS } from '../history-kinds.ts';
import { DECODE_STATES, INBOUND_STATUSES } from '../states/inbound.ts';
import { DELIVERY_STATES } from '../states/outbound.ts';
import { ContactRef } from './contacts-fields.ts';
import { LegalHoldName } from './holds.ts';
import { aboutFields } from './outbound-about-shapes.ts';
import { Id, InboundBackendName, OptionalTime, Time, Version } from './values.ts';

const Count = z.number().int().min(0);
const Sha256 = z.string().length(64);
/** In place of a number that nobody reported. */
export const UNKNOWN_NUMBER = FIXED_WORDS.unknownNumber;
const FaxNumber = z.string().max(40).describe('E.164, or "Unknown"');

/** Result of decoding the pages of a received fax. */
const InboundDecode = z.strictObject({
  state: z.enum(DECODE_STATES),
  sentence: z.string(),
  document_name: z.string().nullable(),
  sha256: Sha256.nullable(),
  size_bytes: Count.nullable().describe('size of the original; null while it is not recovered'),
  document_kept: z.boolean().describe('true while the original can be opened'),
});

/** Rotation of a page to the right, as it is shown. */
const PageTurn = z.strictObject({
  page: z.int().min(1).max(10_000),
  quarter_turns: z.int().min(1).max(3),
});

/** Sent fax that answers a received one. */
const FaxAnswer = z
  .strictObject({
    fax_id: Id,
    to: z.string().describe('E.164'),
    delivery_state: z.enum(DELIVERY_STATES).describe('only `success` means delivered'),
    created_at: Time,
    by: z.string().describe('name of the person or integration that sent it'),
  })
  .meta({ id: 'FaxAnswer' });

export const InboundFax = z
  .strictObject({
    id: Id,
    fr: FaxNumber.describe('number of the sender: E.164, or "Unknown"'),
    contact: ContactRef.nullable().describe('contact with the sender’s number; requires contacts:read'),
    to: FaxNumber.describe('number it was sent to: E.164, or "Unknown"'),
    status: z.enum(INBOUND_STATUSES),
    status_text: z.string().describe('status as text for people'),
    backend: InboundBackendName,
    pages: Count.nullable().describe('pages of the document; until it arrives, the count from the provider'),
    size_bytes: Count.nullable().describe('null until the document arrives'),
    created_at: Time,
    received_at: Time.describe('time when this service recorded the fax'),
    updated_at: Time,
    mailbox: z.string().nullable().describe('label of the mailbox; null for none'),
    source_received_at: OptionalTime.describe(
      'time when the provider reported the fax complete; null if not reported',
    ),
    provider_fax_id: z.string(),
    provider_account: z.string().describe('account it was checked against'),
    source_system: z
      .string()
      .nullable()
      .describe(
        'system it was imported from, or the partner that delivered it directly; null if it was received here',
      ),
    sha256: Sha256.nullable().describe('null until the document arrives'),
    media_type: z.string().nullable(),
    is_test: z
      .boolean()
      .describe('true for every test fax, also one that people made or a provider sent to try receiving'),
    retry_at: OptionalTime.describe('time of the next attempt to fetch the document'),
    problem: z.string().nullable().describe('sentence for people; null if there is no problem'),
    can_fetch_again: z.boolean(),
    recovered: z.boolean().describe('true if it was recovered from an image that the telephone engine left'),
    to_inferred: z.boolean().describe('true if the number was not reported but the line has only one'),
    conflicts: Count.describe(
      'number of later reports from the provider that differ; the first report is kept',
    ),
    incomplete: z
      .boolean()
      .describe(
        'true if pages may be missing: the source reports that the call ended early, or more pages than arrived; `problem` of a received fax has the number that arrived',
      ),
    may_open: z.boolean().describe('true if the caller may open the document (`inbound:document`)'),
    document_kept: z.boolean().describe('false once the document was deleted under the retention setting'),
    decode: InboundDecode.nullable().describe(
      'result for pages that carry a document; null for ordinary pages, and until the pages were looked at',
    ),
    ...aboutFields,
    answered_by: z
      .array(FaxAnswer)
      .describe('sent faxes that answer it, newest first: the newest 20 of those that the caller may read'),
    legal_holds: z
      .array(LegalHoldName)
      .describe('legal holds that keep it from being deleted, oldest first; empty for none'),
    work_item_id: Id.nullable(),
    read_at: OptionalTime.describe('time when the caller first read it, or anyone if reading is shared'),
    turned_pages: z
      .array(PageTurn)
      .describe('pages that people rotated, for everyone; the document itself does not change'),
    junk: z
      .boolean()
      .describe(
        'true for a fax in Junk: its sender was blocked; it has no open work item and no notice or e-mail announces it',
      ),
    test: z
      .boolean()
      .describe('true for a fax that a test key asked for: it has no work item, and nobody is notified'),
    version: Version,
  })
  .meta({ id: 'InboundFax' });

export const INBOUND_CHECKS = [
  'signature',
  'basic',
  'look_up',
  'listing',
  'secret',
  'image',
  'credential',
  'folder',
  'internal',
  'direct',
  'none',
] as const;

export const InboundEvidence = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          id: Id,
          kind: z.enum(INBOUND_EVIDENCE_KINDS),
          occurred_at: Time,
          checked_by: z
            .enum(INBOUND_CHECKS)
            .describe(
              'how the report was verified: signature, credentials, a request to the provider, the secret of the telephone engine, an image in its folder, the sign-in or key of the import, a file in the import folder, a fax that this installation sent to its own number, or the signature of a partner that delivered it directly',
            ),
          actor: z.string(),
          text: z.string().describe('sentence for people'),
          notification: z
            .unknown()
            .describe('copy of the notification, at most 8 KB, without secrets and contents; or null'),
          sha256: Sha256.nullable(),
          size_bytes: Count.nullable(),
        }),
      )
      .describe('oldest first'),
  })
  .meta({ id: 'InboundEvidence' });

export const InboundCounts = z
  .strictObject({
    unread: Count.describe(
      'number of documents that the caller has not read, or nobody if reading is shared; counted up to 1,000',
    ),
    waiting: Count.describe('counted up to 1,000'),
    failed: Count.describe('counted up to 1,000'),
    junk: Count.describe('number of faxes in Junk, which no other count includes; counted up to 1,000'),
  })
  .meta({ id: 'InboundCounts' });

export const InboundAcknowledgement = z.strictObject({ status: z.literal('ok') });
