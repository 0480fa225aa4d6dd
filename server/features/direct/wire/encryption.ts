import {
  createCipheriv,
  createDecipheriv,
  createHash,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import { publicKeyOf, publicText } from './keys.ts';
import { IV_BYTES, type Manifest, TAG_BYTES } from './manifest.ts';
import { WireError } from './wire-error.ts';

const INFO = 'faxdesk-direct-v1';
const CIPHER = 'aes-256-gcm';

/** Values of a manifest to which the encryption is bound. */
type Bound = Pick<Manifest, 'message_id' | 'from' | 'to' | 'sha256'>;

/** Encryption of one document, with what its manifest says about it. */
interface DocumentSealing {
  readonly fields: Pick<Manifest, 'ephemeral_key' | 'iv' | 'sealed_size_bytes'>;
  /**
   * Encrypts the document piece by piece, the tag last. To be used once. Throws WireError (`tampered`) before the tag when
   * the pieces are not the document with this length and SHA-256: the partner then cannot open it.
   */
  seal(document: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer>;
}

/** Prepares the encryption of a document for a partner with a fresh key pair. `exchangeKey` is the partner's, base64url. */
export function createSealing(
  bound: Bound & Pick<Manifest, 'size_bytes'>,
  exchangeKey: string,
): DocumentSealing {
  const pair = generateKeyPairSync('x25519');
  const iv = randomBytes(IV_BYTES);
  const key = documentKey(pair.privateKey, publicKeyOf(exchangeKey, 'X25519'), bound.message_id);
  return {
    fields: {
      ephemeral_key: publicText(pair.publicKey),
      iv: iv.toString('base64url'),
      sealed_size_bytes: bound.size_bytes + TAG_BYTES,
    },
    async *seal(document) {
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(associatedData(bound));
      const check = createContentCheck(bound);
      for await (const piece of document) {
        check.add(piece);
        yield cipher.update(piece);
      }
      check.finish();
      yield Buffer.concat([cipher.final(), cipher.getAuthTag()]);
    },
  };
}

/**
 * Decrypts a document piece by piece. What it yields may be used only once it has ended without an error: tag, length and
 * SHA-256 are known to be right only then. Throws WireError (`tampered`), at once when more comes than the manifest
 * says.
 */
export async function* openDocument(
  manifest: Manifest,
  exchangeKey: KeyObject,
  sealed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  const key = documentKey(exchangeKey, publicKeyOf(manifest.ephemeral_key, 'X25519'), manifest.message_id);
  const decipher = createDecipheriv(CIPHER, key, Buffer.from(manifest.iv, 'base64url'), {
    authTagLength: TAG_BYTES,
  }).setAAD(associatedData(manifest));
  const check = createContentCheck(manifest);
  const tag: Buffer[] = [];
  let read = 0;
  for await (const piece of sealed) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    const cut = Math.min(bytes.length, Math.max(0, manifest.size_bytes - read));
    read += bytes.length;
    if (read > manifest.sealed_size_bytes) throw tampered();
    if (cut > 0) {
      const plain = decipher.update(bytes.subarray(0, cut));
      check.add(plain);
      yield plain;
    }
    if (cut < bytes.length) tag.push(Buffer.from(bytes.subarray(cut)));
  }
  if (read !== manifest.sealed_size_bytes) throw tampered();
  try {
    decipher.setAuthTag(Buffer.concat(tag)).final();
  } catch {
    throw tampered();
  }
  check.finish();
}

/** Key of one document: HKDF-SHA256 over the shared secret of X25519, with the message id as salt. */
function documentKey(privateKey: KeyObject, publicKey: KeyObject, messageId: string): Buffer {
  const secret = sharedSecret(privateKey, publicKey);
  return Buffer.from(hkdfSync('sha256', secret, Buffer.from(messageId, 'hex'), INFO, 32));
}

/** A public key of small order, which makes a secret that everybody knows, is refused by OpenSSL. */
function sharedSecret(privateKey: KeyObject, publicKey: KeyObject): Buffer {
  try {
    return diffieHellman({ privateKey, publicKey });
  } catch {
    throw new WireError('malformed', 'Its key cannot be used.');
  }
}

function associatedData({ message_id, from, to, sha256 }: Bound): Buffer {
  return Buffer.from(canonicalJson({ message_id, from, to, sha256 }));
}

/** Compares pieces with the length and SHA-256 of the manifest. */
function createContentCheck({ sha256, size_bytes }: Pick<Manifest, 'sha256' | 'size_bytes'>) {
  const hash = createHash('sha256');
  let size = 0;
  return {
    add(piece: Uint8Array) {
      size += piece.length;
      if (size > size_bytes) throw tampered();
      hash.update(piece);
    },
    finish() {
      if (size !== size_bytes || hash.digest('hex') !== sha256) throw tampered();
    },
  };
}

const tampered = () => new WireError('tampered', 'The document is not the one of its manifest.');
