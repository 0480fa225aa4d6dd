import { RefusalError } from '../../platform/errors.ts';

/** Returns the cursor after the line at a position. */
export const encodePosition = (position: number): string =>
  Buffer.from(String(position)).toString('base64url');

/** Returns the position that a cursor names; 0 without one. Throws a 400 refusal for another text. */
export function decodePosition(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const text = Buffer.from(cursor, 'base64url').toString();
  // Base64 leaves out what it cannot read: only the text that was issued is a cursor.
  if (/^\d{1,9}$/u.test(text) && encodePosition(Number(text)) === cursor) return Number(text);
  throw new RefusalError('invalid_cursor');
}
