import type { LoadedPicture, PictureOrder } from './picture-worker.ts';

interface Loading {
  readonly src: string;
  readonly bitmap: Promise<ImageBitmap>;
  readonly abort: () => void;
}

let worker: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, (bitmap: ImageBitmap | null) => void>();
/** Pictures of the page's own by their addresses: a page may show such an address, but not load it. */
const own = new Map<string, Blob>();
/** Picture that was begun before its element was on the screen. */
let begun: Loading | null = null;

/** Returns an address at which a picture of the page's own is shown until it is released. */
export function addressOwnPicture(picture: Blob): string {
  const address = URL.createObjectURL(picture);
  own.set(address, picture);
  return address;
}

/** Releases a picture; what shows it already keeps it. */
export function releaseOwnPicture(address: string): void {
  own.delete(address);
  URL.revokeObjectURL(address);
}

/** Begins to load a picture that is shown in a moment; `loadPicture` takes it over. One at a time: the one before is dropped. */
export function beginPicture(src: string): void {
  if (begun?.src === src) return;
  const before = begun;
  before?.abort();
  const loading = load(src);
  begun = loading;
  // A failure is handled by the element that takes it over; one that nobody took gives its memory back.
  loading.bitmap.catch(() => undefined);
  before?.bitmap.then(
    (bitmap) => bitmap.close(),
    () => undefined,
  );
}

/** Loads and decodes a picture in a worker. Rejects when it could not be loaded or decoded, and when the signal aborts. */
export function loadPicture(src: string, signal: AbortSignal): Promise<ImageBitmap> {
  const loading = begun?.src === src ? begun : load(src);
  if (loading === begun) begun = null;
  signal.addEventListener('abort', loading.abort, { once: true });
  return loading.bitmap;
}

function load(src: string): Loading {
  lastId += 1;
  const id = lastId;
  const thread = startedWorker();
  let isDropped = false;
  const bitmap = new Promise<ImageBitmap>((resolve, reject) => {
    waiting.set(id, (loaded) => {
      if (loaded && !isDropped) return resolve(loaded);
      loaded?.close();
      reject(new Error(isDropped ? 'The picture is no longer wanted.' : 'The picture cannot be loaded.'));
    });
  });
  order(thread, { id, src: own.get(src) ?? src });
  const abort = () => {
    isDropped = true;
    order(thread, { id, src: null });
  };
  return { src, bitmap, abort };
}

const order = (thread: Worker, what: PictureOrder) => thread.postMessage(what);

/** Starts the worker where that was not done yet, which takes as long as a picture: call it while a list is read. */
export function prepareForPictures(): void {
  startedWorker();
}

function startedWorker(): Worker {
  if (worker) return worker;
  const started = new Worker(new URL('./picture-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<LoadedPicture>) => {
    waiting.get(data.id)?.(data.bitmap);
    waiting.delete(data.id);
  });
  // Its file could not be loaded: everything fails that waits for it, and the next picture starts another one.
  started.addEventListener('error', () => {
    worker = null;
    for (const fail of waiting.values()) fail(null);
    waiting.clear();
  });
  worker = started;
  return started;
}
