import { hkdfSync } from 'node:crypto';
import { type AeadCipher, createAeadCipher, TAG_BYTES } from './chacha20-poly1305.ts';
import { AgeError } from './errors.ts';

/** Plain bytes of every piece but the last. */
export const PIECE_BYTES = 64 * 1024;
export const SEALED_PIECE_BYTES = PIECE_BYTES + TAG_BYTES;
/** Random bytes between the header and the first piece. */
export const PAYLOAD_NONCE_BYTES = 16;

/** Seals and opens the pieces of a payload, each by its number. The last is marked, so that none can be cut off. */
export interface PayloadCipher {
  seal(index: number, piece: Uint8Array, isLast: boolean): Uint8Array;
  /** Throws AgeError. */
  open(index: number, piece: Uint8Array, isLast: boolean): Uint8Array;
}

/** Returns the cipher of the payload after this nonce. */
export async function createPayloadCipher(fileKey: Uint8Array, nonce: Uint8Array): Promise<PayloadCipher> {
  const key = Buffer.from(hkdfSync('sha256', fileKey, nonce, 'payload', 32));
  const cipher: AeadCipher = await createAeadCipher(key);
  return {
    seal: (index, piece, isLast) => cipher.seal(nonceOf(index, isLast), piece),
    open(index, piece, isLast) {
      try {
        return cipher.open(nonceOf(index, isLast), piece);
      } catch (cause) {
        throw new AgeError('damaged', { cause });
      }
    },
  };
}

/** 11 bytes count the pieces, the last byte marks the last piece. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}
