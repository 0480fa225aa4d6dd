const MAX_LENGTH = 120;
const NAMELESS = 'document';

/** Returns a file name that somebody else chose as one that is safe to show and to store: without folders and control characters. */
export function cleanFileName(name: string): string {
  const base = name.split(/[/\\]/u).at(-1) ?? '';
  const visible = base.replaceAll(/\p{C}/gu, '').replaceAll(/[<>:"|?*]/gu, '_');
  const trimmed = visible
    .replaceAll(/\s+/gu, ' ')
    .replace(/^[. ]+/u, '')
    .replace(/[. ]+$/u, '');
  const characters = [...trimmed];
  if (characters.length <= MAX_LENGTH) return trimmed || NAMELESS;
  const extension = /\.[^. ]{1,10}$/u.exec(trimmed)?.[0] ?? '';
  return characters.slice(0, MAX_LENGTH - [...extension].length).join('') + extension;
}
