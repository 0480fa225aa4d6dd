import { requestedNumber } from '../../platform/phone-number.ts';

/** Number that a message is faxed to, or a sentence that says why there is none. */
type Recipient = { readonly number: string } | { readonly refusal: string };

const NONE =
  'No fax number was found. Write it with its country code in the subject, such as +1 202 555 0123.';
const SEVERAL = 'More than one fax number was found. Send one message for each number.';

/** Characters; a line of an e-mail has a thousand at most. */
const MAX_SUBJECT_LENGTH = 1000;
/** Text that people put before the number in a subject. */
const LEADING_WORDS = /^(?:(?:re|fwd?|aw|wg|fax(?:\s+to)?|an)\s*:?\s+|fax\s*:\s*)+/iu;
/** `+` and digits, with what people put between them. */
const WITH_PLUS = /\+\s?\(?\d[\d\s()./-]{4,24}\d/gu;

/**
 * Reads the number from the subject (`+1 202 555 0123`, `Fax: 202-555-0123`, `Invoice 7 to +12025550123`) and from the local
 * parts of the mailbox's own addresses (`+12025550123@…`, `fax+12025550123@…`). National numbers belong to `country`.
 */
export function recipientOf(
  { subject, recipients }: { readonly subject: string; readonly recipients: readonly string[] },
  country: string,
): Recipient {
  let number: string | null = null;
  for (const found of numbersOf(subject, recipients, country)) {
    if (number !== null && found !== number) return { refusal: SEVERAL };
    number ??= found;
  }
  return number === null ? { refusal: NONE } : { number };
}

/** One after another: of thousands the second one decides. */
function* numbersOf(subject: string, recipients: readonly string[], country: string): Generator<string> {
  yield* numbersInSubject(subject, country);
  for (const address of recipients) {
    const number = numberInAddress(address);
    if (number !== null) yield number;
  }
}

function* numbersInSubject(subject: string, country: string): Generator<string> {
  if (subject.length > MAX_SUBJECT_LENGTH) return;
  const text = subject.trim().replace(LEADING_WORDS, '').trim();
  const whole = /^[+\d(]/u.test(text) ? requestedNumber(text, country) : null;
  if (whole !== null) return yield whole;
  for (const [found] of text.matchAll(WITH_PLUS)) {
    const number = requestedNumber(found.trim(), country);
    if (number !== null) yield number;
  }
}

/** Only with its country code: other digits may be anybody's address. */
function numberInAddress(address: string): string | null {
  const local = address.slice(0, address.lastIndexOf('@'));
  const digits = /^[^+]*\+(\d{7,15})$/u.exec(local)?.[1];
  return digits === undefined ? null : requestedNumber(`+${digits}`, 'US');
}
