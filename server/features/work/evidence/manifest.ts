import { z } from 'zod';
import { INBOUND_CHECKS } from '../../../../shared/api/inbound-shapes.ts';
import { Id, OptionalTime, Time, Version } from '../../../../shared/api/values.ts';
import { DOCUMENT_TYPE_TABLE } from '../../../../shared/document-type-table.ts';
import { INBOUND_EVIDENCE_KINDS, WORK_HISTORY_KINDS } from '../../../../shared/history-kinds.ts';
import { MAIL_RECIPIENT_STATES, MAIL_STATES } from '../../../../shared/states/intake.ts';
import { PRINT_STATES } from '../../../../shared/states/print-rules.ts';
import { WORK_DUE_SOURCES, WORK_STATE_KEYS, WORK_STATES } from '../../../../shared/states/work.ts';

/** First version of the format: the content of the archive, and how its bytes follow from that. */
export const EVIDENCE_FORMAT = 'faxdesk-evidence/1';

export const EVIDENCE_FILES = {
  manifest: 'manifest.json',
  history: 'history.txt',
  original: 'original.pdf',
  publicKey: 'signing-key.pem',
  sums: 'SHA256SUMS',
  signature: 'SHA256SUMS.sig',
} as const;

/** Name of the original that was recovered from the pages; it ends as files of its type do. */
const RECOVERED = /^recovered-original\.[a-z]{3,4}$/u;

export const isRecoveredName = (name: string): boolean => RECOVERED.test(name);

export function recoveredName(mediaType: string): string {
  const row = Object.entries(DOCUMENT_TYPE_TABLE).find(([type]) => type === mediaType);
  return `recovered-original${row?.[1].extensions[0] ?? '.bin'}`;
}

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/u);
const Count = z.number().int().min(0);
const OptionalText = z.string().nullable();
const Person = z.strictObject({ id: Id, name: z.string() });
const OptionalPerson = Person.nullable();

/** Reasons why a part is not in the archive. */
const MISSING_REASONS = [
  /** Whoever made the archive may not open the document; only under `export`. */
  'not_allowed',
  /** Deleted under the retention setting. */
  'expired',
  /** The stored file is gone. */
  'gone',
  /** The stored file differs from the record. */
  'altered',
] as const;

const MissingPart = z.strictObject({
  part: z.string(),
  reason: z.enum(MISSING_REASONS),
  /** One sentence. */
  text: z.string(),
});

const ItemPart = z.strictObject({
  id: Id,
  inbound_fax_id: Id,
  version: Version,
  state: z.enum(WORK_STATES),
  state_key: z.enum(WORK_STATE_KEYS),
  state_text: z.string(),
  mailbox: z.strictObject({ id: Id, label: OptionalText }).nullable(),
  from_number: OptionalText,
  to_number: OptionalText,
  pages: Count,
  is_test: z.boolean(),
  available_at: Time,
  updated_at: Time,
  duplicate_of: Id.nullable(),
  due_at: OptionalTime,
  due_hours: Count.nullable(),
  due_source: z.enum(WORK_DUE_SOURCES).nullable(),
  awaited_until: OptionalTime,
  missed_at: OptionalTime,
  owner: OptionalPerson,
  assigned_at: OptionalTime,
  acknowledged_by: OptionalPerson,
  acknowledged_at: OptionalTime,
  escalated_to: OptionalPerson,
  escalated_at: OptionalTime,
  done_by: OptionalPerson,
  done_at: OptionalTime,
  done_note: OptionalText,
});

const DocumentPart = z.strictObject({
  /** `original.pdf`; null when nobody can have it any more. */
  file: z.literal(EVIDENCE_FILES.original).nullable(),
  sha256: Sha256,
  size_bytes: Count.nullable(),
  pages: Count,
  media_type: OptionalText,
  /** Original that was recovered from the pages; null for ordinary pages. */
  carried_original: z
    .strictObject({
      /** Its name in the archive; null when nobody can have it any more. */
      file: z.string().regex(RECOVERED).nullable(),
      /** Its name at the sender. */
      name: z.string(),
      media_type: z.string(),
      sha256: Sha256,
      size_bytes: Count,
    })
    .nullable(),
});

const ReportPart = z.strictObject({
  kind: z.enum(INBOUND_EVIDENCE_KINDS),
  occurred_at: Time,
  checked_by: z.enum(INBOUND_CHECKS),
  actor: z.string(),
  text: z.string(),
  /** The source's own report, without secrets and contents; null where there was none. */
  report: z.unknown(),
  sha256: Sha256.nullable(),
  size_bytes: Count.nullable(),
});

