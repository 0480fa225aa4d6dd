import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { sha256Hex } from '../../../platform/hash.ts';
import { type ZipMember, zipLayout, zipSize, zipStream } from '../../../platform/stored-zip.ts';
import type { Signer } from '../../signing/types.ts';
import { checksumsText } from './checksums.ts';
import { EVIDENCE_FILES } from './manifest.ts';

/** Original document, with digests computed before it is read for the archive. */
export interface Original {
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly crc32: number;
}

export interface EvidenceParts {
  readonly manifest: string;
  readonly history: string;
  /** Null when it is missing. */
  readonly original: Original | null;
}

/** An archive that is ready to be sent. */
export interface EvidenceArchive {
  readonly sizeBytes: number;
  /** `readOriginal` is called when the stream reaches it, and only when the archive contains the original. */
  stream(readOriginal: () => AsyncIterable<Uint8Array>): Readable;
}

/**
 * Puts an archive together: the files, the list of their digests, and the signature over that list with the public key. The
 * same parts and the same key give the same bytes. The original is not read here.
 */
export function evidenceArchive(
  { manifest, history, original }: EvidenceParts,
  signer: Signer,
): EvidenceArchive {
  const texts = new Map<string, Uint8Array>([
    [EVIDENCE_FILES.manifest, Buffer.from(manifest)],
    [EVIDENCE_FILES.history, Buffer.from(history)],
    [EVIDENCE_FILES.publicKey, Buffer.from(signer.key.publicKey)],
  ]);
  const digests = new Map([...texts].map(([name, bytes]) => [name, sha256Hex(bytes)]));
  if (original) digests.set(EVIDENCE_FILES.original, original.sha256);
  const sums = Buffer.from(checksumsText(digests));
  texts.set(EVIDENCE_FILES.sums, sums);
  texts.set(EVIDENCE_FILES.signature, signer.sign(sums));
  const members: ZipMember[] = [...texts].map(([name, bytes]) => ({
    name,
    sizeBytes: bytes.length,
    crc32: crc32(bytes),
  }));
  if (original) members.push({ name: EVIDENCE_FILES.original, ...original });
  const layout = zipLayout(members);
  return {
    sizeBytes: zipSize(layout),
    stream: (readOriginal) =>
      zipStream(layout, (name) => {
        const text = texts.get(name);
        return text ? [text] : readOriginal();
      }),
  };
}
