import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createSealing } from '../../server/features/direct/wire/encryption.ts';
import { publicText, sha256Hex } from '../../server/features/direct/wire/keys.ts';
import {
  type Manifest,
  type SignedManifest,
  signManifest,
} from '../../server/features/direct/wire/manifest.ts';

/** Keys of an installation as tests make them. */
export interface WireKeys {
  readonly signing: KeyObject;
  readonly exchange: KeyObject;
  readonly signingKey: string;
  readonly exchangeKey: string;
}

export function wireKeys(): WireKeys {
  const signing = generateKeyPairSync('ed25519').privateKey;
  const exchange = generateKeyPairSync('x25519').privateKey;
  return { signing, exchange, signingKey: publicText(signing), exchangeKey: publicText(exchange) };
}

/** A document on its way from one installation to another, complete on the wire. */
interface WireDocument {
  readonly manifest: Manifest;
  readonly signed: SignedManifest;
  readonly sealed: Buffer;
}

/** Describes, signs and encrypts a document. `changes` go into the manifest before it is signed. */
export async function wireDocument(
  content: Buffer,
  {
    from,
    to,
    messageId = '0123456789abcdef0123456789abcdef',
  }: {
    readonly from: WireKeys;
    readonly to: Pick<WireKeys, 'signingKey' | 'exchangeKey'>;
    readonly messageId?: string;
  },
  changes: Partial<Manifest> = {},
): Promise<WireDocument> {
  const bound = {
    message_id: messageId,
    from: from.signingKey,
    to: to.signingKey,
    sha256: sha256Hex(content),
    size_bytes: content.length,
  };
  const sealing = createSealing(bound, to.exchangeKey);
  const manifest: Manifest = {
    direct: 1,
    type: 'delivery',
    ...bound,
    sender_number: '+12025550100',
    recipient_number: '+12025550123',
    pages: 1,
    time: '2026-11-21T09:00:00.000Z',
    ...sealing.fields,
    ...changes,
  };
  const sealed = await bytesOf(sealing.seal(inPieces(content)));
  return { manifest, signed: signManifest(manifest, from.signing), sealed };
}

/** Yields bytes in pieces of this size. */
export async function* inPieces(bytes: Buffer, size = 10): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
