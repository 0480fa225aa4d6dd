import { createCipheriv, createDecipheriv, getCiphers } from 'node:crypto';

/** Bytes that authenticate a sealed text, at its end. */
export const TAG_BYTES = 16;

/** ChaCha20-Poly1305 (RFC 8439) under one key. Nonces have 12 bytes. */
export interface AeadCipher {
  /** Returns the sealed bytes with their tag. */
  seal(nonce: Uint8Array, plain: Uint8Array): Uint8Array;
  /** Throws when the bytes were altered, or sealed with another key or nonce. */
  open(nonce: Uint8Array, sealed: Uint8Array): Uint8Array;
}

const NAME = 'chacha20-poly1305';
const OPTIONS = { authTagLength: TAG_BYTES } as const;

/** Returns the cipher for a key of 32 bytes: that of Node.js, or where Electron has none a package's. */
export async function createAeadCipher(
  key: Uint8Array,
  { hasOwn = getCiphers().includes(NAME) } = {},
): Promise<AeadCipher> {
  if (hasOwn) return ownCipher(key);
  const { chacha20poly1305 } = await import('@noble/ciphers/chacha.js');
  return {
    seal: (nonce, plain) => chacha20poly1305(key, nonce).encrypt(plain),
    open: (nonce, sealed) => chacha20poly1305(key, nonce).decrypt(sealed),
  };
}

function ownCipher(key: Uint8Array): AeadCipher {
  return {
    seal(nonce, plain) {
      const cipher = createCipheriv(NAME, key, nonce, OPTIONS);
      return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open(nonce, sealed) {
      const decipher = createDecipheriv(NAME, key, nonce, OPTIONS);
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
    },
  };
}
