import { computerTimeZone } from '../../../../shared/date-format.ts';
import {
  type HeaderNumber,
  type HeaderText,
  headerText,
  headerTime,
} from '../../../../shared/header-line.ts';
import type { HeaderWords } from '../../../documents/documents.ts';
import { formatNumber } from '../../../platform/phone-number.ts';
import type { OutboundSettings } from '../parts.ts';
import type { HeaderLine, TransportTraits } from '../transport-port.ts';

/**
 * Returns the header line of a fax to `to` (E.164; null while unknown), with sender and recipient. Null while the
 * settings name neither organization nor number: then the provider prints its own line, which names nobody.
 */
export function headerOf(
  settings: Pick<OutboundSettings, 'organization' | 'ownNumber' | 'timeZone'>,
  to: string | null,
): (HeaderLine & Pick<HeaderText, 'hasRecipient'>) | null {
  const sender = { name: settings.organization() ?? '', number: numberOf(settings.ownNumber()) };
  const { text, hasRecipient } = headerText(sender, numberOf(to));
  if (text === '') return null;
  const timeZone = settings.timeZone() ?? computerTimeZone();
  return { text, hasRecipient, timeZone };
}

function numberOf(e164: string | null): HeaderNumber | null {
  return e164 === null ? null : { spaced: formatNumber(e164), e164 };
}

/** Returns the warnings for the administrator while faxes leave without the name of their sender. */
export function senderWarnings(settings: Pick<OutboundSettings, 'organization' | 'ownNumber'>): string[] {
  if (settings.organization() !== null && settings.ownNumber() !== null) return [];
  return [
    'The organization name or the fax number is not set. Set both: the header line of every fax should name who sends it.',
  ];
}

/**
 * Returns the line as the preview draws it: date and time, sender and recipient, page of pages. Words stand in for
 * parts that the provider prints in an unknown format.
 */
export function drawnHeader(
  { text, timeZone }: HeaderLine,
  at: number,
  { printsOurTime, numbersPages }: Pick<TransportTraits, 'printsOurTime' | 'numbersPages'>,
): HeaderWords {
  const parts = [printsOurTime ? headerTime(at, timeZone) : '[date and time]', text];
  return numbersPages ? { parts, isNumbered: true } : { parts: [...parts, '[page]'], isNumbered: false };
}
