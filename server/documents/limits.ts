import { DocumentError } from './document-error.ts';

/** Pages of one document. This limit and the following are checked before the expensive work that they bound. */
export const maxPages = 1000;
/** Pixels of one picture: an A3 page at 1,000 per inch stays below. */
export const maxPicturePixels = 200_000_000;
/** Pixels of all pictures of a document together: 1,000 sheets of A4 at 600 per inch stay below. */
const maxDocumentPixels = 40_000_000_000;
/** Bytes of a text file: 1,000 full pages stay below, also of characters that take four bytes. */
export const maxTextBytes = 20 * 1024 * 1024;
/** Bytes of the pages for the line while they are kept in memory. */
export const maxEncodedBytes = 256 * 1024 * 1024;
/** Page objects on one page; a dense map has some 100,000. */
export const maxPageObjects = 2_000_000;
/** Nested forms deeper than this are not drawn by office programs. */
export const maxFormDepth = 12;

/** Returns the sentence. It is a function because the first formatting of a number takes a thread 20 ms. */
export const tooManyPages = () => `The document has more than ${maxPages.toLocaleString('en')} pages.`;
export const tooComplex = 'The document is too complex to be processed.';
export const pictureTooLarge = 'The document contains an image that is too large.';

/** Returns the error for a document above the size limit of the installation. */
export function documentTooLarge(maxBytes: number): DocumentError {
  return new DocumentError('too_large', `The document is larger than ${megabytes(maxBytes)} MB.`);
}

/** Returns the same error for pages that a computer printed, which are not a file that a person sees. */
export function printedTooLarge(maxBytes: number): DocumentError {
  return new DocumentError(
    'too_large',
    `The printed pages make a document larger than ${megabytes(maxBytes)} MB. Print fewer pages at a time.`,
  );
}

const megabytes = (bytes: number) => (bytes / (1024 * 1024)).toFixed(1).replace(/\.0$/, '');

/** Returns a function that adds up the pixels of a document's pictures. It throws DocumentError above the limit. */
export function createPixelBudget(): (pixels: number) => void {
  let total = 0;
  return (pixels) => {
    total += pixels;
    if (total > maxDocumentPixels) throw new DocumentError('too_large', tooComplex);
  };
}
