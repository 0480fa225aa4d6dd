import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { sha256Hex } from '../../../platform/hash.ts';
import { type ZipMember, zipLayout, zipSize, zipStream } from '../../../platform/stored-zip.ts';
import type { Signer } from '../../signing/types.ts';
import { checksumsText } from './checksums.ts';
import { EVIDENCE_FILES } from './manifest.ts';

/** A stored document, with digests computed before it is read for the archive. */
export interface Original {
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly crc32: number;
}

export interface EvidenceParts {
  readonly manifest: string;
  readonly history: string;
  /** Documents by their names in the archive; missing ones are left out. */
  readonly documents: ReadonlyMap<string, Original>;
}

/** An archive that is ready to be sent. */
export interface EvidenceArchive {
  readonly sizeBytes: number;
  /** `readDocument` is called with the name of each document when the stream reaches it. */
  stream(readDocument: (name: string) => AsyncIterable<Uint8Array>): Readable;
}

/**
 * Puts an archive together: the files, the list of their digests, and the signature over that list with the public key. The
 * same parts and the same key give the same bytes. Documents are not read here.
 */
export function evidenceArchive(
  { manifest, history, documents }: EvidenceParts,
  signer: Signer,
): EvidenceArchive {
  const texts = new Map<string, Uint8Array>([
    [EVIDENCE_FILES.manifest, Buffer.from(manifest)],
    [EVIDENCE_FILES.history, Buffer.from(history)],
    [EVIDENCE_FILES.publicKey, Buffer.from(signer.key.publicKey)],
  ]);
  const digests = new Map([...texts].map(([name, bytes]) => [name, sha256Hex(bytes)]));
  for (const [name, { sha256 }] of documents) digests.set(name, sha256);
  const sums = Buffer.from(checksumsText(digests));
  texts.set(EVIDENCE_FILES.sums, sums);
  texts.set(EVIDENCE_FILES.signature, signer.sign(sums));
  const members: ZipMember[] = [...texts].map(([name, bytes]) => ({
    name,
    sizeBytes: bytes.length,
    crc32: crc32(bytes),
  }));
  for (const [name, document] of documents) members.push({ name, ...document });
  const layout = zipLayout(members);
  return {
    sizeBytes: zipSize(layout),
    stream: (readDocument) =>
      zipStream(layout, (name) => {
        const text = texts.get(name);
        return text ? [text] : readDocument(name);
      }),
  };
}
