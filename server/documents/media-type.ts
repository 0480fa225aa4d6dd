import { closeSync, openSync, readSync } from 'node:fs';
import { DOCUMENT_TYPE_WORDS, type MediaType } from '../../shared/document-types.ts';
import { DocumentError } from './document-error.ts';
import type { DocumentContent } from './jobs.ts';

const sniffedBytes = 4096;

/** The kind of a document by its content; names and declared types are not trusted. Throws for what is not taken. */
export function mediaTypeOf(document: DocumentContent): MediaType {
  const head = headOf(document);
  if (head.length === 0) throw new DocumentError('invalid', 'The document is empty.');
  const start = head.toString('latin1');
  if (start.slice(0, 1024).includes('%PDF-')) return 'application/pdf';
  if (/^(II\*\0|MM\0\*)/.test(start)) return 'image/tiff';
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (looksLikeText(head) && !looksLikeMarkup(start)) return 'text/plain';
  throw new DocumentError('unsupported', `Only ${DOCUMENT_TYPE_WORDS} documents can be sent.`);
}

function headOf(document: DocumentContent): Buffer {
  const head = Buffer.alloc(sniffedBytes);
  if ('bytes' in document) {
    head.set(document.bytes.subarray(0, sniffedBytes));
    return head.subarray(0, document.bytes.length);
  }
  const file = openSync(document.path, 'r');
  try {
    return head.subarray(0, readSync(file, head, 0, sniffedBytes, 0));
  } finally {
    closeSync(file);
  }
}

function looksLikeText(head: Buffer): boolean {
  const utf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  return utf16 || !head.some((byte) => isBinary(byte));
}

/** Control characters other than tab, line feed, form feed and carriage return do not occur in text. */
function isBinary(byte: number): boolean {
  return byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d;
}

/** A web page or a PostScript program would be printed as its source. */
function looksLikeMarkup(start: string): boolean {
  return /^(\xef\xbb\xbf)?\s*(<!doctype html|<html|<\?xml|<svg|%!PS|\{\\rtf)/i.test(start);
}
