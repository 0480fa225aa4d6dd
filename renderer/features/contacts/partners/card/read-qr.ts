import { loadPart } from '../../../../api/load-part.ts';

/** Longest side of a picture in which a QR code is searched for, in pixels; larger ones are made smaller. */
const MAX_SIDE = 1600;
/** Longest time in which other ways are tried to find the code of one picture, in ms. */
const TRY_MS = 1000;

/** Returns the text of the QR code in a picture; null when none is found. */
export async function readQr(
  picture: CanvasImageSource,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<string | null> {
  // Loaded where a code is scanned, and nowhere else.
  const { decodeQR } = await loadPart(() => import('qr/decode.js'));
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height, 1));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return null;
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  try {
    return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height), { timeLimit: TRY_MS });
  } catch {
    return null;
  }
}
