import type { PrintingParts } from './parts.ts';
import type { PrintFormat } from './receive.ts';

const MEGABYTE = 1024 * 1024;
/** Pages as pixels are many times as large as the document that is kept of them: 900 pages of text stay below. */
const MOST_PIXELS_BYTES = 256 * MEGABYTE;

type Sizes = Pick<PrintingParts, 'maxFileBytes'>;

/** Returns the most bytes that the document of a job may have, decompressed. */
export const maxJobBytes = ({ maxFileBytes }: Sizes): number => Math.max(MOST_PIXELS_BYTES, maxFileBytes());

/** Returns the same for a format, with the sentence for a larger document. A PDF or JPEG is kept nearly as it is. */
export function sizeLimitOf(sizes: Sizes, format: PrintFormat): { maxBytes: number; sentence: string } {
  const isDrawn = format === 'image/pwg-raster' || format === 'image/urf';
  const maxBytes = isDrawn ? maxJobBytes(sizes) : sizes.maxFileBytes();
  const limit = `larger than ${Math.floor(maxBytes / MEGABYTE)} MB`;
  const sentence = isDrawn
    ? `The printed pages are ${limit}. Print fewer pages at a time.`
    : `The document is ${limit}.`;
  return { maxBytes, sentence };
}
