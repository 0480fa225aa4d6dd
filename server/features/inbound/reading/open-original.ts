import type { ReadDb } from '../../../db/database.ts';
import { epochOf } from '../../../platform/clock.ts';
import { noOriginal } from '../errors.ts';
import type { InboundParts } from '../parts.ts';
import { findOriginal } from '../store/original-store.ts';
import { storedRefusal } from './open-document.ts';

/** A recovered document. */
export interface StoredOriginal {
  /** Name in the storage. */
  readonly name: string;
  /** Cleaned name of the file, for people. */
  readonly fileName: string;
  readonly mediaType: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Returns the original of a fax; null when its pages carry none, or it is not kept any more. */
export async function storedOriginalOf(db: ReadDb, faxId: string): Promise<StoredOriginal | null> {
  const { document, document_name, media_type, sha256, size_bytes } = (await findOriginal(db, faxId)) ?? {};
  if (!document || !document_name || !media_type || !sha256) return null;
  return {
    name: document,
    fileName: document_name,
    mediaType: media_type,
    sha256,
    sizeBytes: size_bytes ?? 0,
  };
}

/** Facts of a recovered document, whether or not it is still kept. */
export interface RecoveredOriginal {
  /** Name in the storage; null when it is not kept any more. */
  readonly document: string | null;
  readonly name: string;
  readonly media_type: string;
  readonly sha256: string;
  readonly size_bytes: number;
}

export async function recoveredOriginalOf(db: ReadDb, faxId: string): Promise<RecoveredOriginal | null> {
  const found = await findOriginal(db, faxId);
  if (!found) return null;
  const { document, document_name: name, media_type, sha256, size_bytes } = found;
  if (name === null || media_type === null || sha256 === null) return null;
  return { document, name, media_type, sha256, size_bytes: size_bytes ?? 0 };
}

/** Opens the original of a fax. Throws a 404 refusal when there is none, and a 503 one when it cannot be read now. */
export async function openOriginal({ db, storage }: Pick<InboundParts, 'db' | 'storage'>, faxId: string) {
  const original = await storedOriginalOf(db.read, faxId);
  if (original === null) throw noOriginal();
  const { stream } = await storage.open(original.name).catch((error: unknown) => {
    throw storedRefusal(error);
  });
  return { ...original, stream };
}

/** Returns the time until which an e-mail waits for the original, epoch ms; null when nobody looks for one now. */
export async function awaitedUntil(
  { db, clock }: Pick<InboundParts, 'db' | 'clock'>,
  faxId: string,
): Promise<number | null> {
  const until = (await findOriginal(db.read, faxId))?.awaited_until ?? null;
  return until === null || epochOf(until) <= clock.now() ? null : epochOf(until);
}
