import type { DeliveryRow } from '../types.ts';
import { canonicalJson } from '../wire/canonical-json.ts';
import { assertReceiptOf, type Manifest, parseManifest } from '../wire/manifest.ts';
import { openSigned, type ReceiptStatement, type Signed } from '../wire/statement.ts';

type StoredReceipt = Pick<DeliveryRow, 'receipt' | 'receipt_signature'>;

/** Columns of a delivery with the receipt. */
export function receiptColumns({ statement, signature }: Signed<ReceiptStatement>) {
  return { receipt: canonicalJson(statement), receipt_signature: signature };
}

/** Returns the receipt of a delivery as it was signed; null where there is none. */
export function receiptOf({ receipt, receipt_signature }: StoredReceipt): Signed<ReceiptStatement> | null {
  if (receipt === null || receipt_signature === null) return null;
  const text = `{"signature":${JSON.stringify(receipt_signature)},"statement":${receipt}}`;
  return openSigned(Buffer.from(text), ['receipt']);
}

/** Returns the manifest of a delivery; null for a fence. */
export function manifestOf({ manifest }: Pick<DeliveryRow, 'manifest'>): Manifest | null {
  return manifest === null ? null : parseManifest(Buffer.from(manifest));
}

/** Returns true when the receipt is signed by one of the keys and is for exactly this manifest. */
export function isReceiptOf(
  receipt: Signed<ReceiptStatement>,
  manifest: Manifest,
  keys: readonly string[],
): boolean {
  try {
    assertReceiptOf(receipt, manifest, keys);
    return true;
  } catch {
    return false;
  }
}
