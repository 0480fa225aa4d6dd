/** What a search in the list looks at. */
export function searchTextOf(fax: {
  from_number: string | null;
  to_number: string | null;
  provider_fax_id: string;
}): string {
  return [fax.from_number ?? 'unknown', fax.to_number ?? 'unknown', fax.provider_fax_id]
    .join(' ')
    .toLowerCase()
    .slice(0, 400);
}

/** The text itself, and its digits when it may be a number with its groups. */
export function wantedTexts(q: string): string[] {
  const text = q
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (text === '') return [];
  const digits = /^[\d+()\-./\s]+$/u.test(text) ? text.replaceAll(/\D/gu, '') : '';
  return digits === '' || digits === text ? [text] : [text, digits];
}
