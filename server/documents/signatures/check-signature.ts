import { DESK_LIMITS } from '../../../shared/desk.ts';
import { hasSignature, SIGNATURE_BYTES } from '../../../shared/document-types.ts';
import { DocumentError } from '../document-error.ts';
import type { DocumentJobs } from '../jobs.ts';
import { loadSharp } from '../pictures/sharp.ts';
import { inkBox, inkOnWhite } from './ink.ts';

/** A picture with more pixels is not opened. */
const maxPixels = 50_000_000;
/** Pixels of the picture while its ink is looked for. */
const lookedAt = { width: 2400, height: 2400 };

/** Checks an uploaded signature or stamp and returns it as it is kept. Throws a DocumentError that says why it cannot be used. */
export async function checkSignature({
  file,
}: DocumentJobs['signature']['task']): Promise<DocumentJobs['signature']['result']> {
  const bytes = Buffer.from(file);
  const start = bytes.toString('latin1', 0, SIGNATURE_BYTES);
  if (!hasSignature('image/png', start) && !hasSignature('image/jpeg', start))
    throw new DocumentError('unsupported', 'A signature or stamp must be a PNG or JPEG picture.');
  const { pixels, width, height } = await greyPixels(bytes);
  const ink = inkOnWhite(pixels);
  const box = ink && inkBox(ink, width, height);
  if (!ink || !box) throw new DocumentError('invalid', 'The picture is empty. Use dark ink on white paper.');
  const sharp = await loadSharp();
  const { data, info } = await sharp(ink, { raw: { width, height, channels: 1 } })
    .extract(box)
    .resize({ ...DESK_LIMITS.picturePixels, fit: 'inside', withoutEnlargement: true })
    .toColourspace('b-w')
    .png()
    .toBuffer({ resolveWithObject: true });
  return { picture: data, width: info.width, height: info.height };
}

async function greyPixels(bytes: Buffer): Promise<{ pixels: Uint8Array; width: number; height: number }> {
  const sharp = await loadSharp();
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
      .autoOrient()
      .flatten({ background: 'white' })
      .resize({ ...lookedAt, fit: 'inside', withoutEnlargement: true })
      .toColourspace('b-w')
      .extractChannel(0)
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { pixels: data, width: info.width, height: info.height };
  } catch (error) {
    const isLarge = error instanceof Error && /pixel limit/u.test(error.message);
    throw new DocumentError(
      isLarge ? 'too_large' : 'invalid',
      isLarge
        ? 'The picture has too many pixels. Make it smaller, such as 1200 pixels wide.'
        : 'The picture is damaged or incomplete.',
      { cause: error },
    );
  }
}
