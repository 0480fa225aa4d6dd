import {
  documentTypeOf,
  isDocumentType,
  isOfficeType,
  type MediaType,
  notFaxableSentence,
  phraseOf,
  typeBySignature,
} from '../../shared/document-types.ts';
import { type DeclaredKind, declaredKinds } from './declared-kind.ts';
import { DocumentError } from './document-error.ts';
import { contentOf, startOf } from './document-files.ts';
import type { DocumentContent, DocumentSource } from './jobs.ts';
import { officeKindOf } from './office/office-kind.ts';

const sniffedBytes = 4096;

/** Kind of a document by its content: one that can be sent, or one that a person may have mistaken for it. */
type ContentKind = MediaType | 'markup' | 'office' | 'unknown';

const KIND_WORDS: Readonly<Record<Exclude<ContentKind, MediaType>, string>> = {
  markup: 'program text',
  office: 'an Office document or an archive',
  unknown: 'of another kind',
};

/**
 * Returns the kind of a document by its content. Throws for kinds that are not accepted, and for a document whose name
 * or declared type promises another kind: the person chose a different file than they think.
 */
export function mediaTypeOf(source: DocumentSource): MediaType {
  if (source.convertedFrom !== undefined) return 'application/pdf';
  const found = contentKindOf(source);
  const broken = declaredKinds(source).find(({ kind }) => !keepsPromise(kind, found));
  if (broken) throw new DocumentError('unsupported', kindMismatch(broken, found));
  if (!isDocumentType(found)) throw new DocumentError('unsupported', notFaxableSentence(source.fileName));
  return found;
}

/** A document of a word processor under the extension of an older format is what the person means. */
const keepsPromise = (kind: DeclaredKind, found: ContentKind) =>
  kind === found || (kind === 'office' && isDocumentType(found) && isOfficeType(found));

function kindMismatch({ by, kind }: { by: 'name' | 'type'; kind: DeclaredKind }, found: ContentKind) {
  if (found === 'office' && kind !== 'office' && isOfficeType(kind))
    return `This file cannot be read as ${phraseOf(kind)}: it is damaged, protected by a password or of an older format. Save it as PDF and add that.`;
  const promise = by === 'name' ? 'The name of this file says it is' : 'This file was sent as';
  return `${promise} ${kind === 'office' ? 'an Office document' : phraseOf(kind)}, but its content is ${contentWords(found)}.`;
}

const contentWords = (found: ContentKind) => (isDocumentType(found) ? phraseOf(found) : KIND_WORDS[found]);

function contentKindOf(document: DocumentContent & Pick<DocumentSource, 'fileName'>): ContentKind {
  const head = startOf(document, sniffedBytes);
  if (head.length === 0) throw new DocumentError('invalid', 'The document is empty.');
  const start = head.toString('latin1');
  const signed = typeBySignature(start);
  if (signed !== null) return signed;
  if (start.startsWith('PK\x03\x04')) return officeKindOf(contentOf(document)) ?? 'office';
  if (start.startsWith('\xd0\xcf\x11\xe0')) return 'office';
  if (!looksLikeText(head)) return 'unknown';
  if (looksLikeWebPage(start, document.fileName)) return 'text/html';
  return looksLikeMarkup(start) ? 'markup' : 'text/plain';
}

/** A part of a web page, without its beginning, is one where its name says so. */
function looksLikeWebPage(start: string, fileName: string): boolean {
  if (/^(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?(<!doctype html|<html)/i.test(start)) return true;
  return documentTypeOf(fileName) === 'text/html' && /<[a-z!][^<>]*>/i.test(start);
}

function looksLikeText(head: Buffer): boolean {
  const utf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  return utf16 || !head.some((byte) => isBinary(byte));
}

/** Control characters other than tab, line feed, form feed and carriage return do not occur in text. */
function isBinary(byte: number): boolean {
  return byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d;
}

/** XML or a PostScript program would be printed as its source. */
function looksLikeMarkup(start: string): boolean {
  return /^(\xef\xbb\xbf)?\s*(<\?xml|<svg|%!PS|\{\\rtf)/i.test(start);
}
