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

const listed = (joint: 'and' | 'or') =>
  `${DOCUMENT_TYPE_NAMES.slice(0, -1).join(', ')} ${joint} ${DOCUMENT_TYPE_NAMES.at(-1)}`;

/** `PDF, TIFF, text, PNG and JPEG` */
export const DOCUMENT_TYPE_WORDS = listed('and');

/** `PDF, TIFF, text, PNG or JPEG` */
export const DOCUMENT_TYPE_CHOICE = listed('or');

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

/** What a file chooser offers: endings and media types. */
export const CHOOSABLE_FILES: readonly string[] = [...Object.values(DOCUMENT_TYPES).flat(), ...TYPES];
