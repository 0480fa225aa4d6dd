import type { PeerResult } from '../../../adapters/peers/port.ts';
import { isoTime } from '../../../platform/clock.ts';
import { fileBytes } from '../../../platform/file-bytes.ts';
import { directReference, type FaxToSend } from '../../outbound/transport-port.ts';
import type { OwnKeys } from '../identity.ts';
import { targetOf } from '../peer-target.ts';
import { EMPTY_DELIVERY, insertDelivery } from '../store/delivery-store.ts';
import type { PartnerRow } from '../types.ts';
import { createSealing } from '../wire/encryption.ts';
import { type Manifest, manifestDigest, type SignedManifest, signManifest } from '../wire/manifest.ts';
import type { SendingParts } from './parts.ts';

/** A document on its way to a partner. */
interface OutgoingDocument {
  readonly partner: PartnerRow;
  readonly keys: OwnKeys;
  /** Own number, E.164. */
  readonly sender: string;
  readonly fax: FaxToSend;
}

/** Result of an upload: what the partner answered, and the manifest that a receipt has to fit. */
interface Upload {
  readonly manifest: Manifest;
  readonly result: PeerResult;
}

/**
 * Sends a document once. The delivery is recorded before anything leaves. Returns null when its id was used before, so
 * that nothing is sent a second time.
 */
export async function uploadDocument(
  parts: SendingParts,
  document: OutgoingDocument,
): Promise<Upload | null> {
  const { partner, keys, fax } = document;
  const bound = {
    message_id: directReference(fax.attemptId),
    from: keys.signingKey,
    to: partner.signing_key,
    sha256: fax.document.sha256,
    size_bytes: fax.document.sizeBytes,
  };
  const sealing = createSealing(bound, partner.exchange_key);
  const manifest: Manifest = {
    direct: 1,
    type: 'delivery',
    ...bound,
    ...sealing.fields,
    sender_number: document.sender,
    recipient_number: fax.to,
    pages: fax.pages,
    time: isoTime(parts.clock.now()),
  };
  const signed = signManifest(manifest, keys.signing);
  if (!(await recordSending(parts, document, manifest, signed))) return null;
  const result = await parts.peers.upload(targetOf(parts, partner, parts.signal), {
    manifest: signed.text,
    signature: signed.signature,
    sizeBytes: manifest.sealed_size_bytes,
    pieces: () => sealing.seal(fileBytes(fax.document)),
  });
  return { manifest, result };
}

function recordSending(
  { db, clock }: SendingParts,
  { partner, fax }: OutgoingDocument,
  manifest: Manifest,
  { text, signature }: SignedManifest,
): Promise<boolean> {
  const at = isoTime(clock.now());
  return db.transaction((tx) =>
    insertDelivery(tx, {
      ...EMPTY_DELIVERY,
      message_id: manifest.message_id,
      direction: 'sent',
      partner_id: partner.id,
      job_id: fax.jobId,
      state: 'sending',
      manifest: text,
      manifest_signature: signature,
      manifest_sha256: manifestDigest(manifest),
      sha256: manifest.sha256,
      size_bytes: manifest.size_bytes,
      pages: manifest.pages,
      created_at: at,
      updated_at: at,
    }),
  );
}
