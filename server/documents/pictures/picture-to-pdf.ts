import { createPdfWriter } from '../pdf/pdf-writer.ts';
import { addPicturePage, type Box } from '../pdf/picture-page.ts';
import { type StoredPicture, storePicture } from './picture-source.ts';

/** A4 in points and the margin around a picture that is smaller than the sheet. */
const short = 595.28;
const long = 841.89;
const margin = 28;
/** A picture this near to the size of a sheet, or larger, is a scan of the whole sheet. */
const wholeSheet = 0.85;
const longestScan = 1300;

/** Puts a picture on one page and returns the PDF; `kind` is its name in sentences. */
export async function pictureToPdf(file: Buffer, kind: string, maxBytes: number): Promise<Buffer> {
  const writer = createPdfWriter(maxBytes);
  const picture = await storePicture(writer, file, { kind });
  const { size, box } = placePicture(picture);
  addPicturePage(writer, picture.id, size, box);
  return writer.finish();
}

/**
 * Positions a picture: a scan of a whole sheet is the page; a picture with a density keeps its size on an A4 page when
 * it fits; any other fills the page, in portrait or landscape like the picture itself.
 */
function placePicture(picture: Pick<StoredPicture, 'width' | 'height' | 'perInch'>): {
  size: { widthPt: number; heightPt: number };
  box: Box;
} {
  const across = picture.width > picture.height;
  const size = across ? { widthPt: long, heightPt: short } : { widthPt: short, heightPt: long };
  const perPoint = picture.perInch === null ? null : 72 / picture.perInch;
  if (perPoint !== null) {
    const width = picture.width * perPoint;
    const height = picture.height * perPoint;
    const isSheet = width >= size.widthPt * wholeSheet && height >= size.heightPt * wholeSheet;
    if (isSheet && Math.max(width, height) <= longestScan) {
      return { size: { widthPt: width, heightPt: height }, box: { x: 0, y: 0, width, height } };
    }
  }
  const fit = Math.min(
    (size.widthPt - 2 * margin) / picture.width,
    (size.heightPt - 2 * margin) / picture.height,
  );
  const scale = Math.min(fit, perPoint ?? fit);
  const width = picture.width * scale;
  const height = picture.height * scale;
  const box = { x: (size.widthPt - width) / 2, y: size.heightPt - margin - height, width, height };
  return { size, box };
}
