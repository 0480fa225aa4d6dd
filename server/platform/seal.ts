import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { areDataKeys, type DataKeys, fromEachKey } from './data-keys.ts';
import { SealError } from './errors.ts';

export { SealError } from './errors.ts';

const FORMAT = 'v1';

/** Seals and opens secrets at rest. The context binds a sealed text to its place, so that it cannot be moved. */
export interface Seal {
  /**
   * Reason why nothing may be sealed, in a sentence or more for a person: the key is not that of the store. Null when
   * it is.
   */
  readonly problem: string | null;
  /** Throws SealError where nothing may be sealed. */
  seal(plain: string, context: string): string;
  /** Throws SealError when the text was altered, moved, or sealed with another key. */
  open(sealed: string, context: string): string;
}

/** AES-256-GCM with a fresh 96-bit nonce per text. The first of the data keys seals; each of them opens. */
export function createSeal(keys: Uint8Array | DataKeys, problem: string | null = null): Seal {
  if (!areDataKeys(keys instanceof Uint8Array ? keys : keys.bytes))
    throw new SealError('the data key must be 32 bytes');
  const secrets = fromEachKey(keys, (key) => createSecretKey(key));
  return {
    problem,
    seal(plain, context) {
      assertSealing({ problem });
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', secrets()[0], nonce);
      cipher.setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${FORMAT}.${nonce.toString('base64url')}.${body.toString('base64url')}`;
    },
    open(sealed, context) {
      const [format, nonce, body] = sealed.split('.');
      if (format !== FORMAT || !nonce || !body) throw new SealError('not a sealed text');
      const bytes = Buffer.from(body, 'base64url');
      let failure: unknown;
      for (const secret of secrets()) {
        const decipher = createDecipheriv('aes-256-gcm', secret, Buffer.from(nonce, 'base64url'));
        decipher.setAAD(Buffer.from(context));
        try {
          decipher.setAuthTag(bytes.subarray(-16));
          return decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8');
        } catch (error) {
          failure = error;
        }
      }
      throw new SealError('the sealed text does not open with this key', { cause: failure });
    },
  };
}

/** Returns true for a text in the form of a sealed one, whichever key it was sealed with. */
export function isSealedText(text: string): boolean {
  return /^v1\.[\w-]{16}\.[\w-]{22,}$/u.test(text);
}

/** Throws SealError where nothing may be sealed: for what must not even be begun then. */
export function assertSealing({ problem }: Pick<Seal, 'problem'>): void {
  if (problem !== null)
    throw new SealError('nothing is sealed with a data key that is not that of the store');
}
