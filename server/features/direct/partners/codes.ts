import type { DirectParts } from '../parts.ts';

const DIGITS = 10;
const LIMIT = 10n ** BigInt(DIGITS);

/**
 * Returns the code of a challenge: 10 digits that only the data key gives. It is stored nowhere, and a challenge that was
 * interrupted before its fax goes on with the same code.
 */
export function codeOf({ hashCode }: Pick<DirectParts, 'hashCode'>, challengeId: string): string {
  const hash = Buffer.from(hashCode(`code of challenge ${challengeId}`), 'base64url');
  const number = BigInt(`0x${hash.toString('hex')}`) % LIMIT;
  return number.toString().padStart(DIGITS, '0');
}

/** Returns the stored form of a code of a partner. */
export function codeHmac(
  { hashCode }: Pick<DirectParts, 'hashCode'>,
  partnerId: string,
  code: string,
): string {
  return hashCode(`code for partner ${partnerId}: ${code}`);
}

/** Returns the code in two groups, as it is printed. */
export const groupedCode = (code: string) => `${code.slice(0, DIGITS / 2)} ${code.slice(DIGITS / 2)}`;

/** Returns the digits of a code as a person typed it, without spaces and dashes; null when it cannot be a code. */
export function typedCode(text: string): string | null {
  const digits = text.replaceAll(/[\s\p{Pd}]/gu, '');
  return /^\d{8,20}$/u.test(digits) ? digits : null;
}
