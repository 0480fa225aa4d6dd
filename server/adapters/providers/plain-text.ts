/**
 * A provider's words made fit to show and log: one line, web addresses and the given secrets left out (a link of ours
 * holds a token), at most `limit` characters.
 */
export function plainText(text: string, limit: number, secrets: readonly string[] = []): string {
  let plain = text.slice(0, 4000).replaceAll(/https?:\/\/\S+/giu, '(address)');
  for (const secret of secrets) if (secret !== '') plain = plain.replaceAll(secret, '(secret)');
  plain = plain.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  const characters = Array.from(plain);
  return characters.length <= limit ? plain : `${characters.slice(0, limit - 1).join('')}…`;
}
