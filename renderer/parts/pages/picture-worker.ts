/**
 * Loads and decodes pictures of pages beside the page's own thread, which draws the screen meanwhile: a picture needs that
 * thread once, to be shown.
 */

export type PictureOrder =
  | { readonly id: number; readonly src: string | Blob }
  /** Ends the loading of this one. */
  | { readonly id: number; readonly src: null };

export interface LoadedPicture {
  readonly id: number;
  /** Null when it could not be loaded or decoded. */
  readonly bitmap: ImageBitmap | null;
}

const underway = new Map<number, AbortController>();

addEventListener('message', ({ data }: MessageEvent<PictureOrder>) => {
  if (data.src === null) return underway.get(data.id)?.abort();
  const abort = new AbortController();
  underway.set(data.id, abort);
  void answer(data.id, data.src, abort.signal).finally(() => underway.delete(data.id));
});

async function answer(id: number, src: string | Blob, signal: AbortSignal): Promise<void> {
  const bitmap = await load(src, signal).catch(() => null);
  const loaded: LoadedPicture = { id, bitmap };
  postMessage(loaded, { transfer: bitmap ? [bitmap] : [] });
}

async function load(src: string | Blob, signal: AbortSignal): Promise<ImageBitmap> {
  if (src instanceof Blob) return createImageBitmap(src);
  const response = await fetch(src, { signal });
  if (!response.ok) throw new Error(`${response.status}`);
  return createImageBitmap(await response.blob());
}
