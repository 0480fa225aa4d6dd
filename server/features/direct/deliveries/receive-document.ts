import { DIRECT_BACKEND } from '../../../../shared/backends.ts';
import type { WriteTx } from '../../../db/database.ts';
import { DocumentError } from '../../../documents/documents.ts';
import { isoTime } from '../../../platform/clock.ts';
import { mailboxFor } from '../../access/service.ts';
import type { StoredDocument } from '../../inbound/types.ts';
import { badSignature, unknownSender } from '../errors.ts';
import type { OwnKeys } from '../identity.ts';
import { keysFor } from '../own-keys.ts';
import { standingOf } from '../partners/standing.ts';
import type { ArrivingFile } from '../parts.ts';
import { EMPTY_DELIVERY, findDelivery, insertDelivery } from '../store/delivery-store.ts';
import { findPartner, findSender, markExchange } from '../store/partner-store.ts';
import type { DeliveryRow, PartnerRow } from '../types.ts';
import { openDocument } from '../wire/encryption.ts';
import { assertManifestSigned, type Manifest, manifestDigest, parseManifest } from '../wire/manifest.ts';
import {
  assertFresh,
  type DeliveryRefusal,
  type ReceiptStatement,
  type Signed,
  signStatement,
} from '../wire/statement.ts';
import { WireError } from '../wire/wire-error.ts';
import { CODE_OF, type SignedAnswer } from './answer.ts';
import { unreadableForm } from './errors.ts';
import type { ReceivingParts } from './parts.ts';
import { receiptColumns, receiptOf } from './receipt.ts';

/** Maximum difference between the time of a manifest and the present, in ms. */
const MANIFEST_MS = 24 * 3_600_000;

/** An upload as it arrives: both signed parts, and the document that was not read yet. */
export interface ArrivingUpload {
  readonly manifest: Uint8Array;
  readonly signature: string;
  readonly document: AsyncIterable<Uint8Array>;
}

/** An upload whose sender is known. */
interface Upload {
  readonly manifest: Manifest;
  readonly manifestText: string;
  readonly signature: string;
  readonly partner: PartnerRow;
  /** Own keys that the partner knows: they sign the answer. */
  readonly keys: OwnKeys;
}

/** A document that was decrypted, compared with its manifest and stored. */
interface TakenDocument extends Upload {
  readonly stored: StoredDocument;
}

