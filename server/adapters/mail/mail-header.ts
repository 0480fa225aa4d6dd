import { open } from 'node:fs/promises';
import addressparser from 'nodemailer/lib/addressparser';
import { trimEnd } from '../../platform/trim-end.ts';
import { automaticReason } from './automatic.ts';
import type { HeaderLine } from './header-line.ts';
import { type MailHead, UnreadableMailError } from './reading-port.ts';

/** Bytes of a message that its header has to end in; real ones have a tenth of that. */
export const MAX_HEADER_BYTES = 256 * 1024;
const MAX_LINES = 5000;
/** Characters of the From field. */
const MAX_FROM_LENGTH = 2000;

/** The name of a field and its colon, with nothing between them: where programs differ, each would see another message. */
const FIELD = /^([!-9;-~]{1,100}):/u;
const CONTINUATION = /^[ \t]/u;
/** Quoted strings and comments in a field of addresses. */
const QUOTED = /"(?:[^"\\]|\\.)*"|\([^()]*\)/gu;
const ADDRESS = /[^\s<>()[\],;:"@]+@[^\s<>()[\],;:"]+/gu;

const NOT_A_MESSAGE = 'The message is not a valid e-mail.';
export const NO_SENDER = 'The message does not say who sent it, or names several senders.';
const TOO_LONG = 'The header of the message is too long.';

/**
 * Reads the header of a message from its beginning, in linear time. Throws UnreadableMailError for one that is too long or
 * that programs would read differently.
 */
export function readHeader(beginning: Buffer): HeaderLine[] {
  const text = beginning.subarray(0, MAX_HEADER_BYTES).toString('latin1');
  const end = matchHeaderEnd(text)?.index ?? -1;
  if (end === -1 && beginning.length >= MAX_HEADER_BYTES) throw new UnreadableMailError(TOO_LONG);
  const lines = trimEnd(end === -1 ? text : text.slice(0, end), '\r\n').split(/\r?\n/u);
  if (lines.length > MAX_LINES) throw new UnreadableMailError(TOO_LONG);
  const fields: { key: string; lines: string[] }[] = [];
  for (const line of lines) {
    const key = FIELD.exec(line)?.[1];
    const goesOn = CONTINUATION.test(line) && fields.length > 0;
    if ((key === undefined && !goesOn) || /[\0\r]/u.test(line) || line.trim() === '')
      throw new UnreadableMailError(NOT_A_MESSAGE);
    if (key === undefined) fields.at(-1)?.lines.push(line);
    else fields.push({ key: key.toLowerCase(), lines: [line] });
  }
  return fields.map(({ key, lines: own }) => ({ key, line: own.join('\r\n') }));
}

/** The value of each field of this name, in their order, unfolded. */
export function valuesOf(header: readonly HeaderLine[], key: string): string[] {
  return header
    .filter((field) => field.key === key)
    .map(({ line }) => line.slice(line.indexOf(':') + 1).replaceAll('\r\n', ''));
}

/** Reads the claims of a message before any of it is verified. Throws UnreadableMailError. */
export function readHead(beginning: Buffer): MailHead {
  const header = readHeader(beginning);
  const sender = findSender(header);
  // Spaces within it may become others on its way without the signature taking notice.
  const messageId = valuesOf(header, 'message-id')[0]?.replaceAll(/\s+/gu, ' ').trim() ?? '';
  return {
    sender,
    messageId: messageId === '' ? null : messageId,
    automatic: automaticReason(header, sender),
  };
}

/** The address that the message says it is from, in lower case; null where it is not exactly one. */
export function findSender(header: readonly HeaderLine[]): string | null {
  const [from, another] = valuesOf(header, 'from');
  if (from === undefined || another !== undefined || from.length > MAX_FROM_LENGTH) return null;
  const text = Buffer.from(from, 'latin1').toString('utf8');
  const [author, second] = addressparser(text, { flatten: true });
  if (author === undefined || second !== undefined || !author.address) return null;
  const sender = lowerCaseAscii(author.address);
  // Of what else looks like an address, programs differ in which they take.
  const written = text.replaceAll(QUOTED, ' ').match(ADDRESS) ?? [];
  return written.every((each) => lowerCaseAscii(each) === sender) ? sender : null;
}

/** In lower case; letters beyond ASCII stay, since some of them become letters of another address. */
const lowerCaseAscii = (address: string) => address.replaceAll(/[A-Z]/gu, (letter) => letter.toLowerCase());

/** The beginning of the message of a file, as much as its header may take. */
export async function readBeginning(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(MAX_HEADER_BYTES), position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Returns the offset at which the body starts; the length of the input where there is no body. */
export function bodyOffset(beginning: Buffer): number {
  const end = matchHeaderEnd(beginning.toString('latin1'));
  return end === null ? beginning.length : end.index + end[0].length;
}

const matchHeaderEnd = (text: string) => /\r?\n\r?\n/u.exec(text);
