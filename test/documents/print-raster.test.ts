import { describe, expect, it } from 'vitest';
import { DocumentError } from '../../server/documents/document-error.ts';
import type { PrintRaster } from '../../server/documents/print-raster/raster-pages.ts';
import { rasterToPdf } from '../../server/documents/print-raster/raster-to-pdf.ts';
import { type DrawnPage, pwgRaster, urfRaster } from '../fixtures/print-raster.ts';

async function convert(file: Buffer, format: PrintRaster, onPage = () => {}): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  await rasterToPdf([file], format, { write: (part) => parts.push(part), onPage });
  return Buffer.concat(parts);
}

/** A page of A4 at 60 per inch with a black bar of its own in each third row. */
function barredPage(tone: (isBlack: boolean) => readonly number[], facts: Partial<DrawnPage>): DrawnPage {
  const [width, height] = [496, 702];
  const rows = Array.from({ length: height }, (_, y) =>
    Uint8Array.from(
      Array.from({ length: width }, (__, x) => tone(y % 3 === 0 && x > 40 && x < 40 + (y % 300))).flat(),
    ),
  );
  return { width, height, perInch: 60, bitsPerPixel: 8, space: 18, rows, ...facts };
}

/** The same in one bit a pixel. */
function barredBits(isBlackOne: boolean, space: number): DrawnPage {
  const grey = barredPage((isBlack) => [isBlack === isBlackOne ? 255 : 0], {});
  const rows = grey.rows.map((row) =>
    Uint8Array.from(
      Array.from({ length: row.length / 8 }, (_, i) =>
        row.subarray(i * 8, i * 8 + 8).reduce((byte, pixel) => byte * 2 + (pixel === 255 ? 1 : 0), 0),
      ),
    ),
  );
  return { ...grey, bitsPerPixel: 1, space, rows };
}

const GREY = barredPage((isBlack) => [isBlack ? 0 : 255], {});

describe('the pages of a printer', () => {
  it('rule (printing): are the same pixels in every format and color', async () => {
    const reference = await convert(pwgRaster([GREY]), 'image/pwg-raster');
    const black = barredPage((isBlack) => [isBlack ? 255 : 0], { space: 3 });
    const colored = { bitsPerPixel: 24, space: 19 };
    const rgb = barredPage((isBlack) => (isBlack ? [0, 0, 0] : [255, 255, 255]), colored);
    const cmyk = barredPage((isBlack) => (isBlack ? [0, 0, 0, 255] : [0, 0, 0, 0]), {
      bitsPerPixel: 32,
      space: 6,
    });
    for (const page of [black, rgb, cmyk, barredBits(true, 3), barredBits(false, 18)])
      expect((await convert(pwgRaster([page]), 'image/pwg-raster')).equals(reference)).toBe(true);
    for (const page of [
      { ...GREY, space: 0 },
      { ...rgb, space: 1 },
    ])
      expect((await convert(urfRaster([page]), 'image/urf')).equals(reference)).toBe(true);
  });

  it('have their true size, one after another', async () => {
    let pages = 0;
    const file = pwgRaster([GREY, GREY, GREY]);
    const pdf = await convert(file, 'image/pwg-raster', () => (pages += 1));
    expect(pages).toBe(3);
    expect(pdf.toString('latin1').match(/\/MediaBox \[0 0 595\.2 842\.4\]/gu)).toHaveLength(3);
  });

  it('keep the tones of pictures', async () => {
    const rows = Array.from({ length: 702 }, () => Uint8Array.from({ length: 496 }, (_, x) => x % 256));
    const pdf = (await convert(pwgRaster([{ ...GREY, rows }]), 'image/pwg-raster')).toString('latin1');
    expect([pdf.includes('/DCTDecode'), pdf.includes('/CCITTFaxDecode')]).toEqual([true, false]);
    // The channels in the header of the JPEG.
    expect(pdf.charCodeAt(pdf.indexOf('\xff\xc0') + 9)).toBe(1);
  });

  it('rule (printing): are read page by page, and written as they are read', async () => {
    const file = pwgRaster([GREY, GREY, GREY, GREY]);
    const pageBytes = (file.length - 4) / 4;
    const [reference, piece] = [await convert(file, 'image/pwg-raster'), Buffer.alloc(512)];
    let readBytes = 0;
    function* pieces() {
      for (let at = 0; at < file.length; at += piece.length) {
        // A piece that is kept after the next one was read has other bytes.
        const length = file.copy(piece, 0, at);
        readBytes = at + length;
        yield piece.subarray(0, length);
      }
    }
    const parts: Uint8Array[] = [];
    const ahead: number[] = [];
    const written: number[] = [];
    await rasterToPdf(pieces(), 'image/pwg-raster', {
      write: (part) => parts.push(part),
      onPage() {
        ahead.push(readBytes - 4 - pageBytes * (ahead.length + 1));
        written.push(Buffer.concat(parts).length);
      },
    });
    expect(Buffer.concat(parts).equals(reference)).toBe(true);
    // The longest row that its length allows, and a piece.
    expect(ahead.every((bytes) => bytes >= 0 && bytes < 2 * GREY.width + 2 * piece.length)).toBe(true);
    expect(new Set(written).size).toBe(4);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a header that breaks off', pwgRaster([GREY]).subarray(0, 900)],
    ['rows that break off', pwgRaster([GREY]).subarray(0, 3_000)],
    ['rows of another length', pwgRaster([{ ...GREY, width: 500 }])],
    ['more rows than it says', pwgRaster([{ ...GREY, height: 3 }])],
    ['no pixels', pwgRaster([{ ...GREY, width: 0 }])],
    ['four billion pixels in each direction', pwgRaster([{ ...GREY, width: 4e9, height: 4e9 }])],
    ['20,000 pixels in each direction', pwgRaster([{ ...GREY, width: 20_000, height: 20_000 }])],
    ['a color space that no printer has', pwgRaster([{ ...GREY, space: 99 }])],
    ['no density', pwgRaster([{ ...GREY, perInch: 0 }])],
  ])('with %s are refused at once', async (_what, file) => {
    const begun = performance.now();
    await expect(convert(file, 'image/pwg-raster')).rejects.toThrow(DocumentError);
    expect(performance.now() - begun).toBeLessThan(500);
  });

  it('rule (printing): small files with very many pages end at the limit of pages', async () => {
    const white = { ...GREY, width: 8, height: 8, rows: Array(8).fill(new Uint8Array(8).fill(255)) };
    await expect(
      convert(pwgRaster(Array.from({ length: 1_001 }, () => white)), 'image/pwg-raster'),
    ).rejects.toThrow('1,000 pages');
  });

  it('damaged anywhere are converted or refused', async () => {
    const good = pwgRaster([GREY]);
    let seed = 7;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % below;
    };
    const outcomes = { converted: 0, refused: 0 };
    for (let round = 0; round < 100; round += 1) {
      const file = Buffer.from(good);
      for (let change = 0; change < 3; change += 1) file[random(file.length)] = random(256);
      await convert(file, 'image/pwg-raster').then(
        () => (outcomes.converted += 1),
        (error: unknown) => {
          expect(error).toBeInstanceOf(DocumentError);
          outcomes.refused += 1;
        },
      );
    }
    expect(outcomes.converted).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
  });
});
