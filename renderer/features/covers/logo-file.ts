import { COVER_LIMITS } from '../../../shared/covers.ts';
import { smallPicture } from '../../parts/pictures/small-picture.ts';

/** Picture of a logo as it is uploaded and previewed. */
export interface Logo {
  readonly name: string;
  readonly file: Blob;
  readonly base64: string;
}

/** Largest file for the picture of each key press. */
const MAX_BYTES = 140_000;

/** Reads a chosen picture, no larger than it is kept. Rejects for a file that is no picture. */
export async function readLogo(file: File): Promise<Logo> {
  const small = await smallPicture(file, COVER_LIMITS.logoPixels, MAX_BYTES);
  return { name: file.name, file: small, base64: await base64Of(small) };
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
