/** Bytes of one part of a name. */
const MAX_BYTES = 63;
const FALLBACK = 'Faxdesk';

/** Returns a name for people as one part of a name of DNS: without dots and control characters, at most 63 bytes. */
export function labelOf(name: string): string {
  const text = name
    .replaceAll(/[.\p{C}]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return shorten(text === '' ? FALLBACK : text, MAX_BYTES);
}

/** Returns a label with the number of a further one: `Faxdesk (2)` after a space, `frontdesk-2` after a hyphen. */
export function numberedLabel(label: string, number: number, separator: ' ' | '-'): string {
  if (number === 1) return shorten(label, MAX_BYTES);
  const end = separator === ' ' ? ` (${number})` : `-${number}`;
  return shorten(label, MAX_BYTES - end.length) + end;
}

/** Returns the name of a computer as a label of its host names: letters, digits and hyphens. */
export function hostLabelOf(hostname: string): string {
  const [first = ''] = hostname.toLowerCase().split('.');
  const label = first.replaceAll(/[^a-z0-9-]+/gu, '-').replaceAll(/^-+|-+$/gu, '');
  return label === '' ? 'computer' : label.slice(0, 40);
}

function shorten(text: string, bytes: number): string {
  let short = text;
  while (Buffer.byteLength(short) > bytes) short = [...short].slice(0, -1).join('');
  return short.trim();
}
