import { COVER_LIMITS } from '../../../shared/covers.ts';

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
  const picture = await createImageBitmap(file);
  const { width: mostWidth, height: mostHeight } = COVER_LIMITS.logoPixels;
  const scale = Math.min(1, mostWidth / picture.width, mostHeight / picture.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The canvas cannot be drawn on.');
  // Transparent parts of the picture are white.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const png = await blobOf(canvas, 'image/png');
  const small = png.size <= MAX_BYTES ? png : await blobOf(canvas, 'image/jpeg');
  return { name: file.name, file: small, base64: await base64Of(small) };
}

function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture cannot be encoded.'))),
      type,
      0.8,
    );
  });
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
