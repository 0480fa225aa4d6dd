import { readQr } from './read-qr.ts';

/** A card has a few hundred characters; pictures of cameras have some MB. */
const MOST_TEXT_BYTES = 16_384;
const MOST_PICTURE_BYTES = 30_000_000;

/** Returns the card that a file has: its text, or that of the QR code in a picture. Null when there is none. */
export async function readCardFile(file: File): Promise<string | null> {
  if (!file.type.startsWith('image/')) {
    if (file.size > MOST_TEXT_BYTES) return null;
    return (await file.text()).trim() || null;
  }
  if (file.size > MOST_PICTURE_BYTES) return null;
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture === null) return null;
  try {
    return await readQr(picture, picture);
  } finally {
    picture.close();
  }
}
