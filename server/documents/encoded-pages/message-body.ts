import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scryptSync } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { sha256Hex } from '../../platform/hash.ts';
import { type MessageHeader, sharedHeaderBytes } from './page-header.ts';

const CIPHER = 'aes-256-gcm';
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** About 0.1 s and 32 MB for each key that is tried. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const KEY_PURPOSE = 'fax-encoded-pages-v1';

const BEST_LEVEL = 19;
const QUICK_LEVEL = 3;
/**
 * Larger documents, and those that the quick level leaves larger, are compressed no better: they take more pages than are ever
 * sent, and the best level takes a second for each megabyte.
 */
const LARGEST_FOR_BEST = { original: 32 * 1024 * 1024, compressed: 6 * 1024 * 1024 };
/** Content is stored as it is when compression saves less. */
const LEAST_SAVING = 0.02;
/** The meta data holds a name, a type and a digest. */
const MAX_META_BYTES = 2048;
const MAX_NAME_LENGTH = 200;
const MAX_TYPE_LENGTH = 100;

/** A document with its name and type, as it travels in encoded pages. */
export interface NamedDocument {
  bytes: Uint8Array;
  name: string;
  mediaType: string;
}

/** Sealed body and the values of its header. */
export interface SealedBody {
  isCompressed: boolean;
  isEncrypted: boolean;
  sealed: Buffer;
}

/** Random bytes of an encrypted body; fixed ones make the test vectors. */
interface SealRandomness {
  salt: Uint8Array;
  iv: Uint8Array;
}

/** Seals a document for the message `messageId`, encrypted with `key` where it is not null. */
export function sealBody(
  document: NamedDocument,
  messageId: string,
  key: string | null,
  randomness: SealRandomness = { salt: randomBytes(SALT_BYTES), iv: randomBytes(IV_BYTES) },
): SealedBody {
  const meta = Buffer.from(
    JSON.stringify({
      name: document.name.slice(0, MAX_NAME_LENGTH),
      type: document.mediaType.slice(0, MAX_TYPE_LENGTH),
      length: document.bytes.length,
      sha256: sha256Hex(document.bytes),
    }),
  );
  const compressed = compress(document.bytes);
  const isCompressed = compressed.length <= document.bytes.length * (1 - LEAST_SAVING);
  const metaLength = Buffer.alloc(2);
  metaLength.writeUInt16BE(meta.length);
  const plain = Buffer.concat([metaLength, meta, isCompressed ? compressed : document.bytes]);
  if (key === null) return { isCompressed, isEncrypted: false, sealed: plain };
  const { salt, iv } = randomness;
  const sealedBytes = SALT_BYTES + IV_BYTES + plain.length + TAG_BYTES;
  const cipher = createCipheriv(CIPHER, deriveKey(key, salt, messageId), iv);
  cipher.setAAD(sharedHeaderBytes({ isCompressed, isEncrypted: true, messageId, sealedBytes }));
  const encrypted = [cipher.update(plain), cipher.final()];
  const sealed = Buffer.concat([salt, iv, ...encrypted, cipher.getAuthTag()]);
  return { isCompressed, isEncrypted: true, sealed };
}

function compress(bytes: Uint8Array): Buffer {
  const at = (level: number): Buffer =>
    zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } });
  const quick = at(QUICK_LEVEL);
  const isTooLarge = bytes.length > LARGEST_FOR_BEST.original || quick.length > LARGEST_FOR_BEST.compressed;
  return isTooLarge ? quick : at(BEST_LEVEL);
}

/** The key of one message. Keys that people type are compared in their composed form. */
function deriveKey(key: string, salt: Uint8Array, messageId: string): Uint8Array {
  const stretched = scryptSync(key.normalize('NFC'), salt, KEY_BYTES, SCRYPT);
  return new Uint8Array(hkdfSync('sha256', stretched, Buffer.from(messageId, 'hex'), KEY_PURPOSE, KEY_BYTES));
}

/** A body that was opened, or the reason why it was not. */
type OpenedBody =
  | { document: NamedDocument; sha256: string; keyIndex: number | null }
  | 'key_missing'
  | 'key_wrong_or_altered'
  | 'fingerprint_mismatch';

/** Opens a sealed body. The content is decompressed up to its declared length, and that is at most `maxBytes`. */
export function openBody(
  sealed: Buffer,
  header: MessageHeader,
  keys: readonly string[],
  maxBytes: number,
): OpenedBody {
  if (!header.isEncrypted) return openPlain(sealed, header, maxBytes, null);
  if (keys.length === 0) return 'key_missing';
  for (const [index, key] of keys.entries()) {
    const plain = decrypt(sealed, header, key);
    if (plain !== null) return openPlain(plain, header, maxBytes, index);
  }
  return 'key_wrong_or_altered';
}

function decrypt(sealed: Buffer, header: MessageHeader, key: string): Buffer | null {
  if (sealed.length < SALT_BYTES + IV_BYTES + TAG_BYTES) return null;
  const salt = sealed.subarray(0, SALT_BYTES);
  const iv = sealed.subarray(SALT_BYTES, SALT_BYTES + IV_BYTES);
  const tagAt = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, deriveKey(key, salt, header.messageId), iv);
  decipher.setAAD(sharedHeaderBytes(header));
  decipher.setAuthTag(sealed.subarray(tagAt));
  const plain = decipher.update(sealed.subarray(SALT_BYTES + IV_BYTES, tagAt));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return null;
  }
}

function openPlain(
  plain: Buffer,
  { isCompressed }: MessageHeader,
  maxBytes: number,
  keyIndex: number | null,
): OpenedBody {
  const metaEnd = plain.length < 2 ? Number.POSITIVE_INFINITY : 2 + plain.readUInt16BE(0);
  if (metaEnd > plain.length) return 'fingerprint_mismatch';
  const meta = parseMeta(plain.subarray(2, metaEnd));
  if (meta === null || meta.length > maxBytes) return 'fingerprint_mismatch';
  const content = plain.subarray(metaEnd);
  const bytes = isCompressed ? decompress(content, meta.length) : content;
  if (bytes?.length !== meta.length || sha256Hex(bytes) !== meta.sha256) return 'fingerprint_mismatch';
  return { document: { bytes, name: meta.name, mediaType: meta.type }, sha256: meta.sha256, keyIndex };
}

interface Meta {
  name: string;
  type: string;
  length: number;
  sha256: string;
}

function parseMeta(bytes: Buffer): Meta | null {
  if (bytes.length > MAX_META_BYTES) return null;
  try {
    const { name, type, length, sha256 } = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
    const isComplete =
      typeof name === 'string' &&
      typeof type === 'string' &&
      typeof length === 'number' &&
      typeof sha256 === 'string';
    return isComplete && Number.isSafeInteger(length) && length >= 0 ? { name, type, length, sha256 } : null;
  } catch {
    return null;
  }
}

/** Null for content that is damaged or longer than `length`. */
function decompress(content: Buffer, length: number): Buffer | null {
  try {
    return zstdDecompressSync(content, { maxOutputLength: Math.max(length, 1) });
  } catch {
    return null;
  }
}
