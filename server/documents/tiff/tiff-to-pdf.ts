import { createPixelBudget } from '../limits.ts';
import { createPdfWriter, type PdfWriter } from '../pdf/pdf-writer.ts';
import { addPicturePage, writeT6Picture } from '../pdf/picture-page.ts';
import { storePicture } from '../pictures/picture-source.ts';
import { oneBitPicture } from './one-bit-picture.ts';
import { describePage, isPage, type TiffPage } from './page-description.ts';
import { damagedTiff, readDirectories } from './read-directories.ts';

/**
 * Turns a TIFF file into a PDF, one page for each picture in its true size. Black and white pictures stay so, pixel for
 * pixel; `onPage` is called after each. With `onlyFirst` the PDF has the first page alone.
 */
export async function tiffToPdf(
  file: Buffer,
  { maxBytes, onlyFirst = false, onPage }: { maxBytes: number; onlyFirst?: boolean; onPage: () => void },
): Promise<Buffer> {
  const pages = readDirectories(file).filter(isPage);
  if (pages.length === 0) throw damagedTiff();
  const described = pages.map((directory) => describePage(file, directory));
  const countPixels = createPixelBudget();
  for (const { width, height } of described) countPixels(width * height);
  const writer = createPdfWriter(maxBytes);
  for (const page of onlyFirst ? described.slice(0, 1) : described) {
    if (page.oneBit) await addOneBit(writer, file, page);
    else await addToned(writer, file, page);
    onPage();
  }
  return writer.finish();
}

async function addOneBit(writer: PdfWriter, file: Buffer, page: TiffPage): Promise<void> {
  const id = writeT6Picture(writer, await oneBitPicture(file, page));
  const turned = page.orientation >= 5 && page.orientation <= 8;
  addWholePage(writer, id, page, turned, page.orientation);
}

/** Grey and colour; sharp has turned the picture upright. */
async function addToned(writer: PdfWriter, file: Buffer, page: TiffPage): Promise<void> {
  const { id } = await storePicture(writer, file, { page: page.index, kind: 'TIFF' });
  addWholePage(writer, id, page, page.orientation >= 5 && page.orientation <= 8, 1);
}

function addWholePage(
  writer: PdfWriter,
  id: number,
  page: TiffPage,
  turned: boolean,
  orientation: number,
): void {
  const [widthPt, heightPt] = turned ? [page.heightPt, page.widthPt] : [page.widthPt, page.heightPt];
  const box = { x: 0, y: 0, width: widthPt, height: heightPt };
  addPicturePage(writer, id, { widthPt, heightPt }, box, orientation);
}
