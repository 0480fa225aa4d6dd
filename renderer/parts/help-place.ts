let place: string | null = null;

/** Keeps the address at which help was opened, so that closing it leads back. */
export function rememberPlace(href: string): void {
  place = href;
}

/** Returns the address at which help was opened; null where it was opened by its own address. */
export const placeBeforeHelp = (): string | null => place;
