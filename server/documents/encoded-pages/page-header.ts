import { hash } from 'node:crypto';

/** Bytes in front of the payload of a page. */
export const PAGE_HEADER_BYTES = 48;
const MAGIC = Buffer.from('FXE1', 'latin1');
const VERSION = 1;
const DIGEST_BYTES = 8;
/** Places of the two digests in the header, and of what follows them. */
const PAYLOAD_DIGEST_AT = 29;
const HEADER_DIGEST_AT = PAYLOAD_DIGEST_AT + DIGEST_BYTES;
const PART_LENGTH_AT = HEADER_DIGEST_AT + DIGEST_BYTES;
/** Bytes of the header that the authenticated encryption covers: magic, version, flags, message id and sealed length. */
const SHARED_BYTES = 26;

/** Longest sequence of pages: numbers of pages are bytes, and together they are elements of GF(256) other than 0. */
export const MAX_SEQUENCE = 255;

/** Bits of the flags. */
const COMPRESSED = 1;
const ENCRYPTED = 2;

/** Values that all pages of a message share. */
export interface MessageHeader {
  isCompressed: boolean;
  isEncrypted: boolean;
  /** 16 bytes as lowercase hex. */
  messageId: string;
  /** Bytes of the sealed body. */
  sealedBytes: number;
  dataPages: number;
  parityPages: number;
  /** Bytes of the sealed body on each page but the last data page, and bytes of a parity page. */
  partBytes: number;
}

/** A page of a message. */
export interface MessagePage {
  header: MessageHeader;
  /** From 0; parity pages follow the data pages. */
  index: number;
  payload: Uint8Array;
}

/** The beginning of the header, which also authenticates an encrypted body. */
export function sharedHeaderBytes(
  header: Omit<MessageHeader, 'dataPages' | 'parityPages' | 'partBytes'>,
): Buffer {
  const bytes = Buffer.alloc(SHARED_BYTES);
  MAGIC.copy(bytes);
  bytes[4] = VERSION;
  bytes[5] = (header.isCompressed ? COMPRESSED : 0) | (header.isEncrypted ? ENCRYPTED : 0);
  bytes.write(header.messageId, 6, 'hex');
  bytes.writeUInt32BE(header.sealedBytes, 22);
  return bytes;
}

/** Returns the header of a page and its payload, as they are drawn. */
export function writeMessagePage({ header, index, payload }: MessagePage): Buffer {
  const page = Buffer.alloc(PAGE_HEADER_BYTES + payload.length);
  sharedHeaderBytes(header).copy(page);
  page[26] = header.dataPages;
  page[27] = header.parityPages;
  page[28] = index;
  digestOf(payload).copy(page, PAYLOAD_DIGEST_AT);
  page.writeUInt16BE(header.partBytes, PART_LENGTH_AT);
  headerDigest(page).copy(page, HEADER_DIGEST_AT);
  page.set(payload, PAGE_HEADER_BYTES);
  return page;
}

/** Reads the bytes of a page. Null when they are no page of this version, or one that was altered or contradicts itself. */
export function readMessagePage(bytes: Uint8Array): MessagePage | null {
  if (bytes.length < PAGE_HEADER_BYTES) return null;
  const page = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const flags = page[5]!;
  const isOurs =
    MAGIC.equals(page.subarray(0, 4)) && page[4] === VERSION && (flags & ~(COMPRESSED | ENCRYPTED)) === 0;
  if (!isOurs || !headerDigest(page).equals(page.subarray(HEADER_DIGEST_AT, PART_LENGTH_AT))) return null;
  const header: MessageHeader = {
    isCompressed: (flags & COMPRESSED) !== 0,
    isEncrypted: (flags & ENCRYPTED) !== 0,
    messageId: page.toString('hex', 6, 22),
    sealedBytes: page.readUInt32BE(22),
    dataPages: page[26]!,
    parityPages: page[27]!,
    partBytes: page.readUInt16BE(PART_LENGTH_AT),
  };
  const index = page[28]!;
  if (!isConsistent(header) || index >= header.dataPages + header.parityPages) return null;
  const end = PAGE_HEADER_BYTES + partLength(header, index);
  const payload = page.subarray(PAGE_HEADER_BYTES, end);
  if (end > page.length || !digestOf(payload).equals(page.subarray(PAYLOAD_DIGEST_AT, HEADER_DIGEST_AT)))
    return null;
  return { header, index, payload };
}

/** Length of the payload of a page: only the last data page may be shorter than the others. */
function partLength({ sealedBytes, dataPages, partBytes }: MessageHeader, index: number): number {
  return index === dataPages - 1 ? sealedBytes - partBytes * index : partBytes;
}

/** The sealed body must fill the data pages exactly. */
function isConsistent({ sealedBytes, dataPages, parityPages, partBytes }: MessageHeader): boolean {
  return (
    sealedBytes > 0 &&
    dataPages + parityPages <= MAX_SEQUENCE &&
    partBytes > 0 &&
    dataPages === Math.ceil(sealedBytes / partBytes)
  );
}

const digestOf = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer').subarray(0, DIGEST_BYTES);

/** Digest of all bytes of the header other than its own. */
function headerDigest(page: Buffer): Buffer {
  return digestOf(
    Buffer.concat([page.subarray(0, HEADER_DIGEST_AT), page.subarray(PART_LENGTH_AT, PAGE_HEADER_BYTES)]),
  );
}
