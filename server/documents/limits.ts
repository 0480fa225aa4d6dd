/** What one document may be. Checked before the expensive work it bounds. */
export const maxPages = 1000;
/** Pixels of one picture: an A3 page at 1,000 per inch stays below. */
export const maxPicturePixels = 200_000_000;
/** Page objects on one page; a dense map has some 100,000. */
export const maxPageObjects = 2_000_000;
/** Nested forms deeper than this are not drawn by office programs. */
export const maxFormDepth = 12;

/** Written when it is needed: naming a number costs a thread 20 ms at its start. */
export const tooManyPages = () => `The document has more than ${maxPages.toLocaleString('en')} pages.`;
export const tooComplex = 'The document is too complex to be processed.';
export const pictureTooLarge = 'The document contains an image that is too large.';
