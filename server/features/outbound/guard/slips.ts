/** Digits of a number at whose end one more digit usually is another extension, not a slip. */
const EXTENSION_DIGITS = 2;

const DIGITS = '0123456789';

/**
 * Returns the E.164 numbers from which this one can come by one slip of the typist: a digit replaced, two neighbors swapped,
 * a digit left out or typed in excess. At the end of a number a missing or extra digit counts only where it repeats its neighbor:
 * offices there have extensions of different lengths.
 */
export function slipsOf(e164: string): string[] {
  const digits = e164.slice(1);
  const slips = new Set<string>();
  for (let at = 0; at < digits.length; at += 1) {
    const before = digits.slice(0, at);
    const after = digits.slice(at + 1);
    for (const digit of DIGITS) slips.add(`+${before}${digit}${after}`);
    const next = digits.charAt(at + 1);
    if (next !== '') slips.add(`+${before}${next}${digits.charAt(at)}${digits.slice(at + 2)}`);
    // The first digit begins the country code, without which it would be another number altogether.
    if (at > 0 && mayBeLeftOut(digits, at)) slips.add(`+${before}${after}`);
  }
  for (let at = 1; at <= digits.length; at += 1)
    for (const digit of DIGITS) {
      const longer = `${digits.slice(0, at)}${digit}${digits.slice(at)}`;
      if (mayBeLeftOut(longer, at)) slips.add(`+${longer}`);
    }
  slips.delete(e164);
  return [...slips];
}

/** Returns true when a typist, rather than another extension, accounts for the digit at this place. */
function mayBeLeftOut(digits: string, at: number): boolean {
  if (at < digits.length - EXTENSION_DIGITS) return true;
  return digits.charAt(at) === digits.charAt(at - 1);
}

/** Returns true when two E.164 numbers differ by two neighboring digits that changed places. */
export function isSwapped(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  const places = Array.from(one, (_, at) => at).filter((at) => one[at] !== other[at]);
  const [first, second, third] = places;
  if (first === undefined || second !== first + 1 || third !== undefined) return false;
  return one[first] === other[second] && one[second] === other[first];
}