const AcquisitionPart = z.strictObject({
  source: z.string(),
  account: z.string(),
  /** Name of the source system of an imported document, as it calls itself, or of the partner that delivered it directly. */
  source_system: OptionalText,
  /** Id of the document in the source system. */
  operation_id: z.string(),
  revision: OptionalText,
  from_number: OptionalText,
  to_number: OptionalText,
  to_inferred: z.boolean(),
  reported_pages: Count.nullable(),
  /** Pages may be missing. */
  incomplete: z.boolean(),
  /** Sentence with the number of pages that came, when pages may be missing; else null. */
  problem: OptionalText,
  /** Time at which the source had it complete, as the source reported it. */
  source_received_at: OptionalTime,
  /** Time at which this installation recorded the fax. */
  recorded_at: Time,
  /** Time at which this installation got the document. */
  acquired_at: Time,
  import_id: Id.nullable(),
  imported_at: OptionalTime,
  recovered: z.boolean(),
  events: z.array(ReportPart),
});

/** E-mail with the document, and its outcome for each recipient. */
const DeliveryPart = z.strictObject({
  id: Id,
  connector: z.strictObject({ id: Id, name: z.string() }),
  state: z.enum(MAIL_STATES),
  /** Reason why it is not delivered, or is uncertain. */
  problem: OptionalText,
  message_id: z.string(),
  recorded_at: Time,
  updated_at: Time,
  recipients: z.array(
    z.strictObject({
      address: z.string(),
      state: z.enum(MAIL_RECIPIENT_STATES),
      /**
       * Sentence with the reason for the refusal or the uncertainty, or with the person who confirmed that it arrived.
       */
      sentence: OptionalText,
      /** Time of that record; null while it waits. */
      at: OptionalTime,
    }),
  ),
});

/** Printing of the document by a print rule. */
const PrintoutPart = z.strictObject({
  id: Id,
  rule: z.strictObject({ id: Id, name: z.string() }),
  printer: z.string(),
  state: z.enum(PRINT_STATES),
  /** Reason why it is not printed, limit of what the printer reports, or the person who decided. */
  problem: OptionalText,
  submitted_at: OptionalTime,
  printed_at: OptionalTime,
  recorded_at: Time,
  updated_at: Time,
});

const HistoryPart = z.strictObject({
  id: Id,
  position: z.number().int().min(1),
  kind: z.enum(WORK_HISTORY_KINDS),
  occurred_at: Time,
  actor_id: Id.nullable(),
  actor: z.string(),
  text: z.string(),
  owner_id: Id.nullable(),
  owner: OptionalText,
  item_version: Version,
  item_digest: Sha256,
  previous: Sha256,
  digest: Sha256,
});

export const EvidenceManifest = z.strictObject({
  export: z.strictObject({
    id: Id,
    created_at: Time,
    format: z.literal(EVIDENCE_FORMAT),
    /** The version of the item. */
    snapshot_version: Version,
    /** Parts that the maker of this archive may not have. */
    missing: z.array(MissingPart),
  }),
  item: ItemPart,
  /** Description by people, when the archive was made; left out in archives of earlier releases. */
  about: z
    .strictObject({ subject: OptionalText, reference: OptionalText, document_type: OptionalText })
    .optional(),
  /** Names of the open legal holds that keep the document; left out in archives of earlier releases. */
  legal_holds: z.array(z.string()).optional(),
  document: DocumentPart,
  acquisition: z.array(AcquisitionPart),
  email_delivery: z.array(DeliveryPart),
  /** Left out in archives of earlier releases. */
  printouts: z.array(PrintoutPart).optional(),
  history: z.array(HistoryPart),
  missing: z.array(MissingPart),
});

export type EvidenceManifest = z.infer<typeof EvidenceManifest>;
export type ManifestItem = EvidenceManifest['item'];
export type ManifestHistory = EvidenceManifest['history'][number];
export type ManifestDelivery = EvidenceManifest['email_delivery'][number];
export type ManifestPrintout = NonNullable<EvidenceManifest['printouts']>[number];
export type Acquisition = EvidenceManifest['acquisition'][number];
export type MissingPart = EvidenceManifest['missing'][number];

/**
 * Formats the manifest for the archive: keys sorted, two spaces, one line break at the end. The same content gives the
 * same text.
 */
export function manifestText(manifest: EvidenceManifest): string {
  return `${JSON.stringify(sorted(manifest), null, 2)}\n`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]));
}
