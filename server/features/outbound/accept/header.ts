import { LIMITS } from '../../../../shared/limits.ts';
import { formatNumber } from '../../../platform/phone-number.ts';

/**
 * The sender's line on every page: who sends and a number to call, at most 50 characters (47 CFR 68.318(d); the
 * providers' own default names nobody). A long name is cut, the number never.
 */
export function headerText(organization: string, ownNumber: string): string {
  const number = formatNumber(ownNumber);
  const room = LIMITS.headerTextLength - number.length - 1;
  return `${organization.trim().slice(0, room).trim()} ${number}`;
}

/** The line as the preview draws it: date and time in the installation's zone, then the sender. */
export function headerLine(text: string, at: number, timeZone: string | null): string {
  const time = new Intl.DateTimeFormat('en-CA', {
    timeZone: timeZone ?? undefined,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);
  return `${time.replace(',', '')}  ${text}`;
}
