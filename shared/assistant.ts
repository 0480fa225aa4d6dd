/** Header by which a request with a key names the assistant program that makes it. */
export const ASSISTANT_HEADER = 'X-Faxdesk-Assistant';

/** Faxes of an assistant that a person has to confirm, where the program of the assistant can show a question. */
export const CONFIRMATIONS = ['always', 'first_time', 'never'] as const;
export type Confirmation = (typeof CONFIRMATIONS)[number];

const NAME_LENGTH = 40;

/** Returns the name of an assistant program as histories show it; null when it has none that can be shown. */
export function assistantName(given: unknown): string | null {
  if (typeof given !== 'string') return null;
  const name = given
    .replaceAll(/[^\w .-]/gu, ' ')
    .replaceAll(/ +/gu, ' ')
    .trim()
    .slice(0, NAME_LENGTH)
    .trim();
  return name === '' ? null : name;
}