/** Thrown within a transaction, which then changes nothing. */
class NotTakenError extends Error {
  override name = 'NotTakenError';
  readonly reason: DeliveryRefusal;
  constructor(reason: DeliveryRefusal) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Takes a document from a partner. Everything that can be checked before the document is read is checked first. Fax,
 * document and delivery are recorded in one transaction. A repeated document gets the same receipt. A signed refusal
 * fences the id first, so that a document that was refused can never arrive later. Throws 400 and 403 refusals, which are
 * not signed, for what nobody known sent.
 */
export async function receiveDocument(
  parts: ReceivingParts,
  arriving: ArrivingUpload,
): Promise<SignedAnswer> {
  const upload = await identify(parts, arriving);
  const recipient = await parts.identity.find(upload.manifest.to);
  const earlier = await findDelivery(parts.db.read, upload.manifest.message_id, 'received');
  if (earlier) return answerEarlier(parts, upload, earlier);
  const problem = problemBefore(parts, upload, recipient);
  if (problem !== null || recipient === null) return refuse(parts, upload, problem ?? 'wrong_recipient');
  return parts.underWay.during(upload.manifest.message_id, () => read(parts, upload, recipient, arriving));
}

async function read(
  parts: ReceivingParts,
  upload: Upload,
  recipient: OwnKeys,
  arriving: ArrivingUpload,
): Promise<SignedAnswer> {
  const file = parts.newFile();
  try {
    const isWhole = await decrypt(upload, recipient, arriving, file);
    if (!isWhole) return await refuse(parts, upload, 'tampered');
    const stored = await store(parts, upload, file);
    if (stored === null) return await refuse(parts, upload, 'not_a_pdf');
    return await take(parts, { ...upload, stored });
  } finally {
    await file.close();
    await file.discard();
  }
}

/** Finds the sender of an upload and verifies the signature. Throws 400 and 403 refusals. */
async function identify(
  parts: ReceivingParts,
  { manifest: bytes, signature }: ArrivingUpload,
): Promise<Upload> {
  const manifest = readManifest(bytes);
  const partner = await findSender(parts.db.read, manifest.from, isoTime(parts.clock.now()));
  if (!partner) throw unknownSender();
  try {
    assertManifestSigned(manifest, signature);
  } catch {
    throw badSignature();
  }
  const keys = await keysFor(parts, partner);
  return { manifest, manifestText: Buffer.from(bytes).toString(), signature, partner, keys };
}

function readManifest(bytes: Uint8Array): Manifest {
  try {
    return parseManifest(bytes);
  } catch (error) {
    if (error instanceof WireError) throw unreadableForm(error);
    throw error;
  }
}

/** Returns the reason why a document is not taken, found before anything of it is read; null when it may be. */
function problemBefore(
  { clock, maxFileBytes }: ReceivingParts,
  { manifest, partner }: Upload,
  recipient: OwnKeys | null,
): DeliveryRefusal | null {
  const now = clock.now();
  if (!standingOf(partner, isoTime(now)).receivesDirectly) return 'not_verified';
  if (recipient === null) return 'wrong_recipient';
  if (isStale(manifest, now)) return 'stale';
  return manifest.size_bytes > maxFileBytes() ? 'too_large' : null;
}

function isStale({ time }: Manifest, now: number): boolean {
  try {
    assertFresh(time, now, MANIFEST_MS);
    return false;
  } catch {
    return true;
  }
}

/** Decrypts into a file of its own, sealed where files are. Returns false when it is not the document of its manifest. */
async function decrypt(
  { manifest }: Upload,
  { exchange }: OwnKeys,
  { document }: ArrivingUpload,
  file: ArrivingFile,
): Promise<boolean> {
  try {
    for await (const piece of openDocument(manifest, exchange, document)) await file.add(piece);
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
  await file.end();
  return true;
}

/** Returns null for what is no readable PDF. */
async function store(
  { inbound }: ReceivingParts,
  { manifest: { sha256, size_bytes }, partner }: Upload,
  file: ArrivingFile,
): Promise<StoredDocument | null> {
  try {
    const digest = { sha256, sizeBytes: size_bytes };
    return await inbound.handIn.store(file.content, digest, `${DIRECT_BACKEND}:${partner.id}`);
  } catch (error) {
    if (error instanceof DocumentError) return null;
    throw error;
  }
}

async function take(parts: ReceivingParts, taken: TakenDocument): Promise<SignedAnswer> {
  const receipt = receiptFor(parts, taken);
  try {
    const isNew = await parts.db.transaction((tx) => record(parts, tx, taken, receipt));
    if (isNew) return { code: null, body: receipt };
  } catch (error) {
    // Other errors may follow a committed transaction: the upkeep then finds a fax that names the document.
    if (!(error instanceof NotTakenError)) throw error;
    await parts.inbound.handIn.drop(taken.stored);
    return refuse(parts, taken, error.reason);
  }
  await parts.inbound.handIn.drop(taken.stored);
  return answerEarlier(parts, taken, await requireDelivery(parts, taken));
}

function receiptFor({ clock }: ReceivingParts, { manifest, keys }: Upload): Signed<ReceiptStatement> {
  const at = isoTime(clock.now());
  return signStatement(
    {
      direct: 1,
      type: 'receipt',
      from: keys.signingKey,
      to: manifest.from,
      time: at,
      message_id: manifest.message_id,
      sha256: manifest.sha256,
      size_bytes: manifest.size_bytes,
      received_at: at,
      manifest_sha256: manifestDigest(manifest),
    },
    keys.signing,
  );
}

/** Returns false when the id was used meanwhile. Throws NotTakenError when the partner was removed meanwhile. */
async function record(
  parts: ReceivingParts,
  tx: WriteTx,
  { manifest, manifestText, signature, partner, stored }: TakenDocument,
  receipt: Signed<ReceiptStatement>,
): Promise<boolean> {
  const at = receipt.statement.received_at;
  const now = await findPartner(tx, partner.id);
  if (!now || !standingOf(now, at).receivesDirectly) throw new NotTakenError('not_verified');
  const isNew = await insertDelivery(tx, {
    ...EMPTY_DELIVERY,
    message_id: manifest.message_id,
    direction: 'received',
    partner_id: partner.id,
    inbound_id: stored.faxId,
    state: 'accepted',
    manifest: manifestText,
    manifest_signature: signature,
    manifest_sha256: manifestDigest(manifest),
    ...receiptColumns(receipt),
    sha256: manifest.sha256,
    size_bytes: manifest.size_bytes,
    pages: stored.document.pages,
    created_at: at,
    accepted_at: at,
    updated_at: at,
  });
  if (!isNew) return false;
  await markExchange(tx, partner.id, at);
  const to = parts.settings.faxNumber();
  await parts.inbound.handIn.file(tx, stored, {
    by: DIRECT_BACKEND,
    accountId: partner.id,
    sourceId: manifest.message_id,
    sourceSystem: now.organization,
    from: now.fax_number,
    to,
    mailboxId: await mailboxFor(tx, to),
    sourceReceivedAt: at,
    pages: null,
    checkedBy: 'direct',
    actor: now.organization,
    text: `${now.organization} delivered the document directly. It is signed, and unchanged. A signed receipt was given.`,
    copy: JSON.stringify({ manifest, manifest_signature: signature, receipt }),
  });
  return true;
}

async function requireDelivery({ db }: ReceivingParts, { manifest }: Upload): Promise<DeliveryRow> {
  const row = await findDelivery(db.read, manifest.message_id, 'received');
  if (!row) throw new Error(`the delivery ${manifest.message_id} is neither new nor known`);
  return row;
}

/** Answers an id that was used before: the same receipt again for the same manifest. */
function answerEarlier(parts: ReceivingParts, upload: Upload, row: DeliveryRow): SignedAnswer {
  const receipt = row.partner_id === upload.partner.id ? receiptOf(row) : null;
  if (receipt !== null && row.manifest_sha256 === manifestDigest(upload.manifest))
    return { code: null, body: receipt };
  return refusal(parts, upload, row.receipt === null ? 'withdrawn' : 'other_document');
}

/** Fences the id and refuses the document; or repeats the receipt, when another upload of it was faster. */
async function refuse(parts: ReceivingParts, upload: Upload, reason: DeliveryRefusal): Promise<SignedAnswer> {
  const updated_at = isoTime(parts.clock.now());
  const isNew = await parts.db.transaction((tx) =>
    insertDelivery(tx, fence(upload.manifest.message_id, upload.partner, updated_at)),
  );
  if (!isNew) return answerEarlier(parts, upload, await requireDelivery(parts, upload));
  parts.logger.warn({ reason, message_id: upload.manifest.message_id }, 'a direct document was refused');
  return refusal(parts, upload, reason);
}

/** Returns the row that keeps every later document with the id from being taken. `at` is an ISO time. */
export function fence(messageId: string, { id }: Pick<PartnerRow, 'id'>, at: string): DeliveryRow {
  return {
    ...EMPTY_DELIVERY,
    message_id: messageId,
    direction: 'received',
    partner_id: id,
    state: 'withdrawn',
    created_at: at,
    updated_at: at,
  };
}

function refusal(
  { clock }: ReceivingParts,
  { manifest, keys }: Upload,
  reason: DeliveryRefusal,
): SignedAnswer {
  const statement = {
    direct: 1,
    type: 'refused',
    from: keys.signingKey,
    to: manifest.from,
    time: isoTime(clock.now()),
    reason,
    message_id: manifest.message_id,
  } as const;
  return { code: CODE_OF[reason], body: signStatement(statement, keys.signing) };
}
