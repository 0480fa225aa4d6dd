import { z } from 'zod';
import { FIXED_WORDS } from '../fixed-words.ts';
import { INBOUND_EVIDENCE_KINDS } from '../history-kinds.ts';
import { INBOUND_STATUSES } from '../states/inbound.ts';
import { ContactRef } from './contacts.ts';
import { Id, InboundBackendName, OptionalTime, Time, Version } from './values.ts';

const Count = z.number().int().min(0);
const Sha256 = z.string().length(64);
/** In place of a number that nobody reported. */
export const UNKNOWN_NUMBER = FIXED_WORDS.unknownNumber;
const FaxNumber = z.string().max(40).describe('E.164, or "Unknown"');

/** Result of decoding the pages of a received fax. */
const InboundDecode = z.strictObject({
  state: z.string(),
  sentence: z.string(),
  document_name: z.string().nullable(),
  sha256: Sha256.nullable(),
});

/** Rotation of a page to the right, as it is shown. */
const PageTurn = z.strictObject({
  page: z.int().min(1).max(10_000),
  quarter_turns: z.int().min(1).max(3),
});

export const InboundFax = z
  .strictObject({
    id: Id,
    fr: FaxNumber.describe('who sent it: E.164, or "Unknown"'),
    contact: ContactRef.nullable().describe('whose the number of the sender is; needs contacts:read'),
    to: FaxNumber.describe('the number it was sent to: E.164, or "Unknown"'),
    status: z.enum(INBOUND_STATUSES),
    status_text: z.string().describe('the status as a sentence for a person'),
    backend: InboundBackendName,
    pages: Count.nullable().describe('of the document; until it is there, as the provider counts them'),
    size_bytes: Count.nullable().describe('of the document; null until it is there'),
    created_at: Time,
    received_at: Time.describe('when this service recorded the fax'),
    updated_at: Time,
    mailbox: z.string().nullable().describe('label of the mailbox; null for none'),
    source_received_at: OptionalTime.describe('when the provider had it complete; null when it did not say'),
    provider_fax_id: z.string(),
    provider_account: z.string().describe('the account it was checked against'),
    source_system: z
      .string()
      .nullable()
      .describe('the system it was imported from; null for what was received here'),
    sha256: Sha256.nullable().describe('of the document; null until it is there'),
    media_type: z.string().nullable(),
    is_test: z.boolean(),
    retry_at: OptionalTime.describe('next attempt to fetch the document'),
    problem: z.string().nullable().describe('one sentence for a person; null when all is well'),
    can_fetch_again: z.boolean(),
    recovered: z.boolean().describe('taken from an image that the telephone engine left'),
    to_inferred: z.boolean().describe('the number was not reported, but the line has only one'),
    conflicts: Count.describe(
      'how often the provider later reported something else; the first report is kept',
    ),
    incomplete: z
      .boolean()
      .describe(
        'pages may be missing: its source says that the call ended early, or counts more pages than the document has; of a received fax `problem` says how many came',
      ),
    document_kept: z.boolean().describe('false once the document has outlived its time'),
    decode: InboundDecode.nullable(),
    work_item_id: Id.nullable(),
    read_at: OptionalTime.describe('first read by the caller, or by anybody where reading is shared'),
    turned_pages: z
      .array(PageTurn)
      .describe(
        'pages that people turned, for everybody who reads them; the document itself stays as it came',
      ),
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
              'how the report was checked: signature, credentials, asking the provider, the secret of the telephone engine, an image in its folder, the sign-in or key of who imported it, a file in the import folder, or a fax that this installation sent to its own number',
            ),
          actor: z.string(),
          text: z.string().describe('one sentence for a person'),
          notification: z
            .unknown()
            .describe('copy of what was sent, at most 8 KB, without secrets and contents; or null'),
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
      'documents the caller has not read, or nobody where reading is shared; not counted past 1,000',
    ),
    waiting: Count.describe('not counted past 1,000'),
    failed: Count.describe('not counted past 1,000'),
  })
  .meta({ id: 'InboundCounts' });

export const InboundAcknowledgement = z.strictObject({ status: z.literal('ok') });
