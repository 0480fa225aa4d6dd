import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { type DataKeys, fromEachKey } from './data-keys.ts';
import { SealError } from './errors.ts';
import { decrypt, KEY_BYTES, MAGIC, type NewFileKey, NONCE_BYTES, WRAPPED_BYTES } from './file-cipher.ts';

/** Makes and opens the keys of files; it alone has a key that is made of the data key. */
export interface FileSealer {
  newKey(): NewFileKey;
  /** True while files may have a key that a former data key sealed. */
  readonly hasFormerKey: boolean;
  /** The key of a file by its header. Throws SealError when it was altered or belongs to another data key. */
  keyOf(header: Uint8Array): Uint8Array;
  /**
   * Returns the first WRAPPED_BYTES of the header anew, sealed with the first data key; null when that one opens them already.
   * Throws as `keyOf`.
   */
  renewed(header: Uint8Array): Uint8Array | null;
}

/** The first of the data keys seals; each of them opens. Without `mayMakeKeys` files are opened only, and `newKey` throws SealError. */
export function createFileSealer(dataKeys: Uint8Array | DataKeys, { mayMakeKeys = true } = {}): FileSealer {
  const owners = fromEachKey(dataKeys, (dataKey) =>
    Buffer.from(hkdfSync('sha256', dataKey, '', 'keys of stored files', KEY_BYTES)),
  );
  const wrap = (key: Uint8Array): Uint8Array => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', owners()[0], nonce).setAAD(MAGIC);
    return Buffer.concat([MAGIC, nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
  };
  return {
    newKey() {
      if (!mayMakeKeys)
        throw new SealError('no file is sealed with a data key that is not that of the store');
      const key = randomBytes(KEY_BYTES);
      return { key, wrapped: wrap(key) };
    },
    get hasFormerKey() {
      return owners().length > 1;
    },
    keyOf: (header) => unwrap(owners(), header).key,
    renewed(header) {
      const { key, at } = unwrap(owners(), header);
      return at === 0 ? null : wrap(key);
    },
  };
}

/** Returns the key in a header, and the place of the key that opened it. Throws SealError when none does. */
function unwrap(owners: readonly Buffer[], header: Uint8Array): { key: Uint8Array; at: number } {
  const bytes = Buffer.from(header.buffer, header.byteOffset, header.length);
  if (bytes.length < WRAPPED_BYTES || !MAGIC.equals(bytes.subarray(0, MAGIC.length)))
    throw new SealError('not a sealed file');
  const nonce = bytes.subarray(MAGIC.length, MAGIC.length + NONCE_BYTES);
  const sealed = bytes.subarray(MAGIC.length + NONCE_BYTES, WRAPPED_BYTES);
  let failure: unknown;
  for (const [at, owner] of owners.entries())
    try {
      return { key: decrypt(owner, nonce, sealed, MAGIC), at };
    } catch (error) {
      failure = error;
    }
  throw failure;
}
