import type { HeaderLine } from '../../../../shared/fax-transport.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { formatNumber } from '../../../platform/phone-number.ts';
import type { OutboundSettings } from '../parts.ts';

/**
 * The sender's line on every page: who sends and a number to call, at most 50 characters (47 CFR 68.318(d)). A long name is
 * cut, the number never. Null while the settings name neither: then the provider prints its own line, which names nobody.
 */
export function headerOf(
  settings: Pick<OutboundSettings, 'organization' | 'ownNumber' | 'timeZone'>,
): HeaderLine | null {
  const text = senderText(settings.organization()?.trim() ?? '', settings.ownNumber());
  if (text === '') return null;
  return { text, timeZone: settings.timeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone };
}

function senderText(organization: string, ownNumber: string | null): string {
  if (ownNumber === null) return organization.slice(0, LIMITS.headerTextLength).trim();
  const number = formatNumber(ownNumber);
  const room = LIMITS.headerTextLength - number.length - 1;
  return `${organization.slice(0, room).trim()} ${number}`.trim();
}

/** What to tell who runs the gateway while faxes leave without the name of their sender. */
export function senderWarnings(settings: Parameters<typeof headerOf>[0]): string[] {
  if (settings.organization() !== null && settings.ownNumber() !== null) return [];
  return [
    'The organization name or the fax number is not set. Set both: the header line of every fax should name who sends it.',
  ];
}

/**
 * The line as the preview draws it: date and time, then the sender. Where the provider does not print our time, nobody knows
 * which one it prints, so that words stand in its place.
 */
export function drawnHeader(
  { text, timeZone }: HeaderLine,
  at: number,
  { printsOurTime }: { printsOurTime: boolean },
): string {
  return `${printsOurTime ? localTime(at, timeZone) : '[date and time]'}  ${text}`;
}

function localTime(at: number, timeZone: string): string {
  const time = new Intl.DateTimeFormat('en-CA', {
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
