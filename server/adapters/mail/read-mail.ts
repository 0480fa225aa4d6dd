import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import {
  type AddressObject,
  type AttachmentStream,
  type HeaderLines,
  type Headers,
  MailParser,
  type MessageText,
} from 'mailparser';
import type { HeaderLine } from './header-line.ts';
import { findSender, NO_SENDER, readBeginning, readHeader } from './mail-header.ts';
import {
  type MailPart,
  type ReadingOptions,
  type ReadMail,
  type ResolveDns,
  type SenderCheck,
  UnreadableMailError,
} from './reading-port.ts';
import { checkSender } from './sender-check.ts';

/** Parts of one message; more than any person attaches. */
const MAX_PARTS = 100;
/** Characters of a text that becomes a page. */
const MAX_TEXT_LENGTH = 100_000;

/** Checks the message of a file and, when it passed and all of it is there, reads it: mailauth checks who sent it, mailparser reads MIME. */
export async function readMail(
  path: string,
  { into, isBeginning = false, trustedServer, arrivedAt }: ReadingOptions,
  resolve: ResolveDns,
): Promise<ReadMail> {
  const header = readHeader(await readBeginning(path));
  const sender = findSender(header);
  const check: SenderCheck =
    sender === null
      ? { kind: 'failed', sentence: NO_SENDER }
      : await checkSender({ path, isBeginning, header, sender, resolve, trustedServer, arrivedAt });
  if (check.kind !== 'passed' || isBeginning)
    return { check, subject: '', recipients: [], parts: [], text: null };
  const parsed = await parse(path, into);
  return { check, ...readHeaders(parsed), parts: parsed.parts, text: parsed.text };
}

interface Parsed {
  headers: Headers;
  lines: readonly HeaderLine[];
  parts: MailPart[];
  text: string | null;
}

/** Piece by piece: nothing of an attachment is kept in memory. */
async function parse(path: string, into: string): Promise<Parsed> {
  const parser = new MailParser({
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    checksumAlgo: false,
  });
  const parsed: Parsed = { headers: new Map(), lines: [], parts: [], text: null };
  parser.on('headers', (headers: Headers) => {
    parsed.headers = headers;
  });
  parser.on('headerLines', (lines: HeaderLines) => {
    parsed.lines = lines;
  });
  try {
    const kept = storeParts(parser, into, parsed);
    // Errors of the parser surface where its parts are read; here only errors of the disk count.
    const read = pipeline(createReadStream(path), parser).catch((error: unknown) => {
      if (isDiskError(error)) throw error;
    });
    await Promise.all([kept, read]);
  } catch (error) {
    if (error instanceof UnreadableMailError || isDiskError(error)) throw error;
    throw new UnreadableMailError('The message is not a valid e-mail.', { cause: error });
  }
  if (parsed.lines.length === 0) throw new UnreadableMailError('The message is not a valid e-mail.');
  return parsed;
}

async function storeParts(
  found: AsyncIterable<AttachmentStream | MessageText>,
  into: string,
  parsed: Parsed,
): Promise<void> {
  for await (const part of found)
    if (part.type === 'text') parsed.text = textOf(part);
    else await storeAttachment(part, into, parsed.parts);
}

const isDiskError = (error: unknown) =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';

function textOf({ text }: MessageText): string | null {
  const written = (text ?? '').trim().slice(0, MAX_TEXT_LENGTH);
  return written === '' ? null : written;
}

/** Writes the attachment into the folder, unless it is a picture of the text itself, such as a logo in a signature. */
async function storeAttachment(part: AttachmentStream, into: string, parts: MailPart[]): Promise<void> {
  const { content, contentType, filename = '', related } = part;
  try {
    if (related === true) return await finished(content.resume());
    if (parts.length === MAX_PARTS)
      throw new UnreadableMailError(`The message has more than ${MAX_PARTS} attachments.`);
    const path = join(into, `${parts.length + 1}`);
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    await pipeline(content, file);
    parts.push({
      path,
      fileName: filename.replaceAll(/\p{Cc}/gu, '').slice(0, 200),
      contentType: contentType.toLowerCase(),
      sizeBytes: file.bytesWritten,
    });
  } finally {
    part.release?.();
  }
}

function readHeaders({ headers }: Parsed): Pick<ReadMail, 'subject' | 'recipients'> {
  const subject = headers.get('subject');
  return {
    subject: typeof subject === 'string' ? subject : '',
    recipients: [...addressesIn(headers, 'to'), ...addressesIn(headers, 'cc')],
  };
}

/** In lower case. */
function addressesIn(headers: Headers, key: string): string[] {
  const found = headers.get(key) as AddressObject | AddressObject[] | undefined;
  const objects = found === undefined ? [] : [found].flat();
  return objects
    .flatMap(({ value }) => value)
    .flatMap((entry) => entry.group ?? [entry])
    .flatMap(({ address }) => (address === undefined || address === '' ? [] : [address.toLowerCase()]));
}
