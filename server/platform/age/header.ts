import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { createAeadCipher, TAG_BYTES } from './chacha20-poly1305.ts';
import { AgeError } from './errors.ts';
import { type AgeIdentity, makeIdentity, sharedSecret } from './keys.ts';

const VERSION_LINE = 'age-encryption.org/v1';
const X25519_INFO = 'age-encryption.org/v1/X25519';
/** Begins the line of the MAC, which ends a header. */
const MAC_PREFIX = '---';
const FILE_KEY_BYTES = 16;
const LINE_CHARACTERS = 64;
/** A header of a few recipients has some hundred bytes. */
export const MAX_HEADER_BYTES = 64 * 1024;
const NONCE = Buffer.alloc(12);

/** Beginning of a file of the age format: how each recipient gets the key of the file. */
interface AgeHeader {
  readonly stanzas: readonly Stanza[];
  /** Bytes of the header with its last line feed. */
  readonly length: number;
  /** Bytes that the MAC covers. */
  readonly covered: Buffer;
  readonly mac: Buffer;
}

interface Stanza {
  readonly type: string;
  readonly args: readonly string[];
  readonly body: Buffer;
}

/** Returns the header for these public keys, and the new key of the file. */
export async function makeHeader(
  recipients: readonly Uint8Array[],
): Promise<{ header: Buffer; fileKey: Uint8Array }> {
  const fileKey = randomBytes(FILE_KEY_BYTES);
  const stanzas = await Promise.all(recipients.map((recipient) => stanzaFor(recipient, fileKey)));
  const covered = `${VERSION_LINE}\n${stanzas.join('')}${MAC_PREFIX}`;
  const header = `${covered} ${base64(macOf(fileKey, Buffer.from(covered)))}\n`;
  return { header: Buffer.from(header), fileKey };
}

/** Parses the beginning of a file, which may be longer than the header. Throws AgeError. */
export function parseHeader(bytes: Buffer): AgeHeader {
  const text = bytes.subarray(0, MAX_HEADER_BYTES).toString('latin1');
  if (!isAgeText(text)) throw new AgeError('damaged');
  const macAt = text.indexOf(`\n${MAC_PREFIX} `) + 1;
  const end = text.indexOf('\n', macAt);
  if (macAt === 0 || end === -1) throw new AgeError('damaged');
  const covered = bytes.subarray(0, macAt + MAC_PREFIX.length);
  const mac = bytesOf(text.slice(macAt + MAC_PREFIX.length + 1, end));
  const lines = text
    .slice(VERSION_LINE.length + 1, macAt)
    .split('\n')
    .slice(0, -1);
  return { stanzas: stanzasOf(lines), length: end + 1, covered, mac };
}

/** Returns the key of the file. Throws AgeError where no identity is one of its recipients, or the header was altered. */
export async function openHeader(header: AgeHeader, identities: readonly AgeIdentity[]): Promise<Uint8Array> {
  for (const stanza of header.stanzas)
    for (const identity of identities) {
      const fileKey = await openStanza(stanza, identity);
      if (fileKey === null) continue;
      const mac = macOf(fileKey, header.covered);
      if (header.mac.length === mac.length && timingSafeEqual(header.mac, mac)) return fileKey;
      throw new AgeError('damaged');
    }
  throw new AgeError('wrong-identity');
}

/** True for the beginning of a file of the age format. */
export function isAgeText(text: string): boolean {
  return text.startsWith(`${VERSION_LINE}\n`);
}

async function stanzaFor(recipient: Uint8Array, fileKey: Uint8Array): Promise<string> {
  const { secret, publicKey: share } = makeIdentity();
  const cipher = await createAeadCipher(wrapKeyOf(sharedSecret(secret, recipient), share, recipient));
  return `-> X25519 ${base64(share)}\n${base64(cipher.seal(NONCE, fileKey))}\n`;
}

/** Null when it is for another recipient. */
async function openStanza({ type, args, body }: Stanza, identity: AgeIdentity): Promise<Uint8Array | null> {
  if (type !== 'X25519') return null;
  const share = bytesOf(args[0] ?? '');
  if (args.length !== 1 || share.length !== 32 || body.length !== FILE_KEY_BYTES + TAG_BYTES)
    throw new AgeError('damaged');
  try {
    const shared = sharedSecret(identity.secret, share);
    return (await createAeadCipher(wrapKeyOf(shared, share, identity.publicKey))).open(NONCE, body);
  } catch {
    return null;
  }
}

function wrapKeyOf(shared: Uint8Array, share: Uint8Array, recipient: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', shared, Buffer.concat([share, recipient]), X25519_INFO, 32));
}

function macOf(fileKey: Uint8Array, covered: Buffer): Buffer {
  return createHmac('sha256', Buffer.from(hkdfSync('sha256', fileKey, '', 'header', 32)))
    .update(covered)
    .digest();
}

/** A body ends with its first line that is shorter than the others. */
function stanzasOf(lines: readonly string[]): Stanza[] {
  const stanzas: Stanza[] = [];
  for (let at = 0; at < lines.length; ) {
    const [arrow, type = '', ...args] = (lines[at] ?? '').split(' ');
    if (arrow !== '->' || type === '') throw new AgeError('damaged');
    const from = at + 1;
    let to = from;
    while (lines[to]?.length === LINE_CHARACTERS) to += 1;
    if (to >= lines.length) throw new AgeError('damaged');
    stanzas.push({ type, args, body: bytesOf(lines.slice(from, to + 1).join('')) });
    at = to + 1;
  }
  return stanzas;
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '');

/** Throws AgeError for a text that is not the base64 of its bytes. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (base64(bytes) !== text) throw new AgeError('damaged');
  return bytes;
}
