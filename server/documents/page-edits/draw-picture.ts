import type { PageBox, PageMark } from '../../../shared/page-edits.ts';
import { DocumentError } from '../document-error.ts';
import { loadSharp } from '../pictures/sharp.ts';
import type { Placement } from '../raster/page-geometry.ts';
import type { OneBitPage } from '../t4/one-bit-page.ts';

/** A darker pixel is a black dot: thin strokes of a pen stay whole. */
const BLACK_BELOW = 160;
const ACROSS = 204;
const DOWN = 196;

/** Picture in the size in which it is drawn. */
interface Dots {
  readonly width: number;
  readonly height: number;
  readonly picture: Pixels;
}

/** As many as dots; of a picture that is enlarged its own, so that one on a page that is cut to a small part takes no more. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  /** One byte for each pixel. */
  readonly greys: Uint8Array;
}

interface PlacedPicture {
  readonly mark: Extract<PageMark, { readonly picture: string }>;
  readonly crop: PageBox | null;
  readonly placement: Placement;
}

/** Draws pictures on pages: dark dots become black, and everything else of the page stays as it is. */
export function createPicturePen(pictures: Readonly<Record<string, Uint8Array>>): PicturePen {
  return new PicturePen(pictures);
}

class PicturePen {
  readonly #pictures: Readonly<Record<string, Uint8Array>>;
  /** The last picture: initials on every page of a contract have one size. */
  #last: { readonly key: string; readonly dots: Dots } | null = null;

  constructor(pictures: Readonly<Record<string, Uint8Array>>) {
    this.#pictures = pictures;
  }

  /** Draws a picture in the middle of its box, as large as it fits, as far as it is on the page. */
  async draw(page: OneBitPage, { mark, crop, placement }: PlacedPicture): Promise<void> {
    const cut = crop ?? { x: 0, y: 0, width: 1, height: 1 };
    const left = placement.left + ((mark.box.x - cut.x) / cut.width) * placement.width;
    const top = placement.top + ((mark.box.y - cut.y) / cut.height) * placement.height;
    const width = (mark.box.width / cut.width) * placement.width;
    const height = (mark.box.height / cut.height) * placement.height;
    const dots = await this.#dots(mark.picture, width, height);
    drawDots(page, dots, {
      left: Math.round(left + (width - dots.width) / 2),
      top: Math.round(top + (height - dots.height) / 2),
    });
  }

  async #dots(id: string, width: number, height: number): Promise<Dots> {
    const key = `${id} ${Math.round(width)} ${Math.round(height)}`;
    if (this.#last?.key === key) return this.#last.dots;
    const picture = this.#pictures[id];
    if (!picture) throw new DocumentError('invalid', 'The picture of a signature or stamp is missing.');
    const dots = await scaled(picture, width, height);
    this.#last = { key, dots };
    return dots;
  }
}

/** Returns a picture as large as it fits into a box of dots, which are a little higher than wide. */
async function scaled(picture: Uint8Array, boxWidth: number, boxHeight: number): Promise<Dots> {
  const sharp = await loadSharp();
  const source = sharp(picture);
  const { width: pixels, height: lines } = await source.metadata();
  const inches = Math.min(boxWidth / ACROSS / pixels, boxHeight / DOWN / lines);
  const [width, height] = [dotsOf(pixels * inches * ACROSS), dotsOf(lines * inches * DOWN)];
  const size = { width: Math.min(width, pixels), height: Math.min(height, lines) };
  const greys = await source
    .resize({ ...size, fit: 'fill' })
    .toColourspace('b-w')
    .extractChannel(0)
    .raw()
    .toBuffer();
  return { width, height, picture: { ...size, greys } };
}

const dotsOf = (length: number): number => Math.max(Math.round(length), 1);

function drawDots(
  page: OneBitPage,
  { width, height, picture }: Dots,
  { left, top }: { left: number; top: number },
): void {
  const { rows, stride } = page;
  for (let y = Math.max(top, 0); y < Math.min(top + height, page.height); y++) {
    const line = Math.floor(((y - top) * picture.height) / height) * picture.width;
    for (let x = Math.max(left, 0); x < Math.min(left + width, page.width); x++) {
      const pixel = line + Math.floor(((x - left) * picture.width) / width);
      if ((picture.greys[pixel] ?? 255) >= BLACK_BELOW) continue;
      const at = y * stride + (x >> 3);
      rows[at] = (rows[at] ?? 0) | (0x80 >> (x & 7));
    }
  }
}
