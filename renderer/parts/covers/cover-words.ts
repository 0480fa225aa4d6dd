/** Returns the name of a field of a cover page for people: `ward_number` as `Ward number`. */
export function fieldInWords(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
