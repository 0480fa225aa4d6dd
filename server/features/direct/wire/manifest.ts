import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson, parseCanonical } from './canonical-json.ts';
import { DIRECT } from './card.ts';
import { Bytes, isSignatureOf, PublicKey, Sha256, Signature, sha256Hex, signBytes } from './keys.ts';
import {
  assertSigned,
  MessageId,
  type ReceiptStatement,
  type Signed,
  STATEMENT_BYTES,
  WireTime,
} from './statement.ts';
import { WireError } from './wire-error.ts';

export const IV_BYTES = 12;
export const TAG_BYTES = 16;
const MAX_PAGES = 1_000_000;

const Number164 = z.string().regex(/^\+[1-9]\d{6,14}$/u);

const Manifest = z
  .strictObject({
    direct: z.literal(DIRECT),
    type: z.literal('delivery'),
    message_id: MessageId,
    from: PublicKey,
    to: PublicKey,
    sender_number: Number164,
    recipient_number: Number164,
    sha256: Sha256,
    size_bytes: z.int().min(1),
    sealed_size_bytes: z.int().min(1),
    pages: z.int().min(1).max(MAX_PAGES),
    ephemeral_key: PublicKey,
    iv: Bytes(IV_BYTES),
    time: WireTime,
  })
  .refine(({ size_bytes, sealed_size_bytes }) => sealed_size_bytes === size_bytes + TAG_BYTES);

/** Description of a document that goes to a partner. Nothing of it is shown to people. */
export type Manifest = z.infer<typeof Manifest>;

/** Canonical JSON of a manifest with its signature, as the parts of the form have them. */
export interface SignedManifest {
  readonly text: string;
  readonly signature: string;
}

/** Signs a manifest with the private key of its `from`. */
export function signManifest(manifest: Manifest, signingKey: KeyObject): SignedManifest {
  const text = canonicalJson(Manifest.parse(manifest));
  return { text, signature: signBytes(Buffer.from(text), signingKey) };
}

/** Parses the part `manifest`; its signature is not verified. Throws WireError (`oversized`, `malformed`). */
export function parseManifest(bytes: Uint8Array): Manifest {
  const manifest = Manifest.safeParse(parseCanonical(bytes, STATEMENT_BYTES));
  if (!manifest.success) throw new WireError('malformed', 'It is not a manifest.');
  return manifest.data;
}

/** Throws WireError (`malformed`, `signature`) unless the part `signature` is that of the manifest's `from`. */
export function assertManifestSigned(manifest: Manifest, signature: string): void {
  if (!Signature.safeParse(signature).success)
    throw new WireError('malformed', 'The signature is not 64 bytes as base64url.');
  if (!isSignatureOf(Buffer.from(canonicalJson(manifest)), signature, manifest.from))
    throw new WireError('signature', 'It is not signed by the key that it names.');
}

/** Returns the SHA-256 of a manifest's canonical JSON, hex: it binds a receipt to it. */
export const manifestDigest = (manifest: Manifest): string => sha256Hex(canonicalJson(manifest));

/**
 * Throws WireError unless a receipt is signed by one of the partner's keys and is for exactly this manifest
 * (`signature`, `mismatch`).
 */
export function assertReceiptOf(
  receipt: Signed<ReceiptStatement>,
  manifest: Manifest,
  partnerKeys: readonly string[],
): void {
  assertSigned(receipt);
  const { statement } = receipt;
  const fits =
    partnerKeys.includes(statement.from) &&
    statement.to === manifest.from &&
    statement.message_id === manifest.message_id &&
    statement.sha256 === manifest.sha256 &&
    statement.size_bytes === manifest.size_bytes &&
    statement.manifest_sha256 === manifestDigest(manifest);
  if (!fits) throw new WireError('mismatch', 'The receipt is not for this document.');
}
