import { epochOf, isoTime } from '../../platform/clock.ts';
import type { ItemRow, MailboxRow } from './types.ts';

const HOUR_MS = 3_600_000;

type Target = Pick<ItemRow, 'due_at' | 'due_hours' | 'due_source' | 'awaited_until'>;

const NO_TARGET: Target = { due_at: null, due_hours: null, due_source: null, awaited_until: null };

/**
 * Returns the acknowledgement target of a document that became available at that time: that of its mailbox, else of the
 * installation.
 */
export function targetOf(
  availableAt: string,
  mailbox: Pick<MailboxRow, 'acknowledge_hours'> | null,
  installationHours: number,
): Target {
  const own = mailbox?.acknowledge_hours ?? null;
  const due_hours = own ?? installationHours;
  if (due_hours === 0) return NO_TARGET;
  const due_at = isoTime(epochOf(availableAt) + due_hours * HOUR_MS);
  return { due_at, due_hours, due_source: own === null ? 'installation' : 'mailbox', awaited_until: due_at };
}

const MINUTE_MS = 60_000;

/** `in 12 min`, `in 3 h 5 min`, `in 2 days`, or `8 min late`. */
export function dueText(dueAt: string, now: string): string {
  const ms = epochOf(dueAt) - epochOf(now);
  const minutes = Math.floor(Math.abs(ms) / MINUTE_MS);
  const span = spanOf(minutes);
  return ms > 0 ? `in ${span}` : `${span} late`;
}

function spanOf(minutes: number): string {
  if (minutes < 1) return 'less than 1 min';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
