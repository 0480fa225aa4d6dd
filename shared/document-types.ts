/** The kinds of document that can be sent, each with the endings of its files. The gateway judges by content. */
export const DOCUMENT_TYPES = {
  'application/pdf': ['.pdf'],
  'image/tiff': ['.tif', '.tiff'],
  'text/plain': ['.txt'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
} as const satisfies Record<string, readonly `.${string}`[]>;

export type MediaType = keyof typeof DOCUMENT_TYPES;

/** In the words of a person: `PDF, TIFF, text, PNG and JPEG`. */
export const DOCUMENT_TYPE_WORDS = 'PDF, TIFF, text, PNG and JPEG';

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
