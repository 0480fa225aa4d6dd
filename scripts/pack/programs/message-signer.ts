import { X509Certificate } from 'node:crypto';

// The signature of a program is a CMS message (RFC 5652), in DER on Windows and in BER with open lengths on macOS.

interface Element {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
  /** First byte after the element, behind the mark that ends an open one. */
  readonly next: number;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const TAGGED = 0xa0;
const MOST_LEVELS = 16;

/** Returns the subject of the certificate that signed a message, such as `CN=Example, O=Example, C=DE`; null when there is none. */
export function signerOf(message: Buffer): string | null {
  try {
    return readSigner(message);
  } catch {
    return null;
  }
}

function readSigner(message: Buffer): string | null {
  const child = (parent: Element | undefined, ...tags: number[]): Element | undefined =>
    parent === undefined ? undefined : childrenOf(message, parent).find(({ tag }) => tags.includes(tag));
  const content = child(readElement(message, 0, 0), TAGGED);
  const signed = child(content, SEQUENCE);
  const certificates = child(signed, TAGGED);
  // Digest algorithms are a set as well; the signers come last.
  const signers = signed && childrenOf(message, signed).findLast(({ tag }) => tag === SET);
  const issuer = child(child(signers, SEQUENCE), SEQUENCE);
  const serial = child(issuer, INTEGER);
  if (certificates === undefined || serial === undefined) return null;
  const number = numberOf(message.toString('hex', serial.start, serial.end));
  for (const { at, next } of spansOf(message, certificates)) {
    const certificate = new X509Certificate(message.subarray(at, next));
    if (numberOf(certificate.serialNumber) === number) return certificate.subject.split('\n').join(', ');
  }
  return null;
}

const numberOf = (hex: string): bigint => BigInt(`0x${hex}`);

function spansOf(bytes: Buffer, parent: Element): { at: number; next: number }[] {
  let at = parent.start;
  return childrenOf(bytes, parent).map(({ next }) => {
    const span = { at, next };
    at = next;
    return span;
  });
}

function childrenOf(bytes: Buffer, parent: Element, level = 0): Element[] {
  const children: Element[] = [];
  for (let at = parent.start; at < parent.end; ) {
    const element = readElement(bytes, at, level + 1);
    children.push(element);
    at = element.next;
  }
  return children;
}

/** Throws RangeError when the bytes end before the element. */
function readElement(bytes: Buffer, at: number, level: number): Element {
  const tag = bytes.readUInt8(at);
  const first = bytes.readUInt8(at + 1);
  if (first === 0x80) return readOpenElement(bytes, { tag, start: at + 2, level });
  const digits = first < 0x80 ? 0 : first - 0x80;
  const length = digits === 0 ? first : bytes.readUIntBE(at + 2, digits);
  const start = at + 2 + digits;
  const end = start + length;
  if (end > bytes.length) throw new RangeError('the element ends behind the message');
  return { tag, start, end, next: end };
}

/** Reads an element without a length, which ends with two zero bytes. */
function readOpenElement(
  bytes: Buffer,
  { tag, start, level }: { tag: number; start: number; level: number },
): Element {
  if (level > MOST_LEVELS) throw new RangeError('the message has too many levels');
  let at = start;
  while (bytes.readUInt16BE(at) !== 0) at = readElement(bytes, at, level + 1).next;
  return { tag, start, end: at, next: at + 2 };
}
