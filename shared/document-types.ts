import {
  DOCUMENT_TYPE_TABLE,
  type DocumentChannel,
  type DocumentTypeRow,
  OFFICE_PROGRAMS,
} from './document-type-table.ts';

/** Content type of a document. */
export type MediaType = keyof typeof DOCUMENT_TYPE_TABLE;

/** Content type of a document of a word processor, which LibreOffice converts. */
export type OfficeType = {
  [Type in MediaType]: (typeof DOCUMENT_TYPE_TABLE)[Type]['isOffice'] extends true ? Type : never;
}[MediaType];

const ROWS: Readonly<Record<MediaType, DocumentTypeRow>> = DOCUMENT_TYPE_TABLE;

/** In the order of the table. */
const TYPES = Object.keys(ROWS) as MediaType[];

const typesOf = (channel: DocumentChannel | 'upload') =>
  channel === 'upload' ? TYPES : TYPES.filter((type) => ROWS[type].channels[channel]);

/** Number of bytes at the start of a file that decide its type. */
export const SIGNATURE_BYTES = Math.max(
  ...Object.values(ROWS).map(({ signature }) =>
    signature === null ? 0 : (signature.within ?? Math.max(...signature.starts.map(({ length }) => length))),
  ),
);

/** Returns the file extensions that a channel accepts, in lower case with their point. */
export function extensionsOf(channel: DocumentChannel | 'upload'): readonly string[] {
  return typesOf(channel).flatMap((type) => ROWS[type].extensions);
}

/** Returns true for the content type of a document that can be sent. The gateway decides by content. */
export function isDocumentType(type: string): type is MediaType {
  return Object.hasOwn(ROWS, type);
}

/** Returns true for a document of a word processor, which LibreOffice converts. */
export function isOfficeType(type: MediaType): type is OfficeType {
  return ROWS[type].isOffice;
}

/** Returns the type that the extension of a file name stands for; null for another extension, or without one. */
export function documentTypeOf(
  fileName: string,
  channel: DocumentChannel | 'upload' = 'upload',
): MediaType | null {
  const extension = /\.[^.\\/]+$/u.exec(fileName)?.[0].toLowerCase();
  if (extension === undefined) return null;
  return typesOf(channel).find((type) => ROWS[type].extensions.some((each) => each === extension)) ?? null;
}

/** Returns true when the extension of a file name is that of a picture. */
export function isPictureName(fileName: string): boolean {
  return documentTypeOf(fileName)?.startsWith('image/') ?? false;
}

/** Returns the type of an attachment by its declared content type; null when mail cannot bring it. */
export function mailTypeOf(contentType: string): MediaType | null {
  const isNamed = (type: MediaType) => type === contentType || ROWS[type].mailAliases.includes(contentType);
  return typesOf('send_mailbox').find(isNamed) ?? null;
}

/** Returns the name of a type in a sentence about one file: `a TIFF image`. */
export function phraseOf(type: MediaType): string {
  return ROWS[type].phrase;
}

/** Returns true when the extension or content type promises a content. Text promises nothing: anything is saved as `.txt`. */
export function promisesContent(type: MediaType): boolean {
  return ROWS[type].signature !== null || ROWS[type].isOffice;
}

/** Returns true when a file that starts with these bytes, as latin1 text, is of the type. False for text and documents of word processors. */
export function hasSignature(type: MediaType, start: string): boolean {
  const { signature } = ROWS[type];
  if (signature === null) return false;
  const { starts, within } = signature;
  return starts.some((bytes) =>
    within === null ? start.startsWith(bytes) : start.slice(0, within).includes(bytes),
  );
}

/** Returns the type that the first bytes of a file, as latin1 text, stand for; null when none does. */
export function typeBySignature(start: string): MediaType | null {
  return TYPES.find((type) => hasSignature(type, start)) ?? null;
}

/** Returns the names of the types that a channel accepts. Text stands at `textAt`, where the sentence reads best. */
function namesOf(
  channel: DocumentChannel | 'upload',
  column: 'name' | 'apiName',
  textAt: number | null,
): string[] {
  const all = typesOf(channel);
  const others: MediaType[] = all.filter((type) => type !== 'text/plain');
  const ordered =
    textAt === null || others.length === all.length ? all : others.toSpliced(textAt, 0, 'text/plain');
  return ordered.map((type) => ROWS[type][column]);
}

/** `PDF, PNG or JPEG`; the only one where there is only one. */
function joinNames(names: readonly string[], word: 'and' | 'or'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

/** Names of the types that can be sent. */
export const DOCUMENT_TYPE_NAMES: readonly string[] = namesOf('upload', 'name', null);

/** `PDF, TIFF, text, PNG, JPEG, DOCX, XLSX, ODT or HTML` */
export const DOCUMENT_TYPE_CHOICE = joinNames(DOCUMENT_TYPE_NAMES, 'or');

/** The same in the description of the API: `PDF, TXT, TIFF, PNG, JPEG, DOCX, XLSX, ODT or HTML` */
export const API_TYPE_CHOICE = joinNames(namesOf('upload', 'apiName', 1), 'or');

/** Types that an e-mail can bring: `PDF, TIFF, PNG, JPEG, DOCX, XLSX, ODT, HTML or text` */
export const MAIL_TYPE_CHOICE = joinNames(namesOf('send_mailbox', 'name', Number.POSITIVE_INFINITY), 'or');

/** The same for an assistant. */
export const ASSISTANT_TYPE_CHOICE = joinNames(namesOf('assistant', 'name', Number.POSITIVE_INFINITY), 'or');

/** Returns the types of a watched folder: `PDF, TIFF, PNG, JPEG, DOCX, XLSX, ODT and HTML` */
export function folderTypeNames(channel: 'send_folder' | 'import_folder'): string {
  return joinNames(namesOf(channel, 'name', null), 'and');
}

/** File extensions and content types for a file chooser. */
export const CHOOSABLE_FILES: readonly string[] = [...extensionsOf('upload'), ...TYPES];

const endsWithOneOf = (extensions: readonly string[]) => new RegExp(`\\.(${extensions.join('|')})$`, 'iu');

const OFFICE_FILE = endsWithOneOf(OFFICE_PROGRAMS.flatMap(({ extensions }) => extensions));

/** Returns true when the extension of a file promises an Office document: an archive or a compound file. */
export function isOfficeName(fileName: string): boolean {
  return OFFICE_FILE.test(fileName);
}

/**
 * Returns a sentence on why a file of that name cannot be sent, and the remedy: `Faxdesk can’t read this kind of Word file.
 * Save it as a PDF.`
 */
export function notFaxableSentence(fileName: string): string {
  const program = OFFICE_PROGRAMS.find(({ extensions, textExtensions }) =>
    endsWithOneOf([...extensions, ...textExtensions]).test(fileName),
  );
  return program === undefined
    ? `Faxdesk can’t read this kind of file. Use ${DOCUMENT_TYPE_CHOICE}.`
    : `Faxdesk can’t read this kind of ${program.name} file. Save it as a PDF.`;
}
