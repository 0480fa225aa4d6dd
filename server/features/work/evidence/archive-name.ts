import { dateFormat } from '../../../../shared/date-format.ts';
import { epochOf } from '../../../platform/clock.ts';
import type { Locality } from '../../../platform/local-time.ts';

/** `faxdesk-evidence-2026-11-23-093000.zip`, in the time zone of the installation or in UTC. */
export function archiveName(at: string, { timeZone }: Pick<Locality, 'timeZone'>): string {
  // Sweden writes 2026-11-23 09:30:00.
  const format = dateFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: timeZone ?? 'UTC',
  });
  const [date = '', time = ''] = format.format(epochOf(at)).split(' ');
  return `faxdesk-evidence-${date}-${time.replaceAll(':', '')}.zip`;
}
