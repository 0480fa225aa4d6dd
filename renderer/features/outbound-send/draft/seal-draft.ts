import { client } from '../../../api/client.ts';

const NONCE_BYTES = 12;

/** Seals and opens what a browser keeps of one person's draft. The context binds it to its place. */
export interface DraftSeal {
  seal(plain: BufferSource, context: string): Promise<ArrayBuffer>;
  /** Opens a sealed draft. Rejects when it was altered, moved, or sealed for another person. */
  open(sealed: ArrayBuffer, context: string): Promise<ArrayBuffer>;
}

/**
 * AES-256-GCM with a fresh nonce, under a key that the gateway gives only to who is signed in as that person. It is held in
 * memory and never kept. Rejects without a gateway, and where the browser has no cryptography: on pages that came over
 * plain HTTP from another computer.
 */
export async function draftSeal(): Promise<DraftSeal> {
  // Missing on such pages, despite its type.
  const subtle = (crypto as Partial<Crypto>).subtle;
  if (subtle === undefined) throw new Error('the browser keeps nothing sealed on this page');
  const { key: text } = await client.console.draftKey();
  const raw = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  );
  const key = await subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);
  const how = (iv: Uint8Array<ArrayBuffer>, context: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: new TextEncoder().encode(context),
  });
  return {
    async seal(plain, context) {
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const body = await subtle.encrypt(how(nonce, context), key, plain);
      return await new Blob([nonce, body]).arrayBuffer();
    },
    open: (sealed, context) =>
      subtle.decrypt(
        how(new Uint8Array(sealed, 0, NONCE_BYTES), context),
        key,
        new Uint8Array(sealed, NONCE_BYTES),
      ),
  };
}
