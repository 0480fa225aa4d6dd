import { generateKeyPairSync, sign } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import type { EvidenceParts } from '../../server/features/work/evidence/archive.ts';
import { evidenceArchive } from '../../server/features/work/evidence/archive.ts';
import { type EvidenceFacts, evidenceOf } from '../../server/features/work/evidence/build-manifest.ts';
import { historyText } from '../../server/features/work/evidence/history-text.ts';
import {
  EVIDENCE_FILES,
  EVIDENCE_FORMAT,
  type MissingPart,
  manifestText,
} from '../../server/features/work/evidence/manifest.ts';
import { digestOfEntry, digestOfItem } from '../../server/features/work/store/history-digest.ts';
import { listKey } from '../../server/features/work/store/list-key.ts';
import type { HistoryRow, ItemRow } from '../../server/features/work/types.ts';
import { CHAIN_BEGINNING } from '../../server/platform/chain-digest.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import { keyFingerprint } from '../../server/platform/key-fingerprint.ts';

export const ORIGINAL = Buffer.from('%PDF-1.7 the original document\n');
const AT = '2026-11-23T09:00:00.000Z';
const LATER = '2026-11-23T09:30:00.000Z';

export const ITEM: ItemRow = {
  id: 'item-1',
  inbound_fax_id: 'fax-1',
  version: 2,
  mailbox_id: 'mailbox-1',
  from_number: '+12025550123',
  to_number: '+12025550100',
  pages: 1,
  sha256: sha256Hex(ORIGINAL),
  is_test: 0,
  available_at: AT,
  updated_at: LATER,
  duplicate_of: null,
  due_at: null,
  due_hours: null,
  due_source: null,
  awaited_until: null,
  missed_at: null,
  state_key: 'assigned',
  owner_id: 'ada',
  assigned_at: LATER,
  acknowledged_by: null,
  acknowledged_at: null,
  escalated_to: null,
  escalated_at: null,
  done_by: null,
  done_at: null,
  done_note: null,
  list_key: '',
  history_count: 0,
  history_digest: CHAIN_BEGINNING,
  history_end: null,
};

type Entry = Pick<HistoryRow, 'kind' | 'text' | 'occurred_at' | 'owner_id' | 'owner'>;

/** Entries as the store chains them; those before the last belong to an item of version 1. */
export function chained(item: ItemRow, entries: readonly Entry[]): HistoryRow[] {
  const rows: HistoryRow[] = [];
  for (const [index, entry] of entries.entries()) {
    const isNow = index === entries.length - 1;
    const row = {
      id: `entry-${index + 1}`,
      item_id: item.id,
      position: index + 1,
      actor_id: index === 0 ? null : 'ada',
      actor: index === 0 ? 'Faxdesk' : 'Ada',
      item_version: isNow ? item.version : 1,
      item_digest: isNow ? digestOfItem({ ...item, list_key: listKey(item) }) : '1'.repeat(64),
      previous: rows.at(-1)?.digest ?? CHAIN_BEGINNING,
      ...entry,
    };
    rows.push({ ...row, digest: digestOfEntry(row) });
  }
  return rows;
}

/** Returns the facts about a document that Ada took. */
export function sampleFacts(changes: Partial<EvidenceFacts> = {}): EvidenceFacts {
  const history = chained(ITEM, [
    { kind: 'created', text: 'The document arrived.', occurred_at: AT, owner_id: null, owner: null },
    { kind: 'assigned', text: 'Ada took it.', occurred_at: LATER, owner_id: 'ada', owner: 'Ada' },
  ]);
  return {
    item: ITEM,
    legalHolds: [],
    printouts: [],
    history,
    mailboxLabel: 'Front desk',
    about: { subject: null, reference: null, document_type: null },
    document: { sizeBytes: ORIGINAL.length, mediaType: 'application/pdf', carriedOriginal: null },
    acquisition: [
      {
        source: 'cloudone',
        account: 'cloudone:0123456789ab',
        source_system: null,
        operation_id: '4711',
        revision: null,
        from_number: '+12025550123',
        to_number: '+12025550100',
        to_inferred: false,
        reported_pages: 1,
        incomplete: false,
        problem: null,
        source_received_at: AT,
        recorded_at: AT,
        acquired_at: AT,
        import_id: null,
        imported_at: null,
        recovered: false,
        events: [
          {
            kind: 'notification',
            occurred_at: AT,
            checked_by: 'signature',
            actor: 'Phaxio',
            text: 'Phaxio told of it.',
            report: { b: 1, a: [{ d: null, c: 'x' }] },
            sha256: null,
            size_bytes: null,
          },
        ],
      },
    ],
    deliveries: [],
    missing: [],
    ...changes,
  };
}

/** A key pair as the installation has one. */
export function sampleSigner() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = {
    fingerprint: keyFingerprint(publicKey),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    madeAt: AT,
    isCurrent: true,
  };
  return { key, sign: (bytes: Uint8Array) => sign(null, bytes, privateKey) };
}

/** The files of an archive of these facts. */
export function sampleParts(facts = sampleFacts(), missing: MissingPart[] = []): EvidenceParts {
  const evidence = evidenceOf(facts);
  const made = { id: 'export-1', created_at: LATER, missing };
  const manifest = manifestText({
    ...evidence,
    export: { ...made, format: EVIDENCE_FORMAT, snapshot_version: facts.item.version },
  });
  const history = historyText(evidence, { country: 'US', timeZone: null });
  const hasOriginal = evidence.document.file !== null && missing.length === 0;
  const original = { sizeBytes: ORIGINAL.length, sha256: sha256Hex(ORIGINAL), crc32: crc32(ORIGINAL) };
  const documents = new Map(hasOriginal ? [[EVIDENCE_FILES.original, original] as const] : []);
  return { manifest, history, documents };
}

/** A whole archive. */
export function sampleArchive(parts = sampleParts(), signer = sampleSigner()): Promise<Buffer> {
  const stream = evidenceArchive(parts, signer).stream(async function* () {
    yield ORIGINAL;
  });
  return buffer(stream);
}
