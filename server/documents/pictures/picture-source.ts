import type { Metadata, Sharp } from 'sharp';
import { DocumentError } from '../document-error.ts';
import { maxPicturePixels, pictureTooLarge } from '../limits.ts';
import type { PdfWriter } from '../pdf/pdf-writer.ts';
import { writeOneBitPicture } from '../pdf/picture-page.ts';
import { packPixels } from './pack-pixels.ts';
import { loadSharp } from './sharp.ts';

/** More pixels than this along a side add nothing to a fax; 300 per inch on A4 are 3,508. */
const maxSide = 3600;
/** Small pictures are stored without loss; larger ones as JPEG. */
const losslessPixels = 2_000_000;

/** A black and white picture up to this size is kept pixel for pixel. */
const oneBitPixels = 60_000_000;

/** A picture in the PDF being written: its object and its size in pixels as shown. */
export interface StoredPicture {
  id: number;
  width: number;
  height: number;
  /** Pixels per inch as the file says; null when it does not. */
  perInch: number | null;
}

/**
 * Stores a grey or coloured picture: upright by its EXIF orientation, on white where it is transparent. Throws when it
 * is damaged or too large.
 */
export async function storePicture(
  writer: PdfWriter,
  file: Buffer,
  options: { page?: number; kind: string },
): Promise<StoredPicture> {
  const damaged = (error: unknown): never => {
    throw pictureError(error, options.kind);
  };
  const sharp = await loadSharp();
  const source = sharp(file, {
    page: options.page ?? 0,
    limitInputPixels: maxPicturePixels,
    failOn: 'error',
  });
  const metadata = await source.metadata().catch(damaged);
  if (isOneBit(metadata)) return await storeOneBit(writer, source, metadata).catch(damaged);
  const prepared = source
    .autoOrient()
    .flatten({ background: 'white' })
    .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace(isGrey(metadata) ? 'b-w' : 'srgb');
  const shrink = Math.max(metadata.width, metadata.height) / maxSide;
  const perInch = densityOf(metadata);
  const stored = await encode(writer, prepared, metadata).catch(damaged);
  return { ...stored, perInch: perInch === null ? null : perInch / Math.max(shrink, 1) };
}

async function encode(
  writer: PdfWriter,
  picture: Sharp,
  metadata: Metadata,
): Promise<{ id: number; width: number; height: number }> {
  const lossless = metadata.format !== 'jpeg' && metadata.width * metadata.height <= losslessPixels;
  const encoded = lossless ? picture.raw() : picture.jpeg({ quality: 90, chromaSubsampling: '4:4:4' });
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  const space = info.channels === 1 ? '/DeviceGray' : '/DeviceRGB';
  const dictionary = `/Type /XObject /Subtype /Image /Width ${info.width} /Height ${info.height} /ColorSpace ${space} /BitsPerComponent 8`;
  const id = lossless
    ? writer.deflated(dictionary, data)
    : writer.stream(`${dictionary} /Filter /DCTDecode`, data);
  return { id, width: info.width, height: info.height };
}

/** Scanned letters are often PNGs of one bit a pixel: they stay so, pixel for pixel. */
async function storeOneBit(writer: PdfWriter, source: Sharp, metadata: Metadata): Promise<StoredPicture> {
  const { data, info } = await source.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const id = writeOneBitPicture(writer, packPixels(data, info));
  return { id, width: info.width, height: info.height, perInch: densityOf(metadata) };
}

function isOneBit(metadata: Metadata): boolean {
  const { bitsPerSample, width, height } = metadata;
  return (
    bitsPerSample === 1 && metadata.space === 'b-w' && !metadata.hasAlpha && width * height <= oneBitPixels
  );
}

function isGrey(metadata: Metadata): boolean {
  return metadata.channels <= 2 || metadata.space === 'b-w' || metadata.space === 'grey16';
}

/** Ignores 72 per inch, which programs write when they have no density. */
function densityOf(metadata: Metadata): number | null {
  const { density } = metadata;
  return density !== undefined && density > 72 && density <= 2400 ? density : null;
}

function pictureError(error: unknown, kind: string): DocumentError {
  if (error instanceof DocumentError) return error;
  const tooLarge = error instanceof Error && /pixel limit/.test(error.message);
  if (tooLarge) return new DocumentError('too_large', pictureTooLarge, { cause: error });
  return new DocumentError('invalid', `The ${kind} is damaged or incomplete.`, { cause: error });
}
