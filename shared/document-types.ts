/** The kinds of document that can be sent, each with the endings of its files. The gateway judges by content. */
export const DOCUMENT_TYPES = {
  'application/pdf': ['.pdf'],
  'image/tiff': ['.tif', '.tiff'],
  'text/plain': ['.txt'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
} as const satisfies Record<string, readonly `.${string}`[]>;

export type MediaType = keyof typeof DOCUMENT_TYPES;

/** The kinds of document in the words of a person, in the order of `DOCUMENT_TYPES`. */
export const DOCUMENT_TYPE_NAMES: readonly string[] = ['PDF', 'TIFF', 'text', 'PNG', 'JPEG'];

/** `PDF, TIFF, text, PNG or JPEG` */
export const DOCUMENT_TYPE_CHOICE = `${DOCUMENT_TYPE_NAMES.slice(0, -1).join(', ')} or ${DOCUMENT_TYPE_NAMES.at(-1)}`;

const TYPES = Object.keys(DOCUMENT_TYPES) as MediaType[];

export function isDocumentType(type: string): type is MediaType {
  return Object.hasOwn(DOCUMENT_TYPES, type);
}

/** The kind that the end of a file name promises; null for a name with another ending, or with none. */
export function documentTypeOf(fileName: string): MediaType | null {
  const ending = /\.[^.\\/]+$/u.exec(fileName)?.[0].toLowerCase();
  if (ending === undefined) return null;
  return TYPES.find((type) => (DOCUMENT_TYPES[type] as readonly string[]).includes(ending)) ?? null;
}

/** Programs whose files people try to send, by the endings of their names. */
const OTHER_FILES: Readonly<Record<string, RegExp>> = {
  Word: /\.(doc|docx|docm|dot|dotx|rtf)$/iu,
  Excel: /\.(xls|xlsx|xlsm)$/iu,
  PowerPoint: /\.(ppt|pptx)$/iu,
  OpenDocument: /\.(odt|ods|odp)$/iu,
};

/**
 * Returns a sentence on why a file of that name cannot be sent, and the remedy: `Faxdesk can’t read Word files. Save it
 * as a PDF.`
 */
export function notFaxableSentence(fileName: string): string {
  const program = Object.keys(OTHER_FILES).find((name) => OTHER_FILES[name]?.test(fileName));
  return program === undefined
    ? `Faxdesk can’t read this kind of file. Use ${DOCUMENT_TYPE_CHOICE}.`
    : `Faxdesk can’t read ${program} files. Save it as a PDF.`;
}

/** File extensions and media types for a file chooser. */
export const CHOOSABLE_FILES: readonly string[] = [...Object.values(DOCUMENT_TYPES).flat(), ...TYPES];
