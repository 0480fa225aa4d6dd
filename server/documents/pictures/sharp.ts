import type sharp from 'sharp';

let loading: Promise<typeof sharp> | undefined;

/** The library for pictures, loaded with the first of them: few faxes have any, and every thread starts faster without. */
export function loadSharp(): Promise<typeof sharp> {
  loading ??= import('sharp').then(({ default: loaded }) => {
    // One page at a time: the other core belongs to the other worker.
    loaded.concurrency(1);
    loaded.cache(false);
    return loaded;
  });
  return loading;
}
