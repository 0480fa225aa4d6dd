import {
  isDocumentType,
  type MediaType,
  notFaxableSentence,
  phraseOf,
  typeBySignature,
} from '../../shared/document-types.ts';
import { type DeclaredKind, declaredKinds } from './declared-kind.ts';
import { DocumentError } from './document-error.ts';
import { startOf } from './document-files.ts';
import type { DocumentContent, DocumentSource } from './jobs.ts';

const sniffedBytes = 4096;

/** Kind of a document by its content: one that can be sent, or one that a person may have mistaken for it. */
type ContentKind = MediaType | 'web page' | 'office' | 'unknown';

const KIND_WORDS: Readonly<Record<Exclude<ContentKind, MediaType>, string>> = {
  'web page': 'a web page or program text',
  office: 'an Office document or an archive',
  unknown: 'of another kind',
};

/**
 * Returns the kind of a document by its content. Throws for kinds that are not accepted, and for a document whose name
 * or declared type promises another kind: the person chose a different file than they think.
 */
export function mediaTypeOf(source: DocumentSource): MediaType {
  const found = contentKindOf(source);
  const broken = declaredKinds(source).find(({ kind }) => kind !== found);
  if (broken) throw new DocumentError('unsupported', kindMismatch(broken, found));
  if (!isDocumentType(found)) throw new DocumentError('unsupported', notFaxableSentence(source.fileName));
  return found;
}

function kindMismatch({ by, kind }: { by: 'name' | 'type'; kind: DeclaredKind }, found: ContentKind) {
  const promise = by === 'name' ? 'The name of this file says it is' : 'This file was sent as';
  return `${promise} ${kind === 'office' ? 'an Office document' : phraseOf(kind)}, but its content is ${contentWords(found)}.`;
}

const contentWords = (found: ContentKind) => (isDocumentType(found) ? phraseOf(found) : KIND_WORDS[found]);

function contentKindOf(document: DocumentContent): ContentKind {
  const head = startOf(document, sniffedBytes);
  if (head.length === 0) throw new DocumentError('invalid', 'The document is empty.');
  const start = head.toString('latin1');
  const signed = typeBySignature(start);
  if (signed !== null) return signed;
  if (/^(PK\x03\x04|\xd0\xcf\x11\xe0)/.test(start)) return 'office';
  if (!looksLikeText(head)) return 'unknown';
  return looksLikeMarkup(start) ? 'web page' : 'text/plain';
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
