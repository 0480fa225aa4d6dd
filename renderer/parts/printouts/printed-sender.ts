import type { Printout } from '../../api/print-rules.ts';
import { t } from '../../texts/printouts.ts';

/** Returns the sender of the printed fax; `phone` formats a number. */
export function printedSender({ fax }: Printout, phone: (number: string) => string): string {
  return fax.contact?.name ?? (fax.from_number === null ? t.printouts.unknownNumber : phone(fax.from_number));
}
