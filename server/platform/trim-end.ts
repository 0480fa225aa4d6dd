/**
 * Removes these characters from the end of a text, in linear time. A regular expression such as `/+$` takes quadratic time,
 * because it starts a new attempt at each of them.
 */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
