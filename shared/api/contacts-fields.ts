import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { VISIBLE_LINE, VISIBLE_RULE, VISIBLE_TEXT } from '../visible-text.ts';
import { Id } from './values.ts';

const { address, tag, consentNote, timeZone } = LIMITS.contactLengths;

const orNull = (text: string | null) => (text === '' ? null : text);
const textOf = (max: number) =>
  z.string().trim().max(max).regex(VISIBLE_TEXT, VISIBLE_RULE).nullable().transform(orNull);

/** Reference to a contact. */
export const ContactRef = z.strictObject({ id: Id, name: z.string() }).meta({ id: 'ContactRef' });

/** Postal address, in lines; null for none. */
export const ContactAddress = textOf(address);
export const ConsentNote = textOf(consentNote);
export const ContactTag = z.string().trim().min(1).max(tag).regex(VISIBLE_LINE, VISIBLE_RULE);

/** IANA name, as `Europe/Berlin`; null for the zone of the installation. */
export const TimeZoneName = z
  .string()
  .trim()
  .max(timeZone)
  .refine((name) => name === '' || isTimeZone(name), 'must be the name of a time zone, such as Europe/Berlin')
  .nullable()
  .transform(orNull)
  .describe('IANA name; null for the time zone of the installation');

/** Days of a week and the span of each of them. */
export const AllowedHours = z
  .strictObject({
    days: z
      .array(z.int().min(1).max(7))
      .min(1)
      .max(7)
      .describe('days of the week, 1 for Monday to 7 for Sunday'),
    from: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/u, 'must be a time such as 08:00')
      .describe('begin, hours and minutes'),
    to: z
      .string()
      .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/u, 'must be a time such as 18:00')
      .describe('end on the same day, at most 24:00'),
  })
  .refine(({ from, to }) => from < to, 'must end after it begins')
  .meta({ id: 'AllowedHours' });

/** True for the name of a time zone that this computer has; offsets are no names. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/u.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
