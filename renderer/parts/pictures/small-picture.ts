/** Reads a chosen picture, no larger than `most` and `mostBytes` where a JPEG can be so small. Rejects for a file that is no picture. */
export async function smallPicture(
  file: Blob,
  most: { readonly width: number; readonly height: number },
  mostBytes: number,
): Promise<Blob> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, most.width / picture.width, most.height / picture.height);
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
  return png.size <= mostBytes ? png : await blobOf(canvas, 'image/jpeg');
}

/** Returns the picture of a canvas as a file. */
export function blobOf(canvas: HTMLCanvasElement, type: 'image/png' | 'image/jpeg'): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture cannot be encoded.'))),
      type,
      0.8,
    );
  });
}
