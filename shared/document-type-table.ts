import type { IntakeChannel } from './credential-kinds.ts';

/**
 * Channels of documents besides uploads (the API, the console, the command line, *Send as fax*), which take every type:
 * - `assistant`: documents of an assistant, which uploads them.
 * - `send_mailbox`: attachments of an e-mail that becomes a fax.
 * - `send_folder`: files of the send folder. Text is excluded: the notes beside files that were not sent are text files.
 * - `import_folder`: files of the import folder. Received faxes are stored as PDF, so no other type is possible.
 * - `open_with`: the menus of the operating system that offer Faxdesk for a file; those of pictures and text are not changed.
 */
export type DocumentChannel = IntakeChannel | 'import_folder' | 'open_with';

/** First bytes by which a type is recognized, as latin1 text. */
interface Signature {
  readonly starts: readonly string[];
  /** Number of bytes at the start of a file in which they may stand; null when they must be the first. */
  readonly within: number | null;
}

export interface DocumentTypeRow {
  /** File extensions in lower case, with the dot. */
  readonly extensions: readonly `.${string}`[];
  /** Other content types by which mail programs name it; uploads are judged by extension and content. */
  readonly mailAliases: readonly string[];
  /** Name in lists that people read. */
  readonly name: string;
  /** Name in the description of the API. */
  readonly apiName: string;
  /** Name in a sentence about one file. */
  readonly phrase: string;
  /** Null where any other bytes that people can read are of this type; its extension promises nothing of the content. */
  readonly signature: Signature | null;
  /** True for a document of a word processor, which LibreOffice converts; it is recognized by more than its first bytes. */
  readonly isOffice: boolean;
  /** True for each channel that takes the type. */
  readonly channels: Readonly<Record<DocumentChannel, boolean>>;
}

/**
 * Every type of document, by its content type. The order is that of lists that people read, and that in which signatures
 * are tried. A new row reaches every list and sentence; `server/documents` does not compile until it converts the type. The menus of the operating system and the pages of `docs` are compared with it by `test/packaging/document-types.test.ts`.
 */
export const DOCUMENT_TYPE_TABLE = {
  'application/pdf': {
    extensions: ['.pdf'],
    mailAliases: [],
    name: 'PDF',
    apiName: 'PDF',
    phrase: 'a PDF',
    // Mail programs and scanners put lines before it.
    signature: { starts: ['%PDF-'], within: 1024 },
    isOffice: false,
    channels: {
      assistant: true,
      send_mailbox: true,
      send_folder: true,
      import_folder: true,
      open_with: true,
    },
  },
  'image/tiff': {
    extensions: ['.tif', '.tiff'],
    mailAliases: [],
    name: 'TIFF',
    apiName: 'TIFF',
    phrase: 'a TIFF image',
    signature: { starts: ['II*\0', 'MM\0*'], within: null },
    isOffice: false,
    channels: {
      assistant: true,
      send_mailbox: true,
      send_folder: true,
      import_folder: false,
      open_with: true,
    },
  },
  'text/plain': {
    extensions: ['.txt'],
    mailAliases: [],
    name: 'text',
    apiName: 'TXT',
    phrase: 'plain text',
    signature: null,
    isOffice: false,
    channels: {
      assistant: true,
      send_mailbox: true,
      send_folder: false,
      import_folder: false,
      open_with: false,
    },
  },
  'image/png': {
    extensions: ['.png'],
    mailAliases: [],
    name: 'PNG',
    apiName: 'PNG',
    phrase: 'a PNG image',
    signature: { starts: ['\x89PNG\r\n\x1a\n'], within: null },
    isOffice: false,
    channels: {
      assistant: true,
      send_mailbox: true,
      send_folder: true,
      import_folder: false,
      open_with: false,
    },
  },
  'image/jpeg': {
    extensions: ['.jpg', '.jpeg'],
    mailAliases: ['image/jpg'],
    name: 'JPEG',
    apiName: 'JPEG',
    phrase: 'a JPEG image',
    signature: { starts: ['\xff\xd8\xff'], within: null },
    isOffice: false,
    channels: {
      assistant: true,
      send_mailbox: true,
      send_folder: true,
      import_folder: false,
      open_with: false,
    },
  },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
    extensions: ['.docx'],
    mailAliases: [],
    name: 'DOCX',
    apiName: 'DOCX',
    phrase: 'a Word document (DOCX)',
    signature: null,
    isOffice: true,
    channels: {
      assistant: true,
      send_mailbox: true,
      send_folder: true,
      import_folder: false,
      open_with: false,
    },
  },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
    extensions: ['.xlsx'],
    mailAliases: [],
    name: 'XLSX',
    apiName: 'XLSX',
    phrase: 'an Excel workbook (XLSX)',
    signature: null,
    isOffice: true,
    channels: {
      assistant: true,
      send_mailbox: true,
      send_folder: true,
      import_folder: false,
      open_with: false,
    },
  },
  'application/vnd.oasis.opendocument.text': {
    extensions: ['.odt'],
    mailAliases: [],
    name: 'ODT',
    apiName: 'ODT',
    phrase: 'an OpenDocument text (ODT)',
    signature: null,
    isOffice: true,
    channels: {
      assistant: true,
      send_mailbox: true,
      send_folder: true,
      import_folder: false,
      open_with: false,
    },
  },
  'text/html': {
    extensions: ['.html', '.htm'],
    mailAliases: ['application/xhtml+xml'],
    name: 'HTML',
    apiName: 'HTML',
    phrase: 'a web page (HTML)',
    signature: null,
    isOffice: true,
    channels: {
      assistant: true,
      send_mailbox: true,
      send_folder: true,
      import_folder: false,
      open_with: false,
    },
  },
} as const satisfies Record<string, DocumentTypeRow>;

/** Programs whose other files, which nothing converts, people try to send. */
interface OfficeProgram {
  readonly name: string;
  /** File extensions of its archives and compound files, without their point. */
  readonly extensions: readonly string[];
  /** File extensions of what it writes as text, whose content is no archive. */
  readonly textExtensions: readonly string[];
}

export const OFFICE_PROGRAMS: readonly OfficeProgram[] = [
  { name: 'Word', extensions: ['doc', 'docm', 'dot', 'dotx'], textExtensions: ['rtf'] },
  { name: 'Excel', extensions: ['xls', 'xlsm'], textExtensions: [] },
  { name: 'PowerPoint', extensions: ['ppt', 'pptx'], textExtensions: [] },
  { name: 'OpenDocument', extensions: ['ods', 'odp'], textExtensions: [] },
];
