import { dateFormat } from './date-format.ts';
import { LIMITS } from './limits.ts';

/** Parts of a header line that a provider may print in a form of its own. */
export const HEADER_OWN_FORMS = ['time', 'page_number'] as const;
export type HeaderOwnForm = (typeof HEADER_OWN_FORMS)[number];

/** A telephone number as people read it, and as E.164, which is shorter. */
export interface HeaderNumber {
  readonly spaced: string;
  readonly e164: string;
}

export interface HeaderText {
  /** At most 50 characters. */
  readonly text: string;
  /** True when it contains the number of the recipient. */
  readonly hasRecipient: boolean;
}

/**
 * Formats the sender, with a number to call, and the recipient, in the 50 characters that providers accept. The first
 * two are required by law (47 CFR 68.318(d)): the recipient's number is omitted where there is no room for it, then a
 * long name is cut, and the sender's number never. Empty where there is neither name nor number.
 */
export function headerText(
  sender: { readonly name: string; readonly number: HeaderNumber | null },
  to: HeaderNumber | null,
): HeaderText {
  const name = sender.name.trim();
  if (name === '' && sender.number === null) return { text: '', hasRecipient: false };
  for (const form of ['spaced', 'e164'] as const) {
    if (to === null) break;
    const text = joined(name, sender.number?.[form] ?? '', `-> ${to[form]}`);
    if (text.length <= LIMITS.headerTextLength) return { text, hasRecipient: true };
  }
  const number = sender.number?.spaced ?? '';
  const room = LIMITS.headerTextLength - (number === '' ? 0 : number.length + 1);
  return { text: joined(name.slice(0, room).trim(), number), hasRecipient: false };
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** `2026-11-22 18:30`, as header lines have it, which are read in every country. Without a zone, that of the computer. */
export function headerTime(at: number, timeZone: string | undefined): string {
  const time = dateFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);
  return time.replace(',', '');
}
