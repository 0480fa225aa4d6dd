import type { z } from 'zod';
import type { SummaryFigures } from '../../../shared/api/summary.ts';
import { spanOfDay } from '../../platform/local-days.ts';
import type { SummaryParts } from './parts.ts';

export type Figures = z.infer<typeof SummaryFigures>;

/** Returns the figures of a day, and those of open work now. Contains no fax number and no name. */
export async function figuresOf(parts: SummaryParts, day: string): Promise<Figures> {
  const span = spanOfDay(day, parts.settings.locality().timeZone);
  const { all } = await parts.work.statistics(span);
  const faxes = await parts.sentFaxes.service.counts();
  const mails = await parts.mail.counts();
  const printouts = await parts.printRules.counts();
  return {
    received: all.received,
    incomplete: await parts.inbound.incomplete.count(span.since, span.until),
    late: all.late,
    direct: await parts.inbound.countDirectWithoutItem(span),
    junk: await parts.inbound.countJunk(span.since, span.until),
    overdue_now: all.overdue_now,
    failed: await parts.sentFaxes.failedBetween(span.since, span.until),
    to_confirm_now: faxes.reconciliation_required ?? 0,
    mails_to_check_now: mails.failed + mails.uncertain,
    printouts_to_check_now: printouts.failed + printouts.doubtful,
    costs: await parts.costsOfDay(day),
  };
}
