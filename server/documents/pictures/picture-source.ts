import type { Metadata, Sharp } from 'sharp';
import { DocumentError } from '../document-error.ts';
import { maxPicturePixels, pictureTooLarge } from '../limits.ts';
import type { PdfWriter } from '../pdf/pdf-writer.ts';
import { writeOneBitPicture } from '../pdf/picture-page.ts';
import { bareJpeg } from './bare-jpeg.ts';
import { packPixels } from './pack-pixels.ts';
import { loadSharp } from './sharp.ts';

/**
 * More pixels than this along a side add nothing to a fax; 300 per inch on A4 are 3,508. A photo of 12 megapixels has 4,032:
 * making it smaller takes longer than anything else that is done to it.
 */
const maxSide = 4100;
/** Small pictures are stored without loss; larger ones as JPEG. */
const losslessPixels = 2_000_000;

/** Bytes of a pixel up to which a JPEG is stored as it came. */
const keptBytesPerPixel = 0.6;

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
  const kept = isPlainJpeg(metadata) ? bareJpeg(file) : null;
  if (kept !== null && kept.length <= metadata.width * metadata.height * keptBytesPerPixel)
    return await storeJpeg(writer, { file, kept }, metadata).catch(damaged);
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

/** Stores the pixels of a JPEG as they came, once the whole file could be decoded. */
async function storeJpeg(
  writer: PdfWriter,
  { file, kept }: { file: Buffer; kept: Buffer },
  metadata: Metadata,
): Promise<StoredPicture> {
  const { width, height } = metadata;
  const sharp = await loadSharp();
  const options = { limitInputPixels: maxPicturePixels, failOn: 'error', sequentialRead: true } as const;
  // An eighth of the size is decoded in a third of the time, and reads all data.
  await sharp(file, options)
    .resize({ width: Math.ceil(width / 8) })
    .raw()
    .toBuffer();
  const space = metadata.channels === 1 ? '/DeviceGray' : '/DeviceRGB';
  const dictionary = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace ${space} /BitsPerComponent 8`;
  const id = writer.stream(`${dictionary} /Filter /DCTDecode`, kept);
  return { id, width, height, perInch: densityOf(metadata) };
}

/** Returns true for a JPEG that every program shows alike without its metadata. */
function isPlainJpeg(metadata: Metadata): boolean {
  const { format, orientation = 1, icc, space, channels, depth, width, height } = metadata;
  return (
    format === 'jpeg' &&
    orientation === 1 &&
    icc === undefined &&
    depth === 'uchar' &&
    ((space === 'srgb' && channels === 3) || (space === 'b-w' && channels === 1)) &&
    Math.max(width, height) <= maxSide
  );
}

async function encode(
  writer: PdfWriter,
  picture: Sharp,
  metadata: Metadata,
): Promise<{ id: number; width: number; height: number }> {
  const lossless = metadata.format !== 'jpeg' && metadata.width * metadata.height <= losslessPixels;
  // The colors of a JPEG are coarse already.
  const chromaSubsampling = metadata.format === 'jpeg' ? '4:2:0' : '4:4:4';
  const encoded = lossless ? picture.raw() : picture.jpeg({ quality: 90, chromaSubsampling });
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
