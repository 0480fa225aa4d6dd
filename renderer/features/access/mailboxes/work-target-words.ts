import { t } from '../../../texts/access.ts';
import { formatCount } from '../../../ui/format.ts';
import type { MailboxWork } from './mailbox-queries.ts';

const words = t.access.mailbox;

/** Returns true when the backup person can take over overdue items. */
export function canTakeOver({ backup, people }: MailboxWork): boolean {
  return people.some(({ id }) => id === backup?.id);
}

/** `4 hours`, or `No target`. */
export function hoursWords(hours: number): string {
  return hours === 0 ? words.noTarget : words.hours(formatCount(hours), hours === 1);
}
