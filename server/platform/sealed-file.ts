import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { SealError } from './errors.ts';
import {
  decrypt,
  isSealed,
  KEY_BYTES,
  MAGIC,
  type NewFileKey,
  NONCE_BYTES,
  WRAPPED_BYTES,
} from './file-cipher.ts';

/** Makes and opens the keys of files; it alone has a key that is made of the data key. */
export interface FileSealer {
  newKey(): NewFileKey;
  /** The key of a file by its header. Throws SealError when it was altered or belongs to another data key. */
  keyOf(header: Uint8Array): Uint8Array;
}

/** `dataKey` is 32 bytes. Without `mayMakeKeys` files are opened only, and `newKey` throws SealError. */
export function createFileSealer(dataKey: Uint8Array, { mayMakeKeys = true } = {}): FileSealer {
  const own = Buffer.from(hkdfSync('sha256', dataKey, '', 'keys of stored files', KEY_BYTES));
  return {
    newKey() {
      if (!mayMakeKeys)
        throw new SealError('no file is sealed with a data key that is not that of the store');
      const key = randomBytes(KEY_BYTES);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', own, nonce).setAAD(MAGIC);
      const sealed = Buffer.concat([cipher.update(key), cipher.final(), cipher.getAuthTag()]);
      return { key, wrapped: Buffer.concat([MAGIC, nonce, sealed]) };
    },
    keyOf(header) {
      const bytes = Buffer.from(header.buffer, header.byteOffset, header.length);
      if (!isSealed(bytes)) throw new SealError('not a sealed file');
      const nonce = bytes.subarray(MAGIC.length, MAGIC.length + NONCE_BYTES);
      const sealed = bytes.subarray(MAGIC.length + NONCE_BYTES, WRAPPED_BYTES);
      return decrypt(own, nonce, sealed, MAGIC);
    },
  };
}
