import { z } from 'zod';
import { canonicalJson, parseJson } from './canonical-json.ts';
import { keyDigest, Signature } from './keys.ts';
import { assertManifestSigned, assertReceiptOf, type Manifest, parseManifest } from './manifest.ts';
import { openSigned, type ReceiptStatement, type Signed } from './statement.ts';
import { WireError } from './wire-error.ts';

/** Most bytes of a file with receipts: a page of the list of documents fits. */
const FILE_BYTES = 8 * 1024 * 1024;

/** A receipt with the manifest that it is for, as the list of documents has them. */
const Proof = z.strictObject({
  manifest: z.looseObject({}),
  manifest_signature: Signature,
  receipt: z.strictObject({ statement: z.looseObject({}), signature: Signature }),
});
const Item = z.looseObject({ receipt: Proof.nullable() });
const Page = z.looseObject({ items: z.array(Item) });

/** Facts that a receipt proves. */
interface VerifiedReceipt {
  readonly manifest: Manifest;
  readonly receipt: Signed<ReceiptStatement>;
  /** SHA-256 of the signing keys, hex. */
  readonly senderFingerprint: string;
  readonly recipientFingerprint: string;
}

/**
 * Verifies the receipts of a file: one receipt with its manifest, a document of the list `GET /direct/deliveries`, or a whole
 * page of it. Nothing but the file is used. Throws WireError when one of them is not right, or there is none.
 */
export function verifyReceiptFile(bytes: Uint8Array): VerifiedReceipt[] {
  const { parsed } = parseJson(bytes, FILE_BYTES);
  const proofs = proofsOf(parsed);
  if (proofs.length === 0) throw new WireError('malformed', 'The file has no signed receipt.');
  return proofs.map(verify);
}

function proofsOf(value: unknown): z.infer<typeof Proof>[] {
  const proof = Proof.safeParse(value);
  if (proof.success) return [proof.data];
  const item = Item.safeParse(value);
  if (item.success) return item.data.receipt === null ? [] : [item.data.receipt];
  const page = Page.safeParse(value);
  if (!page.success) throw new WireError('malformed', 'The file is not a receipt of Faxdesk.');
  return page.data.items.flatMap(({ receipt }) => receipt ?? []);
}

/** The order of members in a file does not matter: what was signed is their canonical JSON. */
function verify({
  manifest: given,
  manifest_signature,
  receipt: signed,
}: z.infer<typeof Proof>): VerifiedReceipt {
  const manifest = parseManifest(Buffer.from(canonicalJson(given)));
  assertManifestSigned(manifest, manifest_signature);
  const receipt = openSigned(Buffer.from(canonicalJson(signed)), ['receipt']);
  assertReceiptOf(receipt, manifest, [receipt.statement.from]);
  return {
    manifest,
    receipt,
    senderFingerprint: keyDigest(manifest.from),
    recipientFingerprint: keyDigest(receipt.statement.from),
  };
}
