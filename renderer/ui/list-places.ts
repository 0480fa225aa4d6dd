/** Place in a list at the time it was left. */
interface ListPlace {
  /** The row on top of what was in sight, and how far it was scrolled past, in px. */
  readonly top?: { readonly id: string; readonly index: number; readonly past: number };
  /** Position of the keyboard cursor. */
  readonly cursor?: { readonly index: number; readonly id: string | null };
}

const MAX_PLACES = 50;
const places = new Map<string, ListPlace>();

/** Of a list by its name, which is another one for each filter. */
export const placeIn = (list: string): ListPlace => places.get(list) ?? {};

/** Keeps the given parts of a place beside those that were kept before. */
export function keepPlace(list: string, place: ListPlace): void {
  const kept = { ...places.get(list), ...place };
  places.delete(list);
  places.set(list, kept);
  const [oldest] = places.keys();
  if (places.size > MAX_PLACES && oldest !== undefined) places.delete(oldest);
}

/** Another person begins at the top. */
export function forgetPlaces(): void {
  places.clear();
}
